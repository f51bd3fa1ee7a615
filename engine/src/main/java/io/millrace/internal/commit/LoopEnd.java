package io.millrace.internal.commit;

import io.millrace.api.OutcomeUnknownException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a loop, in steps. Each step is taken, whatever became of those before. A step that
 * somebody waits for is tried until it succeeds or has failed too often. Belongs to the loop's
 * thread, except for {@link #failure()}, which is for threads that have seen the end.
 */
final class LoopEnd {

  private static final int TRY_COUNT_MAX = 100;

  private final Committer committer;
  private final RequestRing ring;
  private final Consumer<RuntimeException> refusal;
  private final CountDownLatch stopped;
  private final RuntimeException unknown =
      new OutcomeUnknownException("engine was closed while the commit was under way");

  private Step next = Step.NOT_BEGUN;
  private int failureCount;
  private @Nullable Throwable failure;

  /** The steps, in their order. */
  private enum Step {
    NOT_BEGUN(Tries.ONE),
    WAKE(Tries.ONE),
    LEAVE(Tries.ONE),
    REFUSE(Tries.MANY),
    CLOSE(Tries.MANY_AFTER_ERRORS),
    TELL(Tries.ONE),
    GAUGES(Tries.ONE),
    END_WAITS(Tries.MANY),
    END_RING(Tries.MANY),
    OVER(Tries.MANY);

    private static final Step[] ALL = values();

    private final Tries tries;

    Step(Tries tries) {
      this.tries = tries;
    }

    Step after() {
      return ALL[Math.min(ordinal() + 1, OVER.ordinal())];
    }

    boolean isTriedAgain(Throwable thrown) {
      return tries == Tries.MANY || (tries == Tries.MANY_AFTER_ERRORS && thrown instanceof Error);
    }
  }

  private enum Tries {
    ONE,
    MANY,
    MANY_AFTER_ERRORS
  }

  /**
   * Creates an end that has not begun.
   *
   * @param refusal refuses, with the given exception, all requests that were taken up and not
   *     answered
   * @param stopped counted down at the end
   */
  LoopEnd(
      Committer committer,
      RequestRing ring,
      Consumer<RuntimeException> refusal,
      CountDownLatch stopped) {
    this.committer = committer;
    this.ring = ring;
    this.refusal = refusal;
    this.stopped = stopped;
  }

  boolean hasBegun() {
    return next != Step.NOT_BEGUN;
  }

  void begin() {
    next = Step.WAKE;
  }

  /** Skips to the last step: there is no open store to leave. */
  void skip() {
    next = Step.OVER;
  }

  /** Returns the first failure of a step, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Takes the next step; returns whether there are more. */
  boolean step() {
    if (next == Step.NOT_BEGUN) {
      begin();
    }
    take(next);
    boolean isMore = next != Step.OVER;
    next = next.after();
    failureCount = 0;
    return isMore;
  }

  /**
   * Takes a step. A switch would need a class of its own, and there may be no memory to load that.
   */
  private void take(Step step) {
    if (step == Step.WAKE) {
      committer.finishWaking();
    } else if (step == Step.LEAVE) {
      committer.leave();
    } else if (step == Step.REFUSE) {
      refusal.accept(unknown);
    } else if (step == Step.CLOSE) {
      committer.closeStore();
    } else if (step == Step.TELL) {
      committer.condition().closed(failure);
    } else if (step == Step.GAUGES) {
      committer.noteGauges();
    } else if (step == Step.END_WAITS) {
      committer.endWaits();
    } else if (step == Step.END_RING) {
      ring.end();
    } else {
      stopped.countDown();
    }
  }

  /** Notes what the step threw. Goes on to the next step unless this one is to be tried again. */
  void failed(Throwable thrown) {
    failureCount++;
    if (failureCount > TRY_COUNT_MAX || !next.isTriedAgain(thrown)) {
      failure = failure == null ? thrown : failure;
      next = next.after();
      failureCount = 0;
    }
  }

  /** Takes all steps that are left. */
  void takeAll() {
    boolean isMore = true;
    while (isMore) {
      try {
        isMore = step();
      } catch (Throwable e) {
        failed(e);
      }
    }
  }
}
