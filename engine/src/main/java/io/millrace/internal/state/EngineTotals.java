package io.millrace.internal.state;

import io.millrace.api.QueueStats.Total;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of what has happened since the opening, over all queues, and those who are told of
 * single jobs. What the batch under way counts becomes visible when the batch is in the store. The
 * loop counts, any thread reads; calls of transactions' functions are counted by whoever makes
 * them.
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

  /** Returns those who are told of single jobs. They belong to the loop, unlike the counts. */
  public JobLives lives() {
    return lives;
  }

  void count(Total total) {
    underWay[total.ordinal()]++;
  }

  /** Counts a corrupt row that is set aside. */
  public void countSetAside() {
    underWay[SET_ASIDE]++;
  }

  /** Counts an enqueue that is answered with the job that holds its unique key. */
  public void countDuplicate() {
    underWay[DUPLICATES]++;
  }

  /** Counts a row of a user's table that is put. */
  public void countRowPut() {
    underWay[ROWS_PUT]++;
  }

  /** Counts a row of a user's table that is deleted. */
  public void countRowDeleted() {
    underWay[ROWS_DELETED]++;
  }

  /** Counts a transaction that is carried out. */
  public void countTransaction() {
    underWay[TRANSACTIONS]++;
  }

  /** Counts a call of a transaction's function. May be called by any thread. */
  public void countTransactionCall() {
    transactionCalls.increment();
  }

  /**
   * Counts a call of a transaction's function that was in vain, since a row that it had read was
   * changed meanwhile. May be called by any thread.
   */
  public void countTransactionConflict() {
    transactionConflicts.increment();
  }

  void beginBatch() {
    lives.beginBatch();
  }

  /** Makes the counts of the batch visible, which is in the store. */
  public void commitBatch() {
    lives.commitBatch();
    for (int i = 0; i < underWay.length; i++) {
      if (underWay[i] != 0) {
        committed.lazySet(i, committed.getPlain(i) + underWay[i]);
        underWay[i] = 0;
      }
    }
  }

  /** Forgets the counts of the batch, which never happened. */
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
