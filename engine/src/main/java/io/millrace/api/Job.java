package io.millrace.api;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it was when it was looked at.
 *
 * @param attempts how many starts have counted, the running one included
 * @param visibleAt when a delayed job will be ready: the instant that it was given, or the end of
 *     the length of time that it was given. A length runs on the monotonic clock: if the wall clock
 *     is set while the job waits, the job waits no longer and no shorter, and this instant moves
 *     along with the wall clock as far as engine time does. It is as of the newest commit
 * @param lastError what the last counted attempt failed of
 * @param diedAt when a dead job died
 * @param lease who works on it, if it is leased
 */
public record Job(
    JobId id,
    QueueName queue,
    JobState state,
    int priority,
    int weight,
    byte[] payload,
    Map<String, String> headers,
    int attempts,
    int maxAttempts,
    Backoff backoff,
    Instant enqueuedAt,
    Optional<Instant> visibleAt,
    Optional<String> lastError,
    Optional<Instant> diedAt,
    Optional<Running> lease) {

  /**
   * A lease as the store knows it.
   *
   * @param token the lease's number
   * @param worker who claimed the job
   * @param startedAt when
   * @param cancelRequested whether somebody asked for the job to be cancelled
   */
  public record Running(long token, String worker, Instant startedAt, boolean cancelRequested) {

    /** A lease whose job nobody asked to be cancelled. */
    public Running(long token, String worker, Instant startedAt) {
      this(token, worker, startedAt, false);
    }
  }
}
