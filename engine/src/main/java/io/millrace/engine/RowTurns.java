package io.millrace.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Whose turn it is at rows where transactions get in each other's way. Any thread.
 *
 * <p>A transaction that met nobody takes no turn. One that lost a row to another takes, before its
 * next try, the turns of all rows that it has read so far, and keeps them until it has ended. Who
 * comes to such a row for the first time, to read or to write it, waits until nobody has its turn,
 * and so can no more overtake. Turns are had in the order in which they were asked for, so that of
 * those that have lost each comes next in time.
 *
 * <p>No circle of waiters can come to be: turns are taken one by one in the order of their numbers,
 * and who has some waits for no others at the rows that it comes to. All of this only spares tries,
 * for what is true is found out at the commit: who has waited for a second in one try, at whatever
 * rows, goes on without.
 */
final class RowTurns {

  private static final int TURN_COUNT = 256;
  private static final long WAIT_MAX_NS = TimeUnit.SECONDS.toNanos(1);

  /** Rows share turns: by chance one waits for another row's. */
  private final ReentrantLock[] turns =
      Stream.generate(() -> new ReentrantLock(true))
          .limit(TURN_COUNT)
          .toArray(ReentrantLock[]::new);

  /** The turns of one transaction, over all of its tries; of its thread. */
  final class Taken {

    private final TreeSet<Integer> wanted = new TreeSet<>();
    private final ArrayList<ReentrantLock> held = new ArrayList<>(0);
    private boolean hasLost;
    private long waitLeftNs;

    /** A try begins: who has lost waits for what is wanted and not held yet. */
    void begin() {
      waitLeftNs = WAIT_MAX_NS;
      if (hasLost && held.size() < wanted.size()) {
        take();
      }
    }

    private void take() {
      end();
      // Nothing may come between having a turn and knowing that it is to be given back.
      held.ensureCapacity(wanted.size());
      for (int number : wanted) {
        if (!isLockedInTime(turns[number])) {
          return;
        }
        held.add(turns[number]);
      }
    }

    /** A row is about to be read for the first time in this try. */
    void beforeRead(String table, byte[] key) {
      int number = number(table, key);
      wanted.add(number);
      awaitNobody(turns[number]);
    }

    /** A row is about to be written; one that was read before has had its turn. */
    void beforeWrite(String table, byte[] key) {
      int number = number(table, key);
      if (!wanted.contains(number)) {
        awaitNobody(turns[number]);
      }
    }

    private void awaitNobody(ReentrantLock turn) {
      if (held.isEmpty() && turn.isLocked() && isLockedInTime(turn)) {
        turn.unlock();
      }
    }

    /** The try was in vain, since a row was changed by another. */
    void lost() {
      hasLost = true;
    }

    /** The transaction is over. */
    void end() {
      held.forEach(ReentrantLock::unlock);
      held.clear();
    }

    private boolean isLockedInTime(ReentrantLock turn) {
      long beganNs = System.nanoTime();
      try {
        return turn.tryLock(waitLeftNs, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } finally {
        waitLeftNs -= System.nanoTime() - beganNs;
      }
    }
  }

  /** Turns for a transaction that begins: none so far. */
  Taken taken() {
    return new Taken();
  }

  private static int number(String table, byte[] key) {
    int hash = 31 * table.hashCode() + Arrays.hashCode(key);
    return (hash ^ hash >>> 16) & TURN_COUNT - 1;
  }
}
