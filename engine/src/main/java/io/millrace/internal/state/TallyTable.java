package io.millrace.internal.state;

import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tallies that were used last, and what the batch under way changes of them. What is not here
 * is read from their rows, and all of it can be dropped between batches. A batch stores its changes
 * once, at its end.
 */
public final class TallyTable {

  /** The most tallies that are kept in memory between batches. */
  private static final int KEPT_COUNT_MAX = 10_000;

  private final int keptCountMax;
  private final Map<Long, TallyEntry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final List<TallyEntry> changed = new ArrayList<>();
  private final List<TallyEntry> touched = new ArrayList<>();

  /** The steady time before which no tally is due; what came before the opening is looked for. */
  private long dueMs;

  /** The steady time before which there are no rows that say that tallies are due. */
  private long dueFromMs;

  /** The places where removals of results go on, by the numbers of their tallies. */
  private final Map<Long, byte[]> resultsFrom = new HashMap<>();

  /**
   * The steady time before which nothing is counted anew; what is due at an opening is looked for.
   */
  private long recountMs;

  private byte @Nullable [] damagedKey;

  TallyTable() {
    this(KEPT_COUNT_MAX);
  }

  TallyTable(int keptCountMax) {
    this.keptCountMax = keptCountMax;
  }

  /** Returns the tally if its row was read; else null. */
  public @Nullable TallyEntry find(long number) {
    TallyEntry entry = entries.get(number);
    return entry == null || !entry.isRead() ? null : entry;
  }

  /** Returns the tally of the number, whose row may not have been read. */
  public TallyEntry of(long number) {
    return entries.computeIfAbsent(number, TallyEntry::new);
  }

  /** Begins a tally, which the batch under way stores. */
  public void begin(long number, TallyRecord record) {
    TallyEntry entry = of(number);
    entry.begin(record);
    mark(entry);
  }

  /** Changes what is said of a tally beside its counts; the batch under way stores that. */
  public void change(TallyEntry entry, TallyRecord record) {
    entry.set(record);
    mark(entry);
  }

  /** Changes what is said of a tally that was just looked at; the batch under way stores that. */
  public void store(TallyEntry entry, TallyRecord record) {
    entry.set(record);
    markChanged(entry);
  }

  /** Adds jobs to a count of the tally, or takes some off; the batch under way stores that. */
  public void add(long number, Count to, int count) {
    TallyEntry entry = of(number);
    entry.add(to, count);
    mark(entry);
  }

  /** Notes that a job of the tally joins the queue. */
  public void addQueue(long number, int queue) {
    of(number).addQueue(queue);
  }

  private void markChanged(TallyEntry entry) {
    if (entry.markChanged()) {
      changed.add(entry);
    }
  }

  private void mark(TallyEntry entry) {
    markChanged(entry);
    if (entry.markTouched()) {
      touched.add(entry);
    }
  }

  /** Returns how many tallies have rows that go into the batch under way. */
  public int changedCount() {
    return changed.size();
  }

  /** Tells whether {@link #takeTouched} has any tallies. */
  public boolean hasTouched() {
    return !touched.isEmpty();
  }

  /** Returns the tallies that changed since the last call, and clears their list. */
  public List<TallyEntry> takeTouched() {
    List<TallyEntry> taken = List.copyOf(touched);
    taken.forEach(TallyEntry::markLookedAt);
    touched.clear();
    return taken;
  }

  /** Returns the tallies whose rows go into the batch under way, and clears their list. */
  public List<TallyEntry> takeChanged() {
    List<TallyEntry> taken = List.copyOf(changed);
    changed.clear();
    return taken;
  }

  /**
   * Returns the steady time before which no row says that a tally is due; {@link QueueState#NEVER}
   * if there is none.
   */
  public long dueMs() {
    return dueMs;
  }

  /**
   * Returns the steady time from which on rows say that tallies are due: those before it are gone,
   * and a store may take long to find that out.
   */
  public long dueFromMs() {
    return dueFromMs;
  }

  /** Notes that a tally is due at this steady time. */
  public void noteDue(long steadyMs) {
    dueMs = Math.min(dueMs, steadyMs);
    dueFromMs = Math.min(dueFromMs, steadyMs);
  }

  /** Notes that all tallies were looked at which were due before this steady time. */
  public void lookedAtDue(long steadyMs) {
    dueFromMs = steadyMs;
  }

  /** Returns where the removal of the tally's results goes on; null if it is to begin. */
  public byte @Nullable [] resultsFrom(long number) {
    return resultsFrom.get(number);
  }

  /** Notes where the removal of the tally's results goes on; null if all are removed. */
  public void setResultsFrom(long number, byte @Nullable [] key) {
    if (key == null) {
      resultsFrom.remove(number);
    } else {
      resultsFrom.put(number, key);
    }
  }

  /** Notes that no tally is due before this steady time. */
  public void nextDue(long steadyMs) {
    dueMs = steadyMs;
  }

  /**
   * Returns the steady time before which no tally is counted anew; {@link QueueState#NEVER} if none
   * is to be.
   */
  public long recountMs() {
    return recountMs;
  }

  /** Sets the steady time before which no tally is counted anew. */
  public void nextRecount(long steadyMs) {
    recountMs = steadyMs;
  }

  /** Notes that tallies are to be counted anew, as a row says. */
  public void noteRecount() {
    recountMs = 0;
  }

  /** Returns the damaged row for which a recount waits until it is set aside; null if for none. */
  public byte @Nullable [] damagedKey() {
    return damagedKey;
  }

  /** Sets the damaged row for which a recount waits until it is set aside; null for none. */
  public void waitFor(byte @Nullable [] key) {
    damagedKey = key;
  }

  /** Removes the tally, whose row the batch under way deletes. */
  public void remove(TallyEntry entry) {
    entry.set(null);
  }

  /**
   * Removes the tallies that were not used for longest from memory, since the batch is in the
   * store.
   */
  void commitBatch() {
    Iterator<TallyEntry> eldest = entries.values().iterator();
    for (int excess = entries.size() - keptCountMax; excess > 0; excess--) {
      eldest.next();
      eldest.remove();
    }
  }

  /** Forgets all tallies, for the store is to be asked again. */
  void forget() {
    entries.clear();
    changed.clear();
    touched.clear();
    resultsFrom.clear();
    dueMs = 0;
    dueFromMs = 0;
    recountMs = 0;
    damagedKey = null;
  }
}
