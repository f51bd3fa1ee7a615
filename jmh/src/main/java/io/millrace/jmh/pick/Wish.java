package io.millrace.jmh.pick;

import io.millrace.api.Durability;
import io.millrace.api.Limits;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.options.Checks;
import java.util.Objects;

/**
 * Load of a user's program, which decides which store is best for it.
 *
 * @param payloadBytes length of its payloads
 * @param callerCount threads that enqueue; as many complete
 * @param durability the durability that its calls wait for
 */
public record Wish(int payloadBytes, int callerCount, Durability durability) {

  public Wish {
    Checks.inRange(
        "--payload", payloadBytes, LoadOptions.PAYLOAD_BYTES_LEAST, Limits.PAYLOAD_BYTES_MAX);
    Checks.inRange("--callers", callerCount, 1, LoadOptions.CALLER_COUNT_MAX);
    Objects.requireNonNull(durability, "durability");
  }
}
