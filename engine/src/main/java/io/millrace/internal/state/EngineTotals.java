package io.millrace.internal.state;

import io.millrace.api.QueueStats.Total;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * What has happened since the opening, over all queues, and who is told of single jobs. What the
 * batch under way counts is known to others when the batch is in the store. The loop counts, any
 * thread reads; calls of transactions' functions are counted by whoever makes them.
 */
public final class EngineTotals {

  private static final Total[] KINDS = Total.values();
  private static final int SET_ASIDE = KINDS.length;
  private static final int DUPLICATES = SET_ASIDE + 1;
  private static final int ROWS_PUT = SET_ASIDE + 2;
  private static final int ROWS_DELETED = SET_ASIDE + 3;
  private static final int TRANSACTIONS = SET_ASIDE + 4;
  private static final int COUNTERS = SET_ASIDE + 5;

  private final long[] underWay = new long[COUNTERS];
  private final AtomicLongArray committed = new AtomicLongArray(COUNTERS);

  private final LongAdder transactionCalls = new LongAdder();
  private final LongAdder transactionConflicts = new LongAdder();
  private final JobLives lives;

  EngineTotals(JobLives lives) {
    this.lives = lives;
  }

  /** Belongs to the loop, other than the counts. */
  public JobLives lives() {
    return lives;
  }

  void count(Total total) {
    underWay[total.ordinal()]++;
  }

  /** A corrupt row is set aside. */
  public void countSetAside() {
    underWay[SET_ASIDE]++;
  }

  /** An enqueue is answered with the job that holds its unique key. */
  public void countDuplicate() {
    underWay[DUPLICATES]++;
  }

  /** A row of a user's table is put. */
  public void countRowPut() {
    underWay[ROWS_PUT]++;
  }

  /** A row of a user's table is deleted. */
  public void countRowDeleted() {
    underWay[ROWS_DELETED]++;
  }

  /** A transaction is carried out. */
  public void countTransaction() {
    underWay[TRANSACTIONS]++;
  }

  /** The function of a transaction is called. Any thread. */
  public void countTransactionCall() {
    transactionCalls.increment();
  }

  /** A call was in vain, for another had changed a row that the function read. Any thread. */
  public void countTransactionConflict() {
    transactionConflicts.increment();
  }

  void beginBatch() {
    lives.beginBatch();
  }

  /** The batch is in the store. */
  public void commitBatch() {
    lives.commitBatch();
    for (int i = 0; i < underWay.length; i++) {
      if (underWay[i] != 0) {
        committed.lazySet(i, committed.getPlain(i) + underWay[i]);
        underWay[i] = 0;
      }
    }
  }

  /** The batch never happened. */
  void undoBatch() {
    lives.undoBatch();
    Arrays.fill(underWay, 0);
  }

  public Map<Total, Long> operations() {
    Map<Total, Long> operations = new EnumMap<>(Total.class);
    for (Total kind : KINDS) {
      operations.put(kind, committed.get(kind.ordinal()));
    }
    return operations;
  }

  public long setAsideCount() {
    return committed.get(SET_ASIDE);
  }

  public long duplicateCount() {
    return committed.get(DUPLICATES);
  }

  public long rowsPutCount() {
    return committed.get(ROWS_PUT);
  }

  public long rowsDeletedCount() {
    return committed.get(ROWS_DELETED);
  }

  public long transactionCount() {
    return committed.get(TRANSACTIONS);
  }

  public long transactionCallCount() {
    return transactionCalls.sum();
  }

  public long transactionConflictCount() {
    return transactionConflicts.sum();
  }
}
