package io.millrace.outbox.jdbc;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.UUID;

/**
 * A row of an outbox as it is stored.
 *
 * @param id the text of its id
 * @param queue the name of the queue
 * @param tenant the tenant of the queue
 * @param options the text of the options, in UTF-8
 * @param payload the payload of the job
 * @param createdMs the time of the enqueue, in epoch milliseconds
 */
record OutboxRow(
    String id, String queue, String tenant, byte[] options, byte[] payload, long createdMs) {

  /**
   * A row that was understood.
   *
   * @param text the text of its id, as stored
   */
  record Readable(String text, UUID id, QueueName queue, NewJob job) {}

  /**
   * Returns what the row says, as of now: delay and time to live are counted from the enqueue, so
   * that what has passed of them is taken off.
   *
   * @throws IllegalArgumentException the row cannot be understood
   */
  Readable read(long nowMs) {
    EnqueueOptions stored = OptionsText.options(options);
    NewJob job = new NewJob(payload, asOf(nowMs, stored));
    return new Readable(id, RowIds.parse(id), new QueueName(queue, tenant), job);
  }

  private EnqueueOptions asOf(long nowMs, EnqueueOptions stored) {
    // A clock that is ahead of the engine's must not make anything longer.
    Duration passed = Duration.ofMillis(Math.max(0, nowMs - createdMs));
    EnqueueOptions options = stored;
    if (!stored.delay().isZero()) {
      options = options.delay(atLeast(Duration.ZERO, stored.delay().minus(passed)));
    }
    if (stored.timeToLive().isPresent()) {
      Duration left = stored.timeToLive().get().minus(passed);
      options = options.timeToLive(atLeast(Limits.KEEP_LEAST, left));
    }
    return options;
  }

  private static Duration atLeast(Duration least, Duration value) {
    return value.compareTo(least) < 0 ? least : value;
  }
}
