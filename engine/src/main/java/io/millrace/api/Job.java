package io.millrace.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job as it was when it was read. Immutable. Only Millrace implements this interface, and
 * accessors may be added.
 */
public interface Job {

  JobId id();

  QueueName queue();

  JobState state();

  /** Returns the kind of work that the job is; the queue's name if no type was set. */
  String type();

  /** Returns the unique key that the job was enqueued with, whether it still holds it or not. */
  Optional<String> uniqueKey();

  int priority();

  int weight();

  /** Returns the job's payload. The caller's own copy, which may be changed. */
  byte[] payload();

  /**
   * Returns the payload, decoded by the codec of the job's type.
   *
   * @throws IllegalArgumentException the job is of another type
   * @throws CodecException the type's codec does not read the payload
   */
  default <T> T payload(JobType<T> type) {
    return type.read(id(), type(), payload());
  }

  /**
   * Returns the state that the last checkpoint kept for the next attempt; empty if there was none.
   * The caller's own copy.
   */
  Optional<byte[]> checkpointed();

  Map<String, String> headers();

  /** Returns the job's concurrency key in its queue, if it was enqueued with one. */
  Optional<String> concurrencyKey();

  /** Returns the job's concurrency key in all queues of the engine, if it was enqueued with one. */
  Optional<String> engineConcurrencyKey();

  /**
   * Returns the number of jobs of the {@link #engineConcurrencyKey()} that may be ready or leased
   * at a time; present if there is such a key. For a key of the job's queue {@link
   * QueueSettings#perKey()} is that number.
   */
  OptionalInt engineConcurrencyMost();

  /**
   * Returns the key whose jobs share one rate limit in all queues, if the job was enqueued with
   * one.
   */
  Optional<String> engineRateKey();

  /** Returns the rate limit of that key; present if there is an {@link #engineRateKey()}. */
  Optional<RateLimit> engineRateLimit();

  /** Returns the number of starts that have counted, including the running one. */
  int attempts();

  /** Returns the number of counted starts after which the job is dead: its own, or its queue's. */
  int maxAttempts();

  /** Returns the backoff after a failure: the job's own, or its queue's. */
  Backoff backoff();

  Instant enqueuedAt();

  /**
   * Returns the instant when a delayed job will be ready: the instant that it was given, or the end
   * of the delay that it was given. A delay runs on the monotonic clock. If the wall clock is set
   * while the job waits, the job waits neither longer nor shorter, and this instant moves along
   * with the wall clock as far as engine time does. The value is as of the newest commit.
   */
  Optional<Instant> visibleAt();

  /** Returns the error of the last counted attempt. */
  Optional<String> lastError();

  /** Returns the signal that a job in the state WAITING waits for. */
  default Optional<SignalWait> signalWait() {
    return Optional.empty();
  }

  /** Returns the batch for which a job in the state WAITING waits. */
  Optional<BatchId> waitsForBatch();

  /** Returns the batch that the job is one of. */
  Optional<BatchId> batch();

  /** Returns the instant when a dead job died. */
  Optional<Instant> diedAt();

  /** Returns the lease on the job, if it is leased. */
  Optional<Running> lease();

  /** Returns the instant when the job was completed, if it is kept for its result. */
  Optional<Instant> completedAt();

  /**
   * Returns the result that the job was completed with, at most {@value Limits#RESULT_BYTES_MAX}
   * bytes; empty if there is none. The caller's own copy.
   */
  Optional<byte[]> result();

  /**
   * Returns the instant when the job will be removed: at the end of its time to live if it has not
   * been started, or of its retention if it is dead or done. Both are lengths of time, so that this
   * instant moves with the wall clock as {@link #visibleAt} does.
   */
  Optional<Instant> expiresAt();

  /**
   * Returns the newest finished attempts of the job's whole life, the oldest of them first, at most
   * {@value Limits#HISTORY_COUNT_MAX}. Only results about one job have a history; the jobs of a
   * page do not.
   */
  List<FinishedAttempt> history();

  /**
   * A lease as it is stored.
   *
   * @param token the lease's number
   * @param worker the worker that claimed the job
   * @param startedAt when the job was claimed
   * @param cancelRequested whether the job was asked to be cancelled
   */
  record Running(long token, String worker, Instant startedAt, boolean cancelRequested) {

    /** Creates a lease on a job that was not asked to be cancelled. */
    public Running(long token, String worker, Instant startedAt) {
      this(token, worker, startedAt, false);
    }
  }
}
