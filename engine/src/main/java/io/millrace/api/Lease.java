package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The sole right to work on a job for a limited time.
 *
 * <p>Any thread may use it. Closing an unfinished lease fails the job. So if a worker throws inside
 * try-with-resources, the attempt counts, the job backs off, and a trace of the failure is kept;
 * {@link #release} hands the job back uncounted. A lease whose time had passed when an operation
 * was called is stale for that operation, whether another worker holds the job by then or not: the
 * operation changes nothing and says so.
 *
 * <p><b>Errors.</b> Every operation may throw the exceptions that those of {@link JobQueue} throw,
 * itself or by its future, which leave behind what is said there. That the lease has ended is no
 * error: the result says so. Only a lease that was named by its token ({@link JobQueues#lease})
 * asks the engine for its job when it is first looked at, by any method but {@link #jobId} and
 * {@link #token}: that throws {@link LeaseLostException} if the lease is not the job's current one,
 * and what every operation throws.
 */
public interface Lease extends AutoCloseable {

  /** The error of an attempt whose lease was closed unfinished. */
  String CLOSED_ERROR = "closed without an outcome";

  /**
   * Returns the same lease with another durability: every call through it waits for this level in
   * place of the one that it was claimed with. Finishing either lease finishes both.
   */
  Lease with(Durability durability);

  JobId jobId();

  QueueName queue();

  /**
   * Returns the lease's number, which rises with every lease granted by the store, even over
   * restarts. Pass it to systems that can fence by it.
   */
  long token();

  /** Returns the number of this start among the job's counted starts; the first is 1. */
  int attempt();

  /**
   * Returns the number of counted starts after which the job is dead, as it was when the lease was
   * granted.
   */
  int maxAttempts();

  /** Tells whether the job is dead if this attempt fails. */
  default boolean isLastAttempt() {
    return attempt() >= maxAttempts();
  }

  /** Returns the kind of work that the job is; the queue's name if no type was set. */
  String type();

  String worker();

  int priority();

  int weight();

  /** Returns the job's payload. The caller's own copy, which may be changed. */
  byte[] payload();

  /**
   * Returns the payload, decoded by the codec of the job's type.
   *
   * @throws IllegalArgumentException the job is of another type
   * @throws CodecException the type's codec does not read the payload
   * @throws LeaseLostException the lease was named by its token, and is not current; see {@link
   *     Lease}
   */
  default <T> T payload(JobType<T> type) {
    return type.read(jobId(), type(), payload());
  }

  /**
   * Returns the state that the last checkpoint kept, in this attempt or one before; empty if there
   * was none. The caller's own copy.
   */
  Optional<byte[]> checkpointed();

  Map<String, String> headers();

  /** Returns the instant when the job was enqueued. */
  Instant enqueuedAt();

  /** Returns the error of the attempt before this one. */
  Optional<String> lastError();

  /** Returns the batch that the job is one of, to which it may add others as long as it runs. */
  Optional<BatchId> batch();

  /** Returns why this attempt began, with the signal if the job waited for one. */
  Wake wake();

  /**
   * Returns how long the lease still lasts; zero when its time has passed. It runs on the monotonic
   * clock.
   */
  Duration remaining();

  /**
   * Tells whether the job was asked to be cancelled. If so, stop working on it and end the lease by
   * release or fail, which removes the job; or complete it if the work is almost done. The call
   * does not ask the engine. After the lease has ended the result no longer changes.
   */
  boolean cancelRequested();

  /**
   * Completes the job. If the job is to be kept for its result, it is kept without one.
   *
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  CompleteResult complete();

  /**
   * Completes the job and returns a future; see {@link #complete()}.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<CompleteResult> completeAsync();

  /**
   * Completes the job with a result. The result is kept, together with the job, for as long as the
   * job or its queue says; if neither does, the result is dropped.
   *
   * @param result at most {@value Limits#RESULT_BYTES_MAX} bytes
   * @throws IllegalArgumentException the result is longer; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  CompleteResult complete(byte[] result);

  /**
   * Completes the job with a result and returns a future; see {@link #complete(byte[])}.
   *
   * @throws IllegalArgumentException as {@link #complete(byte[])}, at once; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<CompleteResult> completeAsync(byte[] result);

  /**
   * Fails the attempt; the job is tried again or becomes a dead letter.
   *
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  FailResult fail(String error, FailOptions options);

  /**
   * Fails the attempt; the job is tried again after its backoff, if it has attempts left.
   *
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  default FailResult fail(String error) {
    return fail(error, FailOptions.RETRY);
  }

  /**
   * Fails the attempt and returns a future; see {@link #fail(String, FailOptions)}.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<FailResult> failAsync(String error, FailOptions options);

  /**
   * Hands the job back to its old place in the queue; the attempt does not count.
   *
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ReleaseResult release();

  /**
   * Hands the job back and returns a future; see {@link #release()}.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ReleaseResult> releaseAsync();

  /**
   * Hands the job back for the given time, so that the next attempt begins as this one did. Like
   * {@link #release()} it leaves {@link #wake} as it was, which a snooze does not. Like a snooze it
   * gives up the job's place, and is counted as one.
   *
   * @throws IllegalArgumentException the time is not from zero to {@link Limits#DELAY_MAX}; nothing
   *     was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ReleaseResult release(Duration rest);

  /**
   * Hands the job back for the given time and returns a future; see {@link #release(Duration)}.
   *
   * @throws IllegalArgumentException as {@link #release(Duration)}, at once; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ReleaseResult> releaseAsync(Duration rest);

  /**
   * Hands the job back until the given instant; the attempt does not count.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ReleaseResult snooze(Instant until);

  /**
   * Hands the job back for the given time; the attempt does not count.
   *
   * @throws IllegalArgumentException the time is not from zero to {@link Limits#DELAY_MAX}; nothing
   *     was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ReleaseResult snooze(Duration delay);

  /**
   * Hands the job back until the instant and returns a future; see {@link #snooze(Instant)}.
   *
   * @throws IllegalArgumentException as {@link #snooze(Instant)}, at once; for errors of the future
   *     see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ReleaseResult> snoozeAsync(Instant until);

  /**
   * Hands the job back for the time and returns a future; see {@link #snooze(Duration)}.
   *
   * @throws IllegalArgumentException as {@link #snooze(Duration)}, at once; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ReleaseResult> snoozeAsync(Duration delay);

  /**
   * Hands the job back until it receives the signal ({@link JobQueues#signal}, {@link
   * JobSignals#broadcast}), however long that takes. Its worker and its slot of a concurrency key
   * are free meanwhile. The job then queues like any other, and {@link #wake} of its next lease
   * gives the reason. Neither the attempt nor the waking counts.
   *
   * <p>If the signal has come before, the job goes on at once. It takes the oldest kept signal of
   * this name that was sent to this job alone, else the broadcast that is kept. Each is taken by
   * one wait.
   *
   * @param signal the signal's name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode; nothing
   *     was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  WaitResult waitFor(String signal);

  /**
   * Hands the job back until it receives the signal, but for no longer than this time; see {@link
   * #waitFor(String)}. After that the job queues like any other, and {@link #wake} is {@link
   * Wake.TimedOut}. Setting the wall clock does not change the wait.
   *
   * @param most up to 10 years; with zero the job does not wait, but takes a signal that has come
   * @throws IllegalArgumentException the name or the time is out of its range, or the name is not
   *     valid Unicode; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  WaitResult waitFor(String signal, Duration most);

  /**
   * Hands the job back until it receives the signal, or until the deadline at the latest; see
   * {@link #waitFor(String, Duration)}.
   *
   * @throws IllegalArgumentException the name is out of its range or is not valid Unicode, or the
   *     instant is not from 1970 to 9999; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  WaitResult waitFor(String signal, Instant deadline);

  /**
   * Hands the job back until the batch is over ({@link BatchStats#isOver}), however its jobs have
   * ended; if it is over already, the job goes on at once. In all else as {@link #waitFor(String)};
   * {@link #wake} is {@link Wake.AfterBatch} then. At most {@value Limits#BATCH_WAITER_COUNT_MAX}
   * jobs wait for one batch.
   *
   * @throws NoSuchBatchException there is no such batch; nothing was changed
   * @throws IllegalArgumentException the job is of the batch itself, or of one within it; or as
   *     many jobs wait for the batch as may; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  WaitResult waitFor(BatchId batch);

  /**
   * Hands the job back until the batch is over, and returns a future; see {@link
   * #waitFor(BatchId)}.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(BatchId batch);

  /**
   * Hands the job back until it receives the signal, and returns a future; see {@link
   * #waitFor(String)}.
   *
   * @throws IllegalArgumentException as {@link #waitFor(String)}, at once; for errors of the future
   *     see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal);

  /**
   * Hands the job back until it receives the signal, and returns a future; see {@link
   * #waitFor(String, Duration)}.
   *
   * @throws IllegalArgumentException as {@link #waitFor(String, Duration)}, at once; for errors of
   *     the future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal, Duration most);

  /**
   * Hands the job back until it receives the signal, and returns a future; see {@link
   * #waitFor(String, Instant)}.
   *
   * @throws IllegalArgumentException as {@link #waitFor(String, Instant)}, at once; for errors of
   *     the future see {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<WaitResult> waitForAsync(String signal, Instant deadline);

  /**
   * Returns the payload of the signal if it woke this attempt, or the attempt that this one
   * retries; see {@link #wake}. Empty if the job was woken by another signal, or by none.
   *
   * @throws LeaseLostException the lease was named by its token, and is not current; see {@link
   *     Lease}
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
   * Returns the payload of the signal, decoded by the codec; see {@link #signalled(String)}.
   *
   * @throws CodecException the codec does not read the payload
   * @throws LeaseLostException the lease was named by its token, and is not current; see {@link
   *     Lease}
   */
  default <T> Optional<T> signalled(String signal, Codec<T> codec) {
    return signalled(signal).map(codec::decode);
  }

  /**
   * Tells whether the deadline passed before this signal came; see {@link #wake}.
   *
   * @throws LeaseLostException the lease was named by its token, and is not current; see {@link
   *     Lease}
   */
  default boolean hasTimedOut(String signal) {
    return wake().signal().equals(Optional.of(new Wake.TimedOut(signal)));
  }

  /**
   * Extends the lease to {@code now + duration}, if that is later than its end.
   *
   * @throws IllegalArgumentException the duration is not from {@link Limits#LEASE_LEAST} to {@link
   *     Limits#LEASE_MAX}; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ExtendResult extend(Duration duration);

  /**
   * Extends the lease and returns a future; see {@link #extend}.
   *
   * @throws IllegalArgumentException as {@link #extend}, at once; for errors of the future see
   *     {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ExtendResult> extendAsync(Duration duration);

  /**
   * Keeps a state that the next attempt can go on from, in place of the one before, and extends the
   * lease by its duration. Payload and headers stay as they are.
   *
   * @param state at most {@value Limits#CHECKPOINT_BYTES_MAX} bytes
   * @throws IllegalArgumentException the state is longer; nothing was changed
   * @throws MillraceException as every operation; see {@link Lease}
   */
  @CheckReturnValue
  ExtendResult checkpoint(byte[] state);

  /**
   * Keeps a state and returns a future; see {@link #checkpoint}.
   *
   * @throws IllegalArgumentException as {@link #checkpoint}, at once; for errors of the future see
   *     {@link Lease}
   */
  @CheckReturnValue
  CompletableFuture<ExtendResult> checkpointAsync(byte[] state);

  /**
   * Fails the job with the error {@value #CLOSED_ERROR} if none of complete, fail, release, snooze
   * or waitFor was called: the attempt counts. Idempotent. Does not throw if the lease is lost, or
   * if the engine cannot fail the job now: then the lease ends with its time. A thread that is
   * interrupted fails the job, too, without waiting for the answer.
   *
   * @throws IllegalStateException inside the function of a transaction; the lease goes on
   */
  @Override
  void close();
}
