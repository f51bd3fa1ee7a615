package io.millrace.api;

import java.time.Instant;
import java.util.List;
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
 * @param completedAt when a job was completed that is kept for its result
 * @param result what it was completed with, at most {@value Limits#RESULT_BYTES_MAX} bytes; empty
 *     if with nothing
 * @param expiresAt when the job will be removed: one that was not started, for its time to live;
 *     one that is dead or done, for its retention
 * @param history the newest finished attempts over the whole life of the job, the oldest first, at
 *     most {@value Limits#HISTORY_COUNT_MAX}; only answers about one job have it, the jobs of a
 *     page do not
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
    Optional<Running> lease,
    Optional<Instant> completedAt,
    Optional<byte[]> result,
    Optional<Instant> expiresAt,
    List<FinishedAttempt> history) {

  public Job {
    history = List.copyOf(history);
  }

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
