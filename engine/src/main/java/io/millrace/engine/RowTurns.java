package io.millrace.engine;

import io.millrace.calls.TransactionRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which transactions get at rows where they are in each other's way. Any thread.
 *
 * <p>A transaction that meets no other takes no turn. One that lost a row to another takes, before
 * its next try, the turns of all rows that it has read so far. One that comes, to read or to write,
 * to a row that others are at takes the turn of that row, too. Turns are had in the order in which
 * they were asked for, so that each transaction that has lost comes next in time. They are given
 * back when the transaction has been handed in: the next goes by what it {@link ExpectedRows will
 * leave} there.
 *
 * <p>No circle of waiters can come to be, for turns are taken one by one in the order of their
 * numbers: a transaction that holds some waits for no lower one. All of this only spares tries, for
 * the truth is found out at the commit: a transaction that has waited for a second in one try, at
 * whatever rows, goes on without turns.
 */
final class RowTurns {

  private static final int TURN_COUNT = 256;
  private static final long WAIT_MAX_NS = TimeUnit.SECONDS.toNanos(1);

  /** The turns by number. Rows share turns: by chance one waits for another row's. */
  private final ReentrantLock[] turns =
      Stream.generate(() -> new ReentrantLock(true))
          .limit(TURN_COUNT)
          .toArray(ReentrantLock[]::new);

  private final ExpectedRows expected = new ExpectedRows();

  /** The turns of one transaction, over all of its tries. Belongs to the transaction's thread. */
  final class Taken implements TransactionRows.Others {

    private final TreeSet<Integer> wanted = new TreeSet<>();
    private final ArrayList<ReentrantLock> held = new ArrayList<>(0);
    private ExpectedRows.Try now = expected.begin();
    private int highest;
    private boolean hasLost;
    private long waitLeftNs;

    /**
     * Begins a try. A transaction that has lost a row waits for the turns that it wants and does
     * not hold yet.
     */
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
     * Takes the turn of a row that is about to be read for the first time in this try, if others
     * are at the row. Returns the value to go by in place of the stored one; null if no try is
     * about to change the row.
     */
    @Override
    public @Nullable Optional<byte[]> beforeRead(String table, byte[] key) {
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

    /**
     * Takes the turn of a row that is about to be written; one that was read before has had its
     * turn.
     */
    @Override
    public void beforeWrite(String table, byte[] key) {
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
     * Notes the value that the try will leave in a row once it is handed in, for those who wait for
     * the turn; null if the value is not known.
     */
    @Override
    public void leave(String table, byte[] key, @Nullable Optional<byte[]> value) {
      if (!held.isEmpty() && turns[number(table, key)].isHeldByCurrentThread()) {
        now.leave(table, key, value);
      }
    }

    /** Waits until it is known whether the values that this try went by have come about. */
    void awaitGonesBy() {
      now.awaitGonesBy(waitLeftNs);
    }

    /** Ends the try that was handed in, which was carried out or was not. */
    void answered(boolean isDone) {
      now.answered(isDone);
    }

    /** Notes that the try was in vain, since another transaction changed a row. */
    void lost() {
      hasLost = true;
    }

    /** Gives all turns back: the try was handed in, or the transaction is over. */
    void end() {
      held.forEach(ReentrantLock::unlock);
      held.clear();
    }
  }

  /** Creates the turns of a transaction that begins: none so far. */
  Taken taken() {
    return new Taken();
  }

  private static int number(String table, byte[] key) {
    int hash = 31 * table.hashCode() + Arrays.hashCode(key);
    return (hash ^ hash >>> 16) & TURN_COUNT - 1;
  }
}
