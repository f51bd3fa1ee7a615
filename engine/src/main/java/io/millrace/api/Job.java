package io.millrace.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job as it was when it was looked at. Immutable. Made by Millrace alone: it may get more
 * accessors.
 */
public interface Job {

  JobId id();

  QueueName queue();

  JobState state();

  /** What kind of work it is; the queue's name if nothing else was said. */
  String type();

  /** The unique key that it was enqueued with, whether it holds it still or not. */
  Optional<String> uniqueKey();

  int priority();

  int weight();

  /** The job's bytes. The caller's own copy: may be changed. */
  byte[] payload();

  /**
   * What the job's bytes say.
   *
   * @throws IllegalArgumentException the job is of another type
   * @throws CodecException its bytes are none of the type's codec
   */
  default <T> T payload(JobType<T> type) {
    return type.read(id(), type(), payload());
  }

  /**
   * What the last checkpoint kept for the next attempt; empty if there was none. The caller's own
   * copy.
   */
  Optional<byte[]> checkpointed();

  Map<String, String> headers();

  /** What the job is not worked on together with in its queue, if its enqueue said so. */
  Optional<String> concurrencyKey();

  /** The same over all queues of the engine. */
  Optional<String> engineConcurrencyKey();

  /**
   * How many jobs of the {@link #engineConcurrencyKey()} may be ready or leased for this one to go
   * on; present if there is one. Of a key of its queue {@link QueueSettings#perKey()} says it.
   */
  OptionalInt engineConcurrencyMost();

  /** Whose starts count together with this job's, in all queues, if its enqueue said so. */
  Optional<String> engineRateKey();

  /** How many of them there may be in a time; present if there is an {@link #engineRateKey()}. */
  Optional<RateLimit> engineRateLimit();

  /** How many starts have counted, the running one included. */
  int attempts();

  /** How many starts count until the job is dead; its own, or its queue's. */
  int maxAttempts();

  /** How long it waits after a failure; its own, or its queue's. */
  Backoff backoff();

  Instant enqueuedAt();

  /**
   * When a delayed job will be ready: the instant that it was given, or the end of the length of
   * time that it was given. A length runs on the monotonic clock: if the wall clock is set while
   * the job waits, the job waits no longer and no shorter, and this instant moves along with the
   * wall clock as far as engine time does. It is as of the newest commit.
   */
  Optional<Instant> visibleAt();

  /** What the last counted attempt failed of. */
  Optional<String> lastError();

  /** What a job waits for that is WAITING. */
  default Optional<SignalWait> signalWait() {
    return Optional.empty();
  }

  /** When a dead job died. */
  Optional<Instant> diedAt();

  /** Who works on it, if it is leased. */
  Optional<Running> lease();

  /** When a job was completed that is kept for its result. */
  Optional<Instant> completedAt();

  /**
   * What it was completed with, at most {@value Limits#RESULT_BYTES_MAX} bytes; empty if with
   * nothing. The caller's own copy.
   */
  Optional<byte[]> result();

  /**
   * When the job will be removed: one that was not started, for its time to live; one that is dead
   * or done, for its retention. Both are lengths: as {@link #visibleAt}, this moves with the wall
   * clock.
   */
  Optional<Instant> expiresAt();

  /**
   * The newest finished attempts over the whole life of the job, the oldest first, at most {@value
   * Limits#HISTORY_COUNT_MAX}. Only answers about one job have it, the jobs of a page do not.
   */
  List<FinishedAttempt> history();

  /**
   * A lease as the store knows it.
   *
   * @param token the lease's number
   * @param worker who claimed the job
   * @param startedAt when
   * @param cancelRequested whether somebody asked for the job to be cancelled
   */
  record Running(long token, String worker, Instant startedAt, boolean cancelRequested) {

    /** A lease whose job nobody asked to be cancelled. */
    public Running(long token, String worker, Instant startedAt) {
      this(token, worker, startedAt, false);
    }
  }
}
