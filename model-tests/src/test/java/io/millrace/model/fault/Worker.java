package io.millrace.model.fault;

import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.model.fault.Ledger.Note;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What a consumer does with a job: works a while, and ends the lease in one of the ways that there
 * are, again and again until it knows how that ended. For one thread.
 */
final class Worker {

  private final Ledger ledger;
  private final Load.Shape shape;
  private final Random random;

  Worker(Ledger ledger, Load.Shape shape, Random random) {
    this.ledger = ledger;
    this.shape = shape;
    this.random = random;
  }

  /** How a lease ended. */
  enum End {
    COMPLETED,
    HANDED_BACK,
    LOST
  }

  /** How the engine answered the end of a lease. */
  private enum Answer {
    DONE,
    STALE,
    GONE
  }

  End work(Lease lease) {
    LockSupport.parkNanos(1 + random.nextLong(shape.holdMax().toNanos()));
    if (random.nextInt(5) == 0 && !isKept(lease)) {
      return End.LOST;
    }
    return switch (random.nextInt(10)) {
      case 0 -> handBack(lease, () -> CallOutcome.by(() -> answer(lease.release())));
      case 1 ->
          handBack(
              lease,
              () -> CallOutcome.byFuture(() -> lease.releaseAsync().thenApply(Worker::answer)));
      case 2 -> handBack(lease, () -> CallOutcome.by(() -> answer(lease.fail("chance"))));
      case 3 ->
          handBack(
              lease,
              () ->
                  CallOutcome.byFuture(
                      () ->
                          lease.failAsync("chance", FailOptions.RETRY).thenApply(Worker::answer)));
      case 4, 5, 6 ->
          complete(
              lease,
              () -> CallOutcome.byFuture(() -> lease.completeAsync().thenApply(Worker::answer)));
      default -> complete(lease, CallOutcome.Kind.NOTHING_HAPPENED);
    };
  }

  /** Lengthens the lease; false if it is over. */
  private boolean isKept(Lease lease) {
    Clock clock = new Clock(lease);
    CallOutcome<ExtendResult> told =
        random.nextBoolean()
            ? CallOutcome.by(() -> lease.extend(shape.lease()))
            : CallOutcome.by(() -> lease.checkpoint(lease.payload()));
    if (told.kind() != CallOutcome.Kind.ANSWER || told.answer() instanceof ExtendResult.Extended) {
      return true;
    }
    ledger.count(Note.STALE);
    clock.requireOver(told, "extend");
    return false;
  }

  /** Completes the job after a first try of which this is known. */
  End complete(Lease lease, CallOutcome.Kind first) {
    return complete(lease, first, () -> CallOutcome.by(() -> answer(lease.complete())));
  }

  private End complete(Lease lease, Supplier<CallOutcome<Answer>> call) {
    return complete(lease, CallOutcome.Kind.NOTHING_HAPPENED, call);
  }

  private End complete(Lease lease, CallOutcome.Kind first, Supplier<CallOutcome<Answer>> call) {
    boolean mayHaveHappened = first == CallOutcome.Kind.UNKNOWN;
    ledger.ending(lease);
    while (true) {
      Clock clock = new Clock(lease);
      CallOutcome<Answer> told = call.get();
      if (told.kind() == CallOutcome.Kind.ANSWER) {
        if (told.answer() == Answer.DONE || (told.answer() == Answer.GONE && mayHaveHappened)) {
          ledger.completed(lease);
          recover(told.answer());
          return End.COMPLETED;
        }
        clock.requireOver(told, "complete");
        ledger.count(Note.STALE);
        return End.LOST;
      }
      mayHaveHappened |= told.kind() == CallOutcome.Kind.UNKNOWN;
      if (isOver(lease, told, mayHaveHappened)) {
        return End.LOST;
      }
    }
  }

  private End handBack(Lease lease, Supplier<CallOutcome<Answer>> call) {
    boolean mayHaveHappened = false;
    ledger.ending(lease);
    while (true) {
      Clock clock = new Clock(lease);
      CallOutcome<Answer> told = call.get();
      if (told.kind() == CallOutcome.Kind.ANSWER) {
        if (told.answer() == Answer.DONE || mayHaveHappened) {
          // Another holder may have completed it meanwhile.
          ledger.count(Note.HANDED_BACK);
          recover(told.answer());
          return End.HANDED_BACK;
        }
        clock.requireOver(told, "handing back");
        ledger.count(Note.STALE);
        return End.LOST;
      }
      mayHaveHappened |= told.kind() == CallOutcome.Kind.UNKNOWN;
      if (isOver(lease, told, mayHaveHappened)) {
        return End.LOST;
      }
    }
  }

  /** Whether there is no use in asking again. */
  private boolean isOver(Lease lease, CallOutcome<Answer> told, boolean mayHaveHappened) {
    if (told.kind() == CallOutcome.Kind.UNKNOWN) {
      ledger.count(Note.UNKNOWN);
    }
    if (!mayHaveHappened) {
      ledger.goesOn(lease);
    }
    Load.pause(1);
    if (told.isClosed()) {
      return true;
    }
    ledger.ending(lease);
    return false;
  }

  private void recover(Answer answer) {
    if (answer != Answer.DONE) {
      ledger.count(Note.RECOVERED);
    }
  }

  private static Answer answer(CompleteResult result) {
    return switch (result) {
      case COMPLETED -> Answer.DONE;
      case STALE_LEASE -> Answer.STALE;
      case GONE -> Answer.GONE;
    };
  }

  private static Answer answer(ReleaseResult result) {
    return switch (result) {
      case RELEASED, CANCELLED -> Answer.DONE;
      case STALE_LEASE -> Answer.STALE;
      case GONE -> Answer.GONE;
    };
  }

  private static Answer answer(FailResult result) {
    if (result instanceof FailResult.StaleLease) {
      return Answer.STALE;
    }
    return result instanceof FailResult.Gone ? Answer.GONE : Answer.DONE;
  }

  /**
   * Watches whether a lease had time left when a request was made: then it must not be told that it
   * is over. A request that took longer to be made proves nothing.
   */
  private final class Clock {
    private final Lease lease;
    private final long leftNs;
    private final long beganNs;

    Clock(Lease lease) {
      this.lease = lease;
      this.beganNs = System.nanoTime();
      this.leftNs = lease.remaining().toNanos();
    }

    void requireOver(CallOutcome<?> told, String what) {
      if (told.submittedNs() - beganNs < leftNs) {
        long leftMs = leftNs / 1_000_000;
        ledger.wrong(what + " answered " + told.answer() + ", " + leftMs + " ms left: " + lease);
      }
    }
  }
}
