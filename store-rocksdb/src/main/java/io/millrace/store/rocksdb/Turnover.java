package io.millrace.store.rocksdb;

import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.Watermark;

/**
 * The counts of rows put and deleted since all rows were compacted. They tell whether it is worth
 * compacting again, and how much of what is read would be written again. Not thread-safe: {@link
 * Room} guards it.
 */
final class Turnover {

  /** The part of all rows that must have been touched before it is worth compacting again. */
  private static final int WORTH_FRACTION = 8;

  private long rowCount;
  private long putCount;
  private long deletionCount;
  private boolean isKnown;

  /**
   * Creates the counts of a database just opened, whose rows may be deleted for the most part,
   * unless it is new.
   */
  Turnover(Watermark held) {
    this.isKnown = held.commit() == 0;
  }

  void add(WriteBatch batch) {
    int deletions = 0;
    for (int i = 0, count = batch.size(); i < count; i++) {
      if (batch.value(i) == null) {
        deletions++;
      }
    }
    deletionCount += deletions;
    putCount += batch.size() - deletions;
  }

  boolean isWorthCompacting() {
    return !isKnown || putCount + deletionCount > rowCount / WORTH_FRACTION;
  }

  /** Returns about how many bytes a compaction writes that reads {@code readBytes}. */
  long writtenBytes(long readBytes) {
    if (!isKnown) {
      return readBytes / 2;
    }
    double all = Math.max(1, rowCount + putCount);
    return (long) (readBytes * Math.max(0, all - deletionCount) / all);
  }

  void compacted(long rowCountNow) {
    rowCount = rowCountNow;
    putCount = 0;
    deletionCount = 0;
    isKnown = true;
  }
}
