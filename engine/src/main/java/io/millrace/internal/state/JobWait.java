package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEnd;
import io.millrace.internal.format.JobAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's wait for the end of a job.
 *
 * <p>It is over once its future is completed, by whomever: the engine, or whoever holds it and has
 * given up. All else belongs to the commit loop.
 */
public final class JobWait {

  private static final byte[] NO_RESULT = {};

  /** What is told when it ends. */
  record End(
      @Nullable JobEnd<byte[]> known,
      @Nullable RuntimeException failure,
      long commit,
      Durability level) {}

  private final CompletableFuture<JobEnd<byte[]>> future = new CompletableFuture<>();
  private @Nullable JobAddress job;
  private @Nullable JobWait newer;
  private @Nullable JobWait older;
  private @Nullable JobWait abandonedBefore;
  private @Nullable End end;
  private boolean isTold;

  /** Completed with the job's end. */
  public CompletableFuture<JobEnd<byte[]>> future() {
    return future;
  }

  /** Whether nobody waits any more. */
  boolean isOver() {
    return future.isDone();
  }

  /** The job; set when the wait begins. */
  JobAddress job() {
    return Objects.requireNonNull(job, "a wait that has begun has a job");
  }

  boolean hasBegun() {
    return job != null;
  }

  void setJob(JobAddress value) {
    job = value;
  }

  /** The wait for the same job that began after this one, or null. */
  @Nullable JobWait newer() {
    return newer;
  }

  void setNewer(@Nullable JobWait value) {
    newer = value;
  }

  /** The wait for the same job that began before this one, or null. */
  @Nullable JobWait older() {
    return older;
  }

  void setOlder(@Nullable JobWait value) {
    older = value;
  }

  /** The wait that was abandoned before this one; for whoever takes up abandoned ones. */
  @Nullable JobWait abandonedBefore() {
    return abandonedBefore;
  }

  void setAbandonedBefore(@Nullable JobWait value) {
    abandonedBefore = value;
  }

  /** How it ends when the commit is durable, or null. */
  @Nullable End end() {
    return end;
  }

  void setEnd(@Nullable End value) {
    end = value;
  }

  /**
   * Whether somebody has the task of {@linkplain #give giving} the end; for the loop, and for
   * whoever sees the future completed by that.
   */
  public boolean isTold() {
    return isTold;
  }

  void setTold() {
    isTold = true;
  }

  /** Completes the future, which runs code of users: not on the loop. */
  public void give() {
    End given = Objects.requireNonNull(end, "a wait that is given its end has one");
    if (given.known != null) {
      future.complete(own(given.known));
    } else {
      future.completeExceptionally(Objects.requireNonNull(given.failure, "failure"));
    }
  }

  /** Each who waits may do with the result what he likes. */
  private static JobEnd<byte[]> own(JobEnd<byte[]> end) {
    return end instanceof JobEnd.Completed<byte[]> completed && completed.result().length > 0
        ? new JobEnd.Completed<>(completed.result().clone())
        : end;
  }

  /** The end of a job that was completed. */
  public static JobEnd<byte[]> completed(byte @Nullable [] result) {
    return new JobEnd.Completed<>(result == null ? NO_RESULT : result);
  }

  /** The end of a job that is a dead letter. */
  public static JobEnd<byte[]> died(@Nullable String error, int attempts) {
    return new JobEnd.Died<>(error == null ? "" : error, attempts);
  }
}
