package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEnd;
import io.millrace.internal.format.JobAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A caller's wait for the end of a job.
 *
 * <p>The wait is over once its future is completed, by the engine or by a caller that gives up. All
 * else belongs to the commit loop.
 */
public final class JobWait {

  private static final byte[] NO_RESULT = {};

  /**
   * The end that the caller is told, or the failure, once the commit is as durable as the level
   * says.
   */
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

  /** Returns the future that is completed with the job's end. */
  public CompletableFuture<JobEnd<byte[]>> future() {
    return future;
  }

  /** Tells whether the wait is over: nobody waits any more. */
  boolean isOver() {
    return future.isDone();
  }

  /** Returns the job; set when the wait begins. */
  JobAddress job() {
    return Objects.requireNonNull(job, "a wait that has begun has a job");
  }

  boolean hasBegun() {
    return job != null;
  }

  void setJob(JobAddress value) {
    job = value;
  }

  /** Returns the wait for the same job that began after this one, or null. */
  @Nullable JobWait newer() {
    return newer;
  }

  void setNewer(@Nullable JobWait value) {
    newer = value;
  }

  /** Returns the wait for the same job that began before this one, or null. */
  @Nullable JobWait older() {
    return older;
  }

  void setOlder(@Nullable JobWait value) {
    older = value;
  }

  /**
   * Returns the wait that was abandoned before this one, for the loop, which takes abandoned waits
   * up.
   */
  @Nullable JobWait abandonedBefore() {
    return abandonedBefore;
  }

  void setAbandonedBefore(@Nullable JobWait value) {
    abandonedBefore = value;
  }

  /** Returns the end that is told once its commit is durable; null while the job has not ended. */
  @Nullable End end() {
    return end;
  }

  void setEnd(@Nullable End value) {
    end = value;
  }

  /**
   * Tells whether somebody has the task of {@linkplain #give giving} the end. For the loop, and for
   * a thread that has seen the future completed by that.
   */
  public boolean isTold() {
    return isTold;
  }

  void setTold() {
    isTold = true;
  }

  /** Completes the future. That runs code of users and must not be done on the loop. */
  public void give() {
    End given = Objects.requireNonNull(end, "a wait that is given its end has one");
    if (given.known != null) {
      future.complete(own(given.known));
    } else {
      future.completeExceptionally(Objects.requireNonNull(given.failure, "failure"));
    }
  }

  /** Returns the end with a result of its own, which its caller may change. */
  private static JobEnd<byte[]> own(JobEnd<byte[]> end) {
    return end instanceof JobEnd.Completed<byte[]> completed && completed.result().length > 0
        ? new JobEnd.Completed<>(completed.result().clone())
        : end;
  }

  /** Returns the end of a job that was completed; a null result becomes an empty one. */
  public static JobEnd<byte[]> completed(byte @Nullable [] result) {
    return new JobEnd.Completed<>(result == null ? NO_RESULT : result);
  }

  /** Returns the end of a job that is a dead letter; a null error becomes an empty one. */
  public static JobEnd<byte[]> died(@Nullable String error, int attempts) {
    return new JobEnd.Died<>(error == null ? "" : error, attempts);
  }
}
