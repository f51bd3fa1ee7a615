package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The answers that the user's executor was given and has not begun. An executor that refuses an
 * answer throws. One that drops its tasks, or was shut down with them, shows that only by not
 * beginning them.
 *
 * <p>Belongs to the {@link AnswerThread}. Needs no memory: the answers are the links.
 */
final class Lent {

  /**
   * The interval between two looks at the answers. An answer that was there at the look before is
   * given on the engine's own thread.
   */
  private static final long LOOK_NS = 10_000_000_000L;

  /** The same interval once the engine is closed. */
  private static final long LAST_LOOK_NS = 1_000_000_000L;

  private static final int SWEEP_COUNT_LEAST = 64;

  private final Executor users;
  private final EngineClock clock;
  private @Nullable Answer first;
  private @Nullable Answer last;
  private int count;
  private int sweepAtCount = SWEEP_COUNT_LEAST;
  private long lookedNs;

  Lent(Executor users, EngineClock clock) {
    this.users = users;
    this.clock = clock;
    this.lookedNs = clock.monotonicNs();
  }

  /** Gives the answer to the executor; returns false if that refuses. */
  boolean isTaken(Answer answer) {
    try {
      users.execute(answer);
    } catch (Throwable e) {
      Answer.log(
          "the executor for futures refused an answer; it is given on the engine's own thread", e);
      return false;
    }
    if (!answer.isBegun()) {
      append(answer);
    }
    return true;
  }

  private void append(Answer answer) {
    if (last == null) {
      first = answer;
    } else {
      last.nextLent = answer;
    }
    last = answer;
    count++;
    if (count >= sweepAtCount) {
      sweep();
      sweepAtCount = Math.max(SWEEP_COUNT_LEAST, 2 * count);
    }
  }

  /** Forgets the answers that are begun. */
  private void sweep() {
    Answer answer = first;
    first = null;
    last = null;
    count = 0;
    while (answer != null) {
      Answer next = answer.nextLent;
      answer.nextLent = null;
      if (!answer.isBegun()) {
        if (last == null) {
          first = answer;
        } else {
          last.nextLent = answer;
        }
        last = answer;
        count++;
      }
      answer = next;
    }
  }

  /**
   * Gives the answers that the executor has had for too long; returns whether it has any others.
   */
  boolean look(boolean isLast) {
    sweep();
    if (first != null && waitNs(isLast) <= 0) {
      lookedNs = clock.monotonicNs();
      giveOverdue();
    }
    return first != null;
  }

  /** Returns the nanoseconds until the next look. */
  long waitNs(boolean isLast) {
    return lookedNs + (isLast ? LAST_LOOK_NS : LOOK_NS) - clock.monotonicNs();
  }

  private void giveOverdue() {
    boolean isTold = false;
    for (Answer answer = first; answer != null; answer = answer.nextLent) {
      if (answer.isLentForLong && !answer.isBegun()) {
        if (!isTold) {
          isTold = true;
          Answer.log(
              "the executor for futures does not begin what it was given; answers are given on the"
                  + " engine's own thread",
              new IllegalStateException("executor: " + users.getClass().getName()));
        }
        answer.run();
      }
      answer.isLentForLong = true;
    }
    sweep();
  }
}
