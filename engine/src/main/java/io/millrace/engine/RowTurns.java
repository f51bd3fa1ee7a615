package io.millrace.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is at rows where transactions get in each other's way. Any thread.
 *
 * <p>A transaction that meets nobody takes no turn. One that lost a row to another takes, before
 * its next try, the turns of all rows that it has read so far; and who comes, to read or to write,
 * to a row that others are at, takes its turn, too. Turns are had in the order in which they were
 * asked for, so that of those that have lost each comes next in time. They are given back when the
 * transaction has been handed in: the next goes by what it {@link ExpectedRows will leave} there.
 *
 * <p>No circle of waiters can come to be, for turns are taken one by one in the order of their
 * numbers: who has some waits for no lower one. All of this only spares tries, for what is true is
 * found out at the commit: who has waited for a second in one try, at whatever rows, goes on
 * without.
 */
final class RowTurns {

  private static final int TURN_COUNT = 256;
  private static final long WAIT_MAX_NS = TimeUnit.SECONDS.toNanos(1);

  /** Rows share turns: by chance one waits for another row's. */
  private final ReentrantLock[] turns =
      Stream.generate(() -> new ReentrantLock(true))
          .limit(TURN_COUNT)
          .toArray(ReentrantLock[]::new);

  private final ExpectedRows expected = new ExpectedRows();

  /** The turns of one transaction, over all of its tries; of its thread. */
  final class Taken {

    private final TreeSet<Integer> wanted = new TreeSet<>();
    private final ArrayList<ReentrantLock> held = new ArrayList<>(0);
    private ExpectedRows.Try now = expected.begin();
    private int highest;
    private boolean hasLost;
    private long waitLeftNs;

    /** A try begins: who has lost waits for what is wanted and not held yet. */
    void begin() {
      waitLeftNs = WAIT_MAX_NS;
      now = expected.begin();
      if (hasLost && held.size() < wanted.size()) {
        end();
        for (int number : wanted) {
          if (!isTaken(number)) {
            return;
          }
        }
      }
    }

    /**
     * A row is about to be read for the first time in this try. Answers what to go by in place of
     * what is stored; null if nobody is about to change it.
     */
    @Nullable Optional<byte[]> beforeRead(String table, byte[] key) {
      int number = number(table, key);
      wanted.add(number);
      come(number, table, key);
      if (expected.isEmpty()) {
        return null;
      }
      long beganNs = System.nanoTime();
      Optional<byte[]> found = now.find(table, key, waitLeftNs);
      waitLeftNs -= System.nanoTime() - beganNs;
      return found;
    }

    /** A row is about to be written; one that was read before has had its turn. */
    void beforeWrite(String table, byte[] key) {
      int number = number(table, key);
      if (!wanted.contains(number)) {
        come(number, table, key);
      }
    }

    private void come(int number, String table, byte[] key) {
      boolean mayWait = held.isEmpty() || number > highest;
      if (mayWait && (turns[number].isLocked() || now.isExpected(table, key))) {
        isTaken(number);
      }
    }

    private boolean isTaken(int number) {
      // Nothing may come between having a turn and knowing that it is to be given back.
      held.ensureCapacity(held.size() + 1);
      boolean isTaken = isLockedInTime(turns[number]);
      if (isTaken) {
        held.add(turns[number]);
        highest = number;
      }
      return isTaken;
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

    /**
     * Notes what the try will leave in a row once it is handed in; null if it cannot tell what. Who
     * waits for this one's turn goes by it.
     */
    void leave(String table, byte[] key, @Nullable Optional<byte[]> value) {
      if (!held.isEmpty() && turns[number(table, key)].isHeldByCurrentThread()) {
        now.leave(table, key, value);
      }
    }

    /** Waits until it is known whether what this try went by has come about. */
    void awaitGonesBy() {
      now.awaitGonesBy(waitLeftNs);
    }

    /** The try that was handed in was carried out, or was not. */
    void answered(boolean isDone) {
      now.answered(isDone);
    }

    /** The try was in vain, since a row was changed by another. */
    void lost() {
      hasLost = true;
    }

    /** The try was handed in, or the transaction is over. */
    void end() {
      held.forEach(ReentrantLock::unlock);
      held.clear();
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
