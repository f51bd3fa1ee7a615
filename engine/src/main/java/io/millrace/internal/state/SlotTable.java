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
 * batches. A batch puts each row that it changes once, at its end.
 */
public final class SlotTable {

  /** Keys that are kept in memory. */
  private static final int KEPT_COUNT_MAX = 65_536;

  private final int keptCountMax;
  private final Map<Key, SlotEntry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final List<SlotEntry> changed = new ArrayList<>();
  private final Set<SlotEntry> free = new LinkedHashSet<>();
  private final Set<QueueName> raised = new LinkedHashSet<>();

  SlotTable() {
    this(KEPT_COUNT_MAX);
  }

  SlotTable(int keptCountMax) {
    this.keptCountMax = keptCountMax;
  }

  /** Key of a SLOT row, equal to another one of the same bytes. */
  private static final class Key {
    private final byte[] bytes;
    private final int hash;

    Key(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** What is known of the row at the key; null if it has to be read. */
  public @Nullable SlotEntry find(byte[] slotKey) {
    return entries.get(new Key(slotKey));
  }

  /**
   * Keeps what was read.
   *
   * @param stored what the row holds; nobody, if there is none
   */
  public SlotEntry add(byte[] slotKey, SlotRecord stored) {
    SlotEntry entry = new SlotEntry(slotKey, stored);
    entries.put(new Key(slotKey), entry);
    return entry;
  }

  /** All that are known of the queue. */
  public List<SlotEntry> ofQueue(int queue) {
    List<SlotEntry> found = new ArrayList<>();
    for (SlotEntry entry : entries.values()) {
      if (entry.queue() == queue) {
        found.add(entry);
      }
    }
    return found;
  }

  /** So many jobs have the key from now on; the row goes with the batch under way. */
  public void set(SlotEntry entry, int holders, long blocked) {
    assert holders >= 0 && blocked >= 0 : "negative count of a concurrency key";
    entry.set(holders, blocked);
    if (entry.markChanged()) {
      changed.add(entry);
    }
  }

  /** A blocked job of the key may go on: somebody is to see to that within this batch. */
  public void markFree(SlotEntry entry) {
    free.add(entry);
  }

  /** Somebody has. */
  public void unmarkFree(SlotEntry entry) {
    free.remove(entry);
  }

  public boolean hasFree() {
    return !free.isEmpty();
  }

  /** Keys with blocked jobs that may go on; clears the list. */
  public List<SlotEntry> takeFree() {
    List<SlotEntry> taken = List.copyOf(free);
    free.clear();
    return taken;
  }

  /** How many rows the batch under way may have to put. */
  public int changedCount() {
    return changed.size();
  }

  /** What was changed by the batch under way; clears the list. */
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
   * Blocked jobs of the queue may go on, since more of a key may be ready or leased than before.
   * Holds until somebody has seen to it, whatever becomes of the batch.
   */
  public void noteRaised(QueueName queue) {
    raised.add(queue);
  }

  /** Nothing more is to be done about that. */
  public void endRaised(QueueName queue) {
    raised.remove(queue);
  }

  /** A queue whose blocked jobs are to be looked through, or null. */
  public @Nullable QueueName firstRaised() {
    return raised.isEmpty() ? null : raised.iterator().next();
  }

  /** The batch is in the store: those that were not used for longest leave memory. */
  void commitBatch() {
    Iterator<SlotEntry> eldest = entries.values().iterator();
    for (int i = entries.size(); i > keptCountMax; i--) {
      eldest.next();
      eldest.remove();
    }
  }

  /** The store is to be asked again. */
  void forget() {
    entries.clear();
    changed.clear();
    free.clear();
  }
}
