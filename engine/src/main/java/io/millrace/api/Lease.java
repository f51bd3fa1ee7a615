package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The sole right to work on a job for a limited time.
 *
 * <p>Any thread may use it. Closing a lease that was not finished fails it, so that a job whose
 * worker throws inside try-with-resources is counted, backs off and keeps a trace of it; {@link
 * #release} hands it back uncounted. A lease whose time had passed when an operation was called is
 * stale for that operation, whether another worker holds the job by then or not: the operation
 * changes nothing and says so.
 *
 * <p>Every operation may throw {@link EngineClosedException}, {@link EngineOverloadedException}
 * (nothing happened), {@link OutcomeUnknownException}, or the store's own exceptions. A thread that
 * is interrupted gives up waiting with {@link OutcomeUnknownException} and keeps its interrupt
 * status; its request may still be carried out, or never.
 */
public interface Lease extends AutoCloseable {

  /** What an attempt failed of whose lease was closed unfinished. */
  String CLOSED_ERROR = "closed without an outcome";

  /**
   * The same lease, but every call through it waits for this level in place of the one that it was
   * claimed with. Finishing either finishes both.
   */
  Lease with(Durability durability);

  JobId jobId();

  QueueName queue();

  /**
   * Rises with every lease granted by the store, also over restarts: hand it to systems that can
   * fence by it.
   */
  long token();

  /** Which counted start of the job this is; the first is 1. */
  int attempt();

  /** How many starts count until the job is dead, as it was when the lease was granted. */
  int maxAttempts();

  /** Whether the job is dead if this attempt fails. */
  default boolean isLastAttempt() {
    return attempt() >= maxAttempts();
  }

  /** What kind of work it is; the queue's name if nothing else was said. */
  String type();

  String worker();

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
    return type.read(jobId(), type(), payload());
  }

  /**
   * What the last checkpoint kept, of this attempt or one before; empty if there was none. The
   * caller's own copy.
   */
  Optional<byte[]> checkpointed();

  Map<String, String> headers();

  /** When the job was enqueued. */
  Instant enqueuedAt();

  /** What the attempt before this one failed of. */
  Optional<String> lastError();

  /** Why this attempt began; with the signal that it waited for, if it did. */
  Wake wake();

  /** How long the lease still lasts; zero when its time has passed. Runs on the monotonic clock. */
  Duration remaining();

  /**
   * Whether somebody asked for the job to be cancelled: stop working on it and end the lease by
   * release or fail, which removes the job; or complete it if it is as good as done. Asks nobody;
   * stays as it was when the lease has ended.
   */
  boolean cancelRequested();

  /** Finishes the job. If its result is to be kept, it is kept with none. */
  @CheckReturnValue
  CompleteResult complete();

  @CheckReturnValue
  CompletableFuture<CompleteResult> completeAsync();

  /**
   * Finishes the job with a result, which is kept, together with the job, for as long as the job or
   * its queue says; if neither does, the result is dropped.
   *
   * @param result at most {@value Limits#RESULT_BYTES_MAX} bytes
   */
  @CheckReturnValue
  CompleteResult complete(byte[] result);

  @CheckReturnValue
  CompletableFuture<CompleteResult> completeAsync(byte[] result);

  /** Says that the attempt failed; the job is tried again or becomes a dead letter. */
  @CheckReturnValue
  FailResult fail(String error, FailOptions options);

  /**
   * Says that the attempt failed; the job is tried again after its backoff, if it has attempts
   * left.
   */
  @CheckReturnValue
  default FailResult fail(String error) {
    return fail(error, FailOptions.RETRY);
  }

  @CheckReturnValue
  CompletableFuture<FailResult> failAsync(String error, FailOptions options);

  /** Hands the job back to its old place in the queue; the attempt does not count. */
  @CheckReturnValue
  ReleaseResult release();

  @CheckReturnValue
  CompletableFuture<ReleaseResult> releaseAsync();

  /**
   * Hands the job back for the given time, for another to begin where this one did: as {@link
   * #release()} it leaves {@link #wake} as it was, which a snooze does not; as a snooze it gives up
   * the job's place, and is counted as one.
   */
  @CheckReturnValue
  ReleaseResult release(Duration rest);

  /** As {@link #release(Duration)}, by future. */
  @CheckReturnValue
  CompletableFuture<ReleaseResult> releaseAsync(Duration rest);

  /** Hands the job back until the given instant; the attempt does not count. */
  @CheckReturnValue
  ReleaseResult snooze(Instant until);

  /** Hands the job back for the given time; the attempt does not count. */
  @CheckReturnValue
  ReleaseResult snooze(Duration delay);

  /**
   * Hands the job back until somebody sends it the signal ({@link JobQueues#signal}, {@link
   * JobQueues#broadcast}), however long that takes: a worker and a slot of its concurrency key are
   * free meanwhile. It then queues like any other, and {@link #wake} of its next lease says why.
   * The attempt does not count, and waking does not either.
   *
   * <p>If the signal has come before, the job goes on at once: the oldest of those of the name that
   * were sent to it alone, else the broadcast that is kept. Each is taken by one wait.
   *
   * @param signal its name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   */
  @CheckReturnValue
  WaitResult waitFor(String signal);

  /**
   * As {@link #waitFor(String)}, but no longer than this: then the job queues like any other, and
   * {@link #wake} says {@link Wake.TimedOut}. A wall clock that is set changes nothing.
   *
   * @param most up to 10 years; with zero the job does not wait, but takes a signal that has come
   */
  @CheckReturnValue
  WaitResult waitFor(String signal, Duration most);

  /** As {@link #waitFor(String, Duration)}, until the instant at the latest. */
  @CheckReturnValue
  WaitResult waitFor(String signal, Instant deadline);

  /** As {@link #waitFor(String)}, by future. */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal);

  /** As {@link #waitFor(String, Duration)}, by future. */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal, Duration most);

  /** As {@link #waitFor(String, Instant)}, by future. */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal, Instant deadline);

  /**
   * The payload of the signal, if it has come: if {@link #wake} tells that it woke this attempt, or
   * one that this retries. Empty if it tells of another signal, or of none.
   */
  default Optional<byte[]> signalled(String signal) {
    return wake()
        .signal()
        .filter(told -> told instanceof Wake.Signalled)
        .map(told -> (Wake.Signalled) told)
        .filter(told -> told.name().equals(signal))
        .map(Wake.Signalled::payload);
  }

  /**
   * As {@link #signalled(String)}, read by the codec.
   *
   * @throws CodecException its bytes are none of the codec's
   */
  default <T> Optional<T> signalled(String signal, Codec<T> codec) {
    return signalled(signal).map(codec::decode);
  }

  /** Whether {@link #wake} tells that the deadline passed before the signal came. */
  default boolean hasTimedOut(String signal) {
    return wake().signal().equals(Optional.of(new Wake.TimedOut(signal)));
  }

  /** Lengthens the lease to {@code now + duration}, if that is later than its end. */
  @CheckReturnValue
  ExtendResult extend(Duration duration);

  @CheckReturnValue
  CompletableFuture<ExtendResult> extendAsync(Duration duration);

  /**
   * Keeps a state that the next attempt can go on from, in place of the one before, and lengthens
   * the lease by its duration. Payload and headers stay as they are.
   *
   * @param state at most {@value Limits#STATE_BYTES_MAX} bytes
   */
  @CheckReturnValue
  ExtendResult checkpoint(byte[] state);

  /**
   * Fails the job with the error {@value #CLOSED_ERROR} if none of complete, fail, release, snooze
   * or waitFor was called: the attempt counts. Idempotent. Throws neither for a lost lease nor if
   * the engine cannot do it now: then the lease ends with its time. A thread that is interrupted
   * does so, too, without waiting for the answer.
   */
  @Override
  void close();
}
