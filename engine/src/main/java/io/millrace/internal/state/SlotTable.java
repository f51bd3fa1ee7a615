package io.millrace.internal.state;

import io.millrace.api.QueueName;
import io.millrace.internal.format.SlotRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency keys that were used last: how many jobs have them ready or leased, and how many
 * blocked. What is not here is read from the SLOT rows, and all of it can be dropped between
 * batches. A batch stores its changes once, at its end.
 */
public final class SlotTable {

  /** The most keys that are kept in memory. */
  private static final int KEPT_COUNT_MAX = 65_536;

  private final int keptCountMax;

  /**
   * The entries, in the order in which they came, or in which {@link #forgetEntries} last spared
   * them.
   */
  private final Map<SlotRef, SlotEntry> entries = new LinkedHashMap<>();

  private final List<SlotEntry> changed = new ArrayList<>();
  private final Set<SlotEntry> free = new LinkedHashSet<>();
  private final Set<SlotEntry> freeOfEngine = new LinkedHashSet<>();
  private final Set<QueueName> raised = new LinkedHashSet<>();
  private final Set<SlotRef> unfinished = new LinkedHashSet<>();
  private final UncountedRecords uncounted = new UncountedRecords();
  private final UncountedRecords uncountedOfEngine = new UncountedRecords();
  private byte @Nullable [] unfinishedFrom;
  private byte @Nullable [] logsFrom;

  /** The entry that was found last, since whoever asks for a key asks for it again. */
  private @Nullable SlotEntry foundLast;

  SlotTable() {
    this(KEPT_COUNT_MAX);
  }

  SlotTable(int keptCountMax) {
    this.keptCountMax = keptCountMax;
  }

  /** Returns the entry of the key; null if the key's row has to be read. */
  public @Nullable SlotEntry find(SlotRef ref) {
    SlotEntry known = ref.found();
    if (known == null) {
      SlotEntry last = foundLast;
      boolean isLast = last != null && Arrays.equals(last.slotKey(), ref.key());
      known = isLast ? last : entries.get(ref);
    }
    if (known != null) {
      known.markUsed(true);
      ref.setFound(known);
      foundLast = known;
    }
    return known;
  }

  /**
   * Adds a key by its row.
   *
   * @param stored the content of the row; without holders if there is no row
   */
  public SlotEntry add(byte[] slotKey, SlotRecord stored) {
    return add(new SlotEntry(slotKey, stored));
  }

  private SlotEntry add(SlotEntry entry) {
    foundLast = null;
    SlotEntry before = entries.put(new SlotRef(entry.slotKey()), entry);
    if (before != null && before != entry) {
      before.markForgotten();
    }
    return entry;
  }

  /** Returns all known keys of the queue. */
  public List<SlotEntry> ofQueue(int queue) {
    List<SlotEntry> found = new ArrayList<>();
    for (SlotEntry entry : entries.values()) {
      if (entry.queue() == queue) {
        found.add(entry);
      }
    }
    return found;
  }

  /**
   * Tells whether the batch under way has changed a key of the queue. If not, the store has a row
   * for each key in use.
   */
  public boolean isChanged(int queue) {
    return changed.stream().anyMatch(entry -> entry.queue() == queue);
  }

  /** Returns the damaged records that the counts of queues' keys leave out. */
  public UncountedRecords uncounted() {
    return uncounted;
  }

  /** Returns the damaged records that the counts of the engine's keys leave out. */
  public UncountedRecords uncountedOfEngine() {
    return uncountedOfEngine;
  }

  /** Sets how many jobs have the key from now on; the batch under way stores that. */
  public void set(SlotEntry entry, int holders, long blocked) {
    assert holders >= 0 && blocked >= 0 : "negative count of a concurrency key";
    entry.set(holders, blocked);
    markChanged(entry);
  }

  private void markChanged(SlotEntry entry) {
    if (entry.markChanged()) {
      changed.add(entry);
    }
  }

  /** Marks a key of which a blocked job may go on: that has to be seen to within this batch. */
  public void markFree(SlotEntry entry) {
    (entry.isOfEngine() ? freeOfEngine : free).add(entry);
  }

  /** Takes {@link #markFree} back, since it has been seen to. */
  public void unmarkFree(SlotEntry entry) {
    (entry.isOfEngine() ? freeOfEngine : free).remove(entry);
  }

  /** Tells whether {@link #takeFree} has any keys. */
  public boolean hasFree() {
    return !free.isEmpty();
  }

  /** Tells whether {@link #takeFreeOfEngine} has any keys. */
  public boolean hasFreeOfEngine() {
    return !freeOfEngine.isEmpty();
  }

