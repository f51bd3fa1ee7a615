package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The sole right to work on a job for a limited time.
 *
 * <p>Any thread may use it. Closing a lease that was not finished releases it. A lease whose time
 * had passed when an operation was called is stale for that operation, whether another worker holds
 * the job by then or not: the operation changes nothing and says so.
 *
 * <p>Every operation may throw {@link EngineClosedException}, {@link EngineOverloadedException}
 * (nothing happened), {@link OutcomeUnknownException}, or the store's own exceptions. A thread that
 * is interrupted gives up waiting with {@link OutcomeUnknownException} and keeps its interrupt
 * status; its request may still be carried out, or never.
 */
public interface Lease extends AutoCloseable {

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

  String worker();

  int priority();

  int weight();

  /**
   * The job's bytes, or what the last checkpoint put in their place. The caller's own copy: may be
   * changed.
   */
  byte[] payload();

  Map<String, String> headers();

  /** When the job was enqueued. */
  Instant enqueuedAt();

  /** What the attempt before this one failed of. */
  Optional<String> lastError();

  /** How long the lease still lasts; zero when its time has passed. Runs on the monotonic clock. */
  Duration remaining();

  /**
   * Whether somebody asked for the job to be cancelled: stop working on it and end the lease by
   * release or fail, which removes the job; or complete it if it is as good as done. Asks nobody;
   * stays as it was when the lease has ended.
   */
  boolean cancelRequested();

  /** Finishes the job. If its result is to be kept, it is kept with none. */
  CompleteResult complete();

  CompletableFuture<CompleteResult> completeAsync();

  /**
   * Finishes the job with a result, which is kept, together with the job, for as long as the job or
   * its queue says; if neither does, the result is dropped.
   *
   * @param result at most {@value Limits#RESULT_BYTES_MAX} bytes
   */
  CompleteResult complete(byte[] result);

  CompletableFuture<CompleteResult> completeAsync(byte[] result);

  /** Says that the attempt failed; the job is tried again or becomes a dead letter. */
  FailResult fail(String error, FailOptions options);

  /**
   * Says that the attempt failed; the job is tried again after its backoff, if it has attempts
   * left.
   */
  default FailResult fail(String error) {
    return fail(error, FailOptions.RETRY);
  }

  CompletableFuture<FailResult> failAsync(String error, FailOptions options);

  /** Hands the job back to its old place in the queue; the attempt does not count. */
  ReleaseResult release();

  CompletableFuture<ReleaseResult> releaseAsync();

  /** Hands the job back until the given instant; the attempt does not count. */
  ReleaseResult snooze(Instant until);

  /** Hands the job back for the given time; the attempt does not count. */
  ReleaseResult snooze(Duration delay);

  /** Lengthens the lease to {@code now + duration}, if that is later than its end. */
  ExtendResult extend(Duration duration);

  CompletableFuture<ExtendResult> extendAsync(Duration duration);

  /**
   * Replaces the payload that a retry starts from and lengthens the lease by its duration. Headers
   * stay.
   *
   * @param payload at most {@value Limits#PAYLOAD_BYTES_MAX} bytes
   */
  ExtendResult checkpoint(byte[] payload);

  /**
   * Releases the job if none of complete, fail, release or snooze was called. Idempotent, and never
   * throws for a stale lease. A thread that is interrupted releases, too, without waiting for it.
   */
  @Override
  void close();
}
