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
 * batches. A batch stores what it changes once, at its end.
 */
public final class SlotTable {

  /** Keys that are kept in memory, beside those that are logged. */
  private static final int KEPT_COUNT_MAX = 65_536;

  /** Queues whose logs are kept in memory: most have an empty one, and few keys. */
  static final int LOG_COUNT_MAX = 16_384;

  private final int keptCountMax;

  /** Those first that came first, or were gone over last without having been used since. */
  private final Map<SlotRef, SlotEntry> entries = new LinkedHashMap<>();

  private final Map<Integer, SlotLog> logs = new LinkedHashMap<>(16, 0.75f, true);
  private final List<SlotEntry> changed = new ArrayList<>();
  private final Set<SlotEntry> free = new LinkedHashSet<>();
  private final Set<SlotEntry> freeOfEngine = new LinkedHashSet<>();
  private final Set<QueueName> raised = new LinkedHashSet<>();
  private final Set<SlotRef> unfinished = new LinkedHashSet<>();
  private final UncountedRecords uncounted = new UncountedRecords();
  private final UncountedRecords uncountedOfEngine = new UncountedRecords();
  private byte @Nullable [] unfinishedFrom;

  /** Who asks for a key asks for it again. */
  private @Nullable SlotEntry foundLast;

  /** Beyond so many keys some are forgotten. */
  private int forgetAbove;

  SlotTable() {
    this(KEPT_COUNT_MAX);
  }

  SlotTable(int keptCountMax) {
    this.keptCountMax = keptCountMax;
    this.forgetAbove = keptCountMax;
  }

  /** What is known of the key; null if the queue's log or the key's row has to be read. */
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

  /** The queue's log; null if it has to be read. */
  public @Nullable SlotLog log(int queue) {
    return logs.get(queue);
  }

  /** The queue's log is read from here on: its rows are to be added. */
  public SlotLog beginLog(int queue) {
    SlotLog log = new SlotLog(queue);
    logs.put(queue, log);
    return log;
  }

  /**
   * Keeps what the key's own row holds; the queue's log is in memory, and says nothing of it.
   *
   * @param stored nobody, if there is no row
   */
  public SlotEntry add(byte[] slotKey, SlotRecord stored) {
    return add(new SlotEntry(slotKey, stored, stored));
  }

  /** Keeps what the queue's log says of a key; what its own row holds is not known. */
  public SlotEntry addFromLog(byte[] slotKey, SlotRecord logged) {
    return add(new SlotEntry(slotKey, logged, null));
  }

  private SlotEntry add(SlotEntry entry) {
    foundLast = null;
    SlotEntry before = entries.put(new SlotRef(entry.slotKey()), entry);
    if (before != null && before != entry) {
      before.markForgotten();
    }
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

  /**
   * Whether a key of the queue is logged, or changed by the batch under way: of the others in use
   * the store has rows.
   */
  public boolean isLoggedOrChanged(int queue) {
    SlotLog log = logs.get(queue);
    return (log != null && log.first() != null)
        || changed.stream().anyMatch(entry -> entry.queue() == queue);
  }

  /** What the counts of queues' keys leave out. */
  public UncountedRecords uncounted() {
    return uncounted;
  }

  /** What the counts of the engine's keys leave out. */
  public UncountedRecords uncountedOfEngine() {
    return uncountedOfEngine;
  }

  /** So many jobs have the key from now on; that is stored with the batch under way. */
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

  /** A blocked job of the key may go on: somebody is to see to that within this batch. */
  public void markFree(SlotEntry entry) {
    (entry.isOfEngine() ? freeOfEngine : free).add(entry);
  }

  /** Somebody has. */
  public void unmarkFree(SlotEntry entry) {
    (entry.isOfEngine() ? freeOfEngine : free).remove(entry);
  }

  /** Whether {@link #takeFree} has any. */
  public boolean hasFree() {
    return !free.isEmpty();
  }

  /** Whether {@link #takeFreeOfEngine} has any. */
  public boolean hasFreeOfEngine() {
    return !freeOfEngine.isEmpty();
  }

  /** As {@link #takeFree}, of keys of the engine. */
  public List<SlotEntry> takeFreeOfEngine() {
    List<SlotEntry> taken = List.copyOf(freeOfEngine);
    freeOfEngine.clear();
    return taken;
  }

  /**
   * Whether jobs of the engine's key may go on for which this batch has no room; its row says so,
   * too. Somebody sees to such keys one after the other, whatever becomes of the batch.
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

  /** The row of the engine's key says that jobs may go on. */
  public void noteUnfinished(byte[] slotKey) {
    unfinished.add(new SlotRef(slotKey));
  }

  /** Nothing more is to be done about that. */
  public void endUnfinished(byte[] slotKey) {
    unfinished.remove(new SlotRef(slotKey));
  }

  /** A key of the engine of which jobs may go on, or null. */
  public byte @Nullable [] firstUnfinished() {
    return unfinished.isEmpty() ? null : unfinished.iterator().next().key();
  }

  /** The rows from this key on are yet to be asked whether they are unfinished; null for none. */
  public void lookForUnfinished(byte @Nullable [] from) {
    unfinishedFrom = from;
  }

  /** Where that goes on; null if it is over. */
  public byte @Nullable [] unfinishedFrom() {
    return unfinishedFrom;
  }

  /** Keys of queues with blocked jobs that may go on; clears the list. */
  public List<SlotEntry> takeFree() {
    List<SlotEntry> taken = List.copyOf(free);
    free.clear();
    return taken;
  }

  /** Of how many keys the batch under way may have to store something. */
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

  /** The batch is in the store: what was not used for longest leaves memory. */
  void commitBatch() {
    if (entries.size() > forgetAbove) {
      forgetEntries();
      // What is logged stayed: it is gone over again when many more have come, not at each commit.
      forgetAbove = Math.min(2 * keptCountMax, entries.size() + keptCountMax / 8);
    }
    if (logs.size() > LOG_COUNT_MAX || entries.size() > 2 * keptCountMax) {
      forgetLogs();
    }
  }

  /** Half of them, so that the keys are gone over once for many. */
  private void forgetLogs() {
    Iterator<SlotLog> eldest = logs.values().iterator();
    for (int i = logs.size() / 2; i > 0; i--) {
      eldest.next();
      eldest.remove();
    }
    entries.values().removeIf(this::forgetsWithLog);
    foundLast = null;
    forgetAbove = keptCountMax;
  }

  private boolean forgetsWithLog(SlotEntry entry) {
    boolean isForgotten = !logs.containsKey(entry.queue());
    if (isForgotten) {
      entry.markForgotten();
    }
    return isForgotten;
  }

  /** Those that were used since they were gone over last have a second chance. */
  private void forgetEntries() {
    foundLast = null;
    List<SlotEntry> kept = new ArrayList<>();
    Iterator<SlotEntry> eldest = entries.values().iterator();
    int excess = entries.size() - keptCountMax;
    while (excess > 0 && eldest.hasNext()) {
      SlotEntry entry = eldest.next();
      eldest.remove();
      if (entry.isUsed() || entry.isLogged()) {
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

  /** The store is to be asked again. */
  void forget() {
    foundLast = null;
    entries.values().forEach(SlotEntry::markForgotten);
    entries.clear();
    logs.clear();
    changed.clear();
    free.clear();
    freeOfEngine.clear();
    uncounted.clear();
    uncountedOfEngine.clear();
    forgetAbove = keptCountMax;
  }
}