  /** Returns the engine's keys of which blocked jobs may go on, and clears their list. */
  public List<SlotEntry> takeFreeOfEngine() {
    List<SlotEntry> taken = List.copyOf(freeOfEngine);
    freeOfEngine.clear();
    return taken;
  }

  /**
   * Sets whether jobs of the engine's key may go on for which this batch has no room. The key's row
   * says so, too. Such keys are seen to one after the other, whatever becomes of the batch.
   */
  public void setUnfinished(SlotEntry entry, boolean isUnfinished) {
    if (isUnfinished) {
      noteUnfinished(entry.slotKey());
    }
    if (isUnfinished != entry.isUnfinished()) {
      entry.setUnfinished(isUnfinished);
      markChanged(entry);
    }
  }

  /** Notes that the row of the engine's key says that jobs may go on. */
  public void noteUnfinished(byte[] slotKey) {
    unfinished.add(new SlotRef(slotKey));
  }

  /** Takes the key off the list of unfinished ones: it needs nothing more. */
  public void endUnfinished(byte[] slotKey) {
    unfinished.remove(new SlotRef(slotKey));
  }

  /** Returns a key of the engine of which jobs may go on, or null. */
  public byte @Nullable [] firstUnfinished() {
    return unfinished.isEmpty() ? null : unfinished.iterator().next().key();
  }

  /**
   * Sets the key from which on rows are yet to be asked whether they are unfinished; null for none.
   */
  public void lookForUnfinished(byte @Nullable [] from) {
    unfinishedFrom = from;
  }

  /** Returns the key from which on rows are yet to be asked; null for none. */
  public byte @Nullable [] unfinishedFrom() {
    return unfinishedFrom;
  }

  /**
   * Sets the key from which on rows of logs are yet to be looked for; null for none. As long as
   * there is such a row no SLOT row of its queue holds.
   */
  public void lookForLogs(byte @Nullable [] from) {
    logsFrom = from;
  }

  /** Returns the key from which on rows of logs are yet to be looked for; null for none. */
  public byte @Nullable [] logsFrom() {
    return logsFrom;
  }

  /** Returns the queues' keys of which blocked jobs may go on, and clears their list. */
  public List<SlotEntry> takeFree() {
    List<SlotEntry> taken = List.copyOf(free);
    free.clear();
    return taken;
  }

  /** Returns for how many keys the batch under way may have to store something. */
  public int changedCount() {
    return changed.size();
  }

  /** Returns the keys that the batch under way has changed, and clears their list. */
  public List<SlotEntry> takeChanged() {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<SlotEntry> taken = List.copyOf(changed);
    taken.forEach(SlotEntry::markUnchanged);
    changed.clear();
    return taken;
  }

  /**
   * Notes that blocked jobs of the queue may go on, since more of a key may be ready or leased than
   * before. Holds until it has been seen to, whatever becomes of the batch.
   */
  public void noteRaised(QueueName queue) {
    raised.add(queue);
  }

  /** Takes the queue off the list of raised ones: it needs nothing more. */
  public void endRaised(QueueName queue) {
    raised.remove(queue);
  }

  /** Returns a queue whose blocked jobs are to be looked through, or null. */
  public @Nullable QueueName firstRaised() {
    return raised.isEmpty() ? null : raised.iterator().next();
  }

  /**
   * Removes the keys that were not used for longest from memory, since the batch is in the store.
   */
  void commitBatch() {
    if (entries.size() > keptCountMax) {
      forgetEntries();
    }
  }

  /**
   * Forgets the first keys. Those that were used since they were last gone over have a second
   * chance.
   */
  private void forgetEntries() {
    foundLast = null;
    List<SlotEntry> kept = new ArrayList<>();
    Iterator<SlotEntry> eldest = entries.values().iterator();
    int excess = entries.size() - keptCountMax;
    while (excess > 0 && eldest.hasNext()) {
      SlotEntry entry = eldest.next();
      eldest.remove();
      if (entry.isUsed()) {
        entry.markUsed(false);
        kept.add(entry);
      } else {
        entry.markForgotten();
        excess--;
      }
    }
    // At the end they are not looked at again until all others were.
    kept.forEach(this::add);
  }

  /** Forgets all keys, for the store is to be asked again. */
  void forget() {
    foundLast = null;
    entries.values().forEach(SlotEntry::markForgotten);
    entries.clear();
    changed.clear();
    free.clear();
    freeOfEngine.clear();
    uncounted.clear();
    uncountedOfEngine.clear();
  }
}
