package io.millrace.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Whose turn it is at rows where transactions get in each other's way. Any thread.
 *
 * <p>A transaction that met nobody takes no turn. One that lost a row to another takes, before its
 * next try, the turns of all rows that it has read so far: in the order in which they were asked
 * for, so that each that has lost comes next in time. Those that come to read such a row for the
 * first time wait until nobody has its turn, and so can no more overtake.
 *
 * <p>No circle of waiters can come to be: turns are taken all at once, in the order of their
 * numbers, and who has some waits for none. All of this only spares tries. What is true is found
 * out at the commit, so that who has waited for too long goes on without.
 */
final class RowTurns {

  private static final int TURN_COUNT = 256;
  private static final long WAIT_MAX_MS = 1_000;

  /** Rows share turns: by chance one waits for another row's. */
  private final ReentrantLock[] turns =
      Stream.generate(() -> new ReentrantLock(true))
          .limit(TURN_COUNT)
          .toArray(ReentrantLock[]::new);

  /** The turns of one transaction, over all of its tries; of its thread. */
  final class Taken {

    private final TreeSet<Integer> wanted = new TreeSet<>();
    private final List<ReentrantLock> held = new ArrayList<>(0);
    private boolean hasLost;

    /** A row is about to be read for the first time in this try. */
    void beforeRead(String table, byte[] key) {
      int number = number(table, key);
      wanted.add(number);
      ReentrantLock turn = turns[number];
      if (held.isEmpty() && turn.isLocked() && isLockedInTime(turn)) {
        turn.unlock();
      }
    }

    /** The try was in vain, since a row was changed by another. */
    void lost() {
      hasLost = true;
    }

    /** Another try begins. */
    void begin() {
      if (hasLost) {
        for (int number : wanted) {
          if (!isLockedInTime(turns[number])) {
            return;
          }
          held.add(turns[number]);
        }
      }
    }

    /** The try is over. */
    void end() {
      held.forEach(ReentrantLock::unlock);
      held.clear();
    }
  }

  /** The turns of a transaction that begins. */
  Taken none() {
    return new Taken();
  }

  private static int number(String table, byte[] key) {
    int hash = 31 * table.hashCode() + Arrays.hashCode(key);
    return (hash ^ hash >>> 16) & TURN_COUNT - 1;
  }

  private static boolean isLockedInTime(ReentrantLock turn) {
    try {
      return turn.tryLock(WAIT_MAX_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
