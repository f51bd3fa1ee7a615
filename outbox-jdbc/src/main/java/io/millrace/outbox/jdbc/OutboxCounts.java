package io.millrace.outbox.jdbc;

import java.time.Duration;
import java.util.Optional;

/**
 * The number of rows of an outbox in its table.
 *
 * @param waiting the rows that a relay has yet to take
 * @param failed the rows that were set aside because they cannot be enqueued as they are
 * @param oldest the age of the oldest waiting row, by the clock of whoever asks; empty if there is
 *     none
 */
public record OutboxCounts(long waiting, long failed, Optional<Duration> oldest) {

  static OutboxCounts of(long all, long failed, long oldestMs, long nowMs) {
    long waiting = all - failed;
    Optional<Duration> oldest =
        waiting == 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(Math.max(0, nowMs - oldestMs)));
    return new OutboxCounts(waiting, failed, oldest);
  }
}
