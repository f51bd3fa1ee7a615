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
 * <p>Where many want one row, the next need not wait for the commit of the one before: it goes by
 * what that one will leave, and one group carries out both. Whether it came about is found out at
 * the commit, by what the next has read. If it did not, all that go by it fail: these are a chain,
 * of which nobody expects anything any more as soon as one is known to have failed.
 */
final class ExpectedRows {

  private final Map<Row, Left> rows = new ConcurrentHashMap<>();

  /** A row of a table; nobody may change the key. */
  private record Row(String table, ByteBuffer key) {}

  /**
   * The value that a try will leave in a row.
   *
   * @param value what it will hold, empty if it will be no more; null if nobody knows yet
   */
  private record Left(Try by, Row row, @Nullable Optional<byte[]> value) {}

  /** Tries of which each goes by what one before it will leave. */
  private static final class Chain {
    private volatile boolean isBroken;
  }

  /**
   * One call of a transaction's function, until it is known whether what it asked for was carried
   * out. Of the thread that calls it.
   */
  final class Try {

    private final List<Left> left = new ArrayList<>(0);
    private final List<Left> gonesBy = new ArrayList<>(0);
    private final CountDownLatch isAnswered = new CountDownLatch(1);
    private Chain chain = new Chain();

    /** Tells whether somebody is about to change the row. */
    boolean isExpected(String table, byte[] key) {
      return !isEmpty() && rows.containsKey(row(table, key));
    }

    /**
     * Answers what the row will hold, and goes by it from now on; null if nobody will change it, or
     * none can tell how.
     *
     * @param waitNs for how long to wait for who will change it, if he cannot tell how
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

    /** Waits until all have been answered by which this one goes, but no longer than this. */
    void awaitGonesBy(long waitNs) {
      long untilNs = System.nanoTime() + waitNs;
      for (Left one : gonesBy) {
        await(one, untilNs - System.nanoTime());
      }
    }

    /** Notes what it will leave in the row once it is handed in; null if it cannot tell what. */
    void leave(String table, byte[] key, @Nullable Optional<byte[]> value) {
      Left mine = new Left(this, row(table, key), value);
      left.add(mine);
      rows.put(mine.row, mine);
    }

    /** Ends it: it was carried out, or was not, and then neither will be who goes by it. */
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

  /** Tells whether nobody is about to change any row. */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Answers a try that goes by nothing so far. */
  Try begin() {
    return new Try();
  }

  /** Waits until it is known what became of it, or for this long: who goes on too early fails. */
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
