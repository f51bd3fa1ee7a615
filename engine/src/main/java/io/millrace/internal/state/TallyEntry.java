package io.millrace.internal.state;

import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tally in use: its row as it was before the batch under way, and what the batch has changed.
 * Counts may change before the row was read.
 */
public final class TallyEntry {

  private final long number;
  private boolean isRead;
  private @Nullable TallyRecord record;
  private boolean hasMore;
  private long[] more = TallyRecord.noCounts();
  private List<Integer> newQueues = List.of();
  private boolean isChanged;
  private boolean isTouched;

  TallyEntry(long number) {
    this.number = number;
  }

  public long number() {
    return number;
  }

  /** Tells whether the row was read; if not, nothing but {@link #add} may be asked for. */
  public boolean isRead() {
    return isRead;
  }

  /** Sets the tally as the store has it, or is to have it; null for none. */
  public void set(@Nullable TallyRecord value) {
    isRead = true;
    record = value;
  }

  /** Begins the tally anew, whatever was counted of one of its number that had no row. */
  void begin(TallyRecord value) {
    more = TallyRecord.noCounts();
    newQueues = List.of();
    hasMore = false;
    set(value);
  }

  /** Returns the tally with what the batch has changed; null if there is none. */
  public @Nullable TallyRecord record() {
    TallyRecord before = record;
    if (before != null && hasMore) {
      record = before.plus(more, newQueues);
      more = TallyRecord.noCounts();
      newQueues = List.of();
      hasMore = false;
    }
    return record;
  }

  /** Returns how many jobs of the kind there are. */
  public long count(Count of) {
    return (record == null ? 0 : record.count(of)) + more[of.ordinal()];
  }

  /**
   * Tells whether the tally, which may or may not say so yet, is over: no job of it is left, and
   * none will join it.
   */
  public boolean isOver() {
    return record != null && record.is(TallyRecord.SEALED) && count(Count.LEFT) == 0;
  }

  /** Tells whether the tally says that it is over. */
  public boolean saysOver() {
    return record != null && record.overSinceMs() != 0;
  }

  /** Adds jobs to a count, or takes some off. */
  void add(Count to, int count) {
    more[to.ordinal()] += count;
    hasMore = true;
  }

  /** Notes a queue that has a job of the tally. */
  void addQueue(int queue) {
    if (!newQueues.contains(queue)) {
      newQueues = newQueues.isEmpty() ? new ArrayList<>(1) : newQueues;
      newQueues.add(queue);
    }
  }

  /** Marks the entry as changed by the batch, and returns whether it was unchanged before. */
  boolean markChanged() {
    boolean wasChanged = isChanged;
    isChanged = true;
    return !wasChanged;
  }

  /** Notes that the batch under way has the tally's row as it is now. */
  public void markUnchanged() {
    isChanged = false;
  }

  /** Marks the entry as one to be looked at, and returns whether it was not one before. */
  boolean markTouched() {
    boolean wasTouched = isTouched;
    isTouched = true;
    return !wasTouched;
  }

  void markLookedAt() {
    isTouched = false;
  }
}
