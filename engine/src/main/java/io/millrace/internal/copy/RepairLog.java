package io.millrace.internal.copy;

import io.millrace.api.RepairReport.Action;
import io.millrace.api.RepairReport.Finding;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a repair's findings and acts, each of which is told at once and counted; keeps none of
 * them. For one thread.
 */
final class RepairLog {

  private final TargetRows target;
  private final long nowMs;
  private final Consumer<Finding> listener;
  private long findingCount;
  private long setAsideCount;

  /**
   * Creates a log.
   *
   * @param nowMs the time of all findings
   */
  RepairLog(TargetRows target, long nowMs, Consumer<Finding> listener) {
    this.target = target;
    this.nowMs = nowMs;
    this.listener = listener;
  }

  /** Tells that the row is in the new store, but not as it was found. */
  void rebuilt(byte[] key, String finding) {
    tell(key, finding, Action.REBUILT);
  }

  /** Tells that the row is not in the new store, and that nothing is missing without it. */
  void dropped(byte[] key, String finding) {
    tell(key, finding, Action.DROPPED);
  }

  /** Tells that a loss is made up for as far as can be. */
  void recovered(byte[] key, String finding) {
    tell(key, finding, Action.RECOVERED);
  }

  /** Puts the row into quarantine as it was found, and tells so. */
  void setAside(byte[] key, byte[] value, String finding) {
    long timeMs = nowMs;
    byte[] asideKey = QuarantineKeys.key(timeMs, key);
    while (target.has(asideKey)) {
      asideKey = QuarantineKeys.key(++timeMs, key);
    }
    target.put(asideKey, new QuarantineRecord(value, finding).encode(asideKey));
    setAsideCount++;
    tell(key, finding, Action.SET_ASIDE);
  }

  long findingCount() {
    return findingCount;
  }

  long setAsideCount() {
    return setAsideCount;
  }

  private void tell(byte[] key, String finding, Action action) {
    findingCount++;
    @Nullable Keyspace keyspace = Keyspace.find(key);
    String name = keyspace == null ? "UNKNOWN" : keyspace.name();
    listener.accept(new Finding(name, Bytes.hex(key), finding, action));
  }
}
