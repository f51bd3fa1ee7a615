package io.millrace.worker;

import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.api.TransactionResult;
import io.millrace.api.WaitResult;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The ways in which a job's lease is ended after its handler has. Each may be carried out again if
 * nobody knows whether the first try succeeded: the lease is ended once.
 */
final class Endings {

  /** The time for which a job rests that is handed back because its handler threw. */
  static final Duration HAND_BACK = Duration.ofSeconds(1);

  /** The ending of a job that its handler has completed already: nothing is left to be done. */
  static final Supplier<CompletableFuture<Outcome>> COMPLETED =
      () -> CompletableFuture.completedFuture(Outcome.COMPLETED);

  private Endings() {}

  /**
   * Returns the ending that the handler's answer asks for.
   *
   * @param retry gives the options of the next attempt, if the answer is to retry without a delay
   *     of its own, or if the job that is to follow is refused
   */
  static Supplier<CompletableFuture<Outcome>> next(
      JobQueues queues, Lease lease, Next next, Supplier<FailOptions> retry) {
    if (next instanceof Next.Done done) {
      return () -> completed(lease, done);
    }
    if (next instanceof Next.Then<?> then) {
      return () -> CompletableFuture.completedFuture(followed(queues, lease, then, retry));
    }
    if (next instanceof Next.Snooze snooze) {
      return () -> snoozed(lease.snooze(snooze.time()));
    }
    if (next instanceof Next.SnoozeUntil snooze) {
      return () -> snoozed(lease.snooze(snooze.until()));
    }
    if (next instanceof Next.WaitFor wait) {
      return () ->
          wait.most()
              .map(most -> lease.waitForAsync(wait.signal(), most))
              .orElseGet(() -> lease.waitForAsync(wait.signal()))
              .thenApply(Endings::waiting);
    }
    if (next instanceof Next.WaitForBatch wait) {
      return () -> lease.waitForAsync(wait.batch()).thenApply(Endings::waiting);
    }
    if (next instanceof Next.Retry said) {
      return failed(lease, said.reason(), said.delay().map(RetryTimes::after).orElseGet(retry));
    }
    return failed(lease, ((Next.Dead) next).reason(), FailOptions.PERMANENT);
  }

  /** Returns the ending that fails the attempt. */
  static Supplier<CompletableFuture<Outcome>> failed(Lease lease, String error, FailOptions how) {
    return () -> lease.failAsync(error, how).thenApply(Endings::failed);
  }

  /** Returns the ending that hands the job back to its old place. */
  static Supplier<CompletableFuture<Outcome>> released(Lease lease) {
    return () -> lease.releaseAsync().thenApply(result -> handedBack(result, Outcome.RELEASED));
  }

  /**
   * Returns the ending that hands the job back for a while. The next attempt is told again what
   * woke the job.
   */
  static Supplier<CompletableFuture<Outcome>> released(Lease lease, Duration rest) {
    return () -> lease.releaseAsync(rest).thenApply(result -> handedBack(result, Outcome.RELEASED));
  }

  private static CompletableFuture<Outcome> completed(Lease lease, Next.Done done) {
    return done.result()
        .map(lease::completeAsync)
        .orElseGet(lease::completeAsync)
        .thenApply(result -> result.isDone() ? Outcome.COMPLETED : Outcome.LOST);
  }

  private static <T> Outcome followed(
      JobQueues queues, Lease lease, Next.Then<T> then, Supplier<FailOptions> retry) {
    TransactionResult<?> result =
        queues.transact(
            tx -> {
              tx.complete(lease);
              return tx.enqueue(then.type(), then.payload(), then.options());
            });
    if (result instanceof TransactionResult.StaleLease) {
      return Outcome.LOST;
    }
    if (result instanceof TransactionResult.Refused<?> refused) {
      return failed(lease.fail("the next job was refused: " + refused.why(), retry.get()));
    }
    result.orThrow();
    return Outcome.COMPLETED;
  }

  private static CompletableFuture<Outcome> snoozed(ReleaseResult result) {
    return CompletableFuture.completedFuture(handedBack(result, Outcome.SNOOZED));
  }

  /**
   * Returns the outcome of a job that was to be handed back.
   *
   * @param outcome the outcome if the release succeeded
   */
  static Outcome handedBack(ReleaseResult result, Outcome outcome) {
    return switch (result) {
      case RELEASED -> outcome;
      case CANCELLED -> Outcome.CANCELLED;
      default -> Outcome.LOST;
    };
  }

  private static Outcome waiting(WaitResult result) {
    return switch (result) {
      case CANCELLED -> Outcome.CANCELLED;
      case STALE_LEASE, GONE -> Outcome.LOST;
      default -> Outcome.WAITED;
    };
  }

  /** Returns the outcome of a job whose attempt failed. */
  static Outcome failed(FailResult result) {
    if (result instanceof FailResult.Retried) {
      return Outcome.RETRIED;
    }
    if (result instanceof FailResult.Died) {
      return Outcome.DIED;
    }
    return result instanceof FailResult.Cancelled ? Outcome.CANCELLED : Outcome.LOST;
  }
}
