package io.millrace.internal.state;

import io.millrace.internal.format.EngineRate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The limits beside that of its queue that must have tokens for a job to be started: jobs with the
 * same gates wait for the same tokens.
 *
 * @param slotKey the key under which the job's concurrency key is counted, if the queue limits the
 *     rate of each concurrency key; else null
 * @param rate the limit over all queues that the job names; null for none
 */
public record Gates(byte @Nullable [] slotKey, @Nullable EngineRate rate) {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Gates that
        && Arrays.equals(slotKey, that.slotKey)
        && (rate == null ? that.rate == null : rate.equals(that.rate));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(slotKey) + (rate == null ? 0 : rate.hashCode());
  }
}
