package io.millrace.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The values that rows of users' tables will have when the transactions are carried out that have
 * been handed in and are not answered yet. Any thread.
 *
 * <p>Where many transactions want one row, the next need not wait for the commit of the one before:
 * it goes by the value that that one will leave, and one group carries out both. Whether the value
 * came about is found out at the commit, by what the next has read. If it did not, all transactions
 * that go by it fail: they are a chain, and none of its values is expected any more as soon as one
 * of them is known to have failed.
 */
final class ExpectedRows {

  private final Map<Row, Left> rows = new ConcurrentHashMap<>();

  /** A row of a table; nobody may change the key. */
  private record Row(String table, ByteBuffer key) {}

  /**
   * The value that a try will leave in a row.
   *
   * @param value the value to come, empty if the row will be gone; null if it is not known yet
   */
  private record Left(Try by, Row row, @Nullable Optional<byte[]> value) {}

  /** Tries that depend on each other: each builds on values that one before it will leave. */
  private static final class Chain {
    private volatile boolean isBroken;
  }

  /**
   * A call of a transaction's function, until it is known whether its changes were carried out.
   * Belongs to the thread that calls the function.
   */
  final class Try {

    private final List<Left> left = new ArrayList<>(0);
    private final List<Left> gonesBy = new ArrayList<>(0);
    private final CountDownLatch isAnswered = new CountDownLatch(1);
    private Chain chain = new Chain();

    /** Tells whether a try is about to change the row. */
    boolean isExpected(String table, byte[] key) {
      return !isEmpty() && rows.containsKey(row(table, key));
    }

    /**
     * Returns the value that the row will hold, on which this try builds from now on; null if no
     * try will change the row, or its value to come is not known.
     *
     * @param waitNs how long to wait for the try that will change the row, if the value is not
     *     known
     */
    @Nullable Optional<byte[]> find(String table, byte[] key, long waitNs) {
      Left found = rows.get(row(table, key));
      if (found == null || found.by.chain.isBroken) {
        return null;
      }
      if (found.value == null) {
        await(found, waitNs);
        return null;
      }
      chain = gonesBy.isEmpty() ? found.by.chain : chain;
      gonesBy.add(found);
      return found.value;
    }

    /** Waits until all tries on which this one builds are answered, but no longer than this. */
    void awaitGonesBy(long waitNs) {
      long untilNs = System.nanoTime() + waitNs;
      for (Left one : gonesBy) {
        await(one, untilNs - System.nanoTime());
      }
    }

    /**
     * Notes the value that the row will hold once this try is carried out; null if it is not known.
     */
    void leave(String table, byte[] key, @Nullable Optional<byte[]> value) {
      Left mine = new Left(this, row(table, key), value);
      left.add(mine);
      rows.put(mine.row, mine);
    }

    /** Ends this try. If it was not carried out, neither will be the tries of its chain. */
    void answered(boolean isDone) {
      if (!isDone) {
        chain.isBroken = true;
        gonesBy.forEach(one -> one.by.chain.isBroken = true);
      }
      left.forEach(mine -> rows.remove(mine.row, mine));
      gonesBy.clear(); // or each would keep all before it
      isAnswered.countDown();
    }
  }

  /** Tells whether no try is about to change any row. */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Creates a try that builds on no other so far. */
  Try begin() {
    return new Try();
  }

  /**
   * Waits until it is known what became of the try, or for this long. A try that goes on too early
   * fails.
   */
  private static void await(Left one, long waitNs) {
    try {
      one.by.isAnswered.await(waitNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Row row(String table, byte[] key) {
    return new Row(table, ByteBuffer.wrap(key));
  }
}
