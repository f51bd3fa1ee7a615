package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogKeys;
import io.millrace.internal.format.SlotLogRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.KeyRows;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotLog;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.OpenBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The storing of counts of concurrency keys. A batch that changes few keys of a queue puts their
 * rows. One that changes many adds one row to the queue's log, which holds in place of theirs; by
 * the time that it is the oldest of the log, most of its keys have changed again or are back at
 * what their own rows say, and only the others are put. So a job that lives for a moment costs no
 * row of its key.
 */
public final class SlotRows {

  /** The most changed keys of a queue in a batch that are not worth a row of the log. */
  private static final int FEW = 2;

  private SlotRows() {}

  /**
   * A queue's log as it was read; nothing of it is in memory yet.
   *
   * @param rows by their numbers
   * @param damaged rows that cannot be read, so that their changes are unknown
   */
  record Log(int queue, Map<Long, SlotLogRecord> rows, List<Row> damaged) {

    boolean isDamaged() {
      return !damaged.isEmpty();
    }

    /** Keeps the log in memory; damaged rows are set aside. */
    void keep(OpenBatch batch) {
      SlotTable slots = batch.state().slots();
      SlotLog log = slots.beginLog(queue);
      Map<byte[], SlotEntry> read = new TreeMap<>(Arrays::compareUnsigned);
      SlotLogRecord.logged(List.copyOf(rows.values()))
          .forEach((key, counts) -> read.put(key, slots.addFromLog(key, counts)));
      rows.forEach(
          (number, row) ->
              log.add(
                  number,
                  row.changes().stream().map(change -> read.get(change.slotKey())).toList()));
      for (Row row : damaged) {
        batch.aside(() -> SetAside.row(batch, row.key(), row.value(), "row is damaged"));
      }
    }
  }

  /** Reads the queue's log. */
  static Log readLog(OpenBatch batch, int queue) {
    Log log = new Log(queue, new TreeMap<>(), new ArrayList<>(0));
    batch.scan(
        Keyspace.SLOT.queueStart(queue),
        SlotLogKeys.end(queue),
        (key, value) -> {
          try {
            log.rows.put(SlotLogKeys.number(key), SlotLogRecord.decode(key, value));
          } catch (CorruptDataException e) {
            log.damaged.add(new Row(key, value));
          }
          return true;
        });
    return log;
  }

  /** Stores the counts of keys that the batch has changed. */
  public static void put(OpenBatch batch) {
    assert !batch.state().slots().hasFree() : "a slot was not handed on";
    SlotTable slots = batch.state().slots();
    Map<Integer, List<SlotEntry>> byQueue = new LinkedHashMap<>();
    int queue = -1;
    List<SlotEntry> changed = List.of();
    for (SlotEntry slot : slots.takeChanged()) {
      if (slot.queue() != queue) {
        queue = slot.queue();
        changed = byQueue.computeIfAbsent(queue, first -> new ArrayList<>());
      }
      if (slot.differsFromStored()) {
        changed.add(slot);
      }
    }
    byQueue.forEach((number, ofQueue) -> put(batch, logOf(slots, number), ofQueue));
    // When all is told: what goes of the logs may take the room that is left, and no more.
    byQueue.keySet().forEach(number -> shorten(batch, logOf(slots, number)));
    byQueue.forEach((number, ofQueue) -> tell(batch, logOf(slots, number), ofQueue));
  }

  /** Notes in the queue's counters, which are written after this, whether it has a log. */
  private static void tell(OpenBatch batch, SlotLog log, List<SlotEntry> changed) {
    QueueState queue = batch.state().queue(log.queue());
    if (queue == null) {
      return;
    }
    KeyRows before = queue.keyRows();
    boolean isUntouched = changed.isEmpty() && before == KeyRows.NONE;
    KeyRows rows = log.first() != null ? KeyRows.ANY : isUntouched ? before : KeyRows.OWN;
    if (rows != before) {
      queue.setKeyRows(rows);
      batch.state().markChanged(queue);
    }
  }

  /**
   * Returns the log of a queue of which a key is known, so that its log was read; the engine's keys
   * have none, and get an empty one.
   */
  private static SlotLog logOf(SlotTable slots, int queue) {
    SlotLog log = slots.log(queue);
    return log == null && queue == SlotKeys.ENGINE
        ? slots.beginLog(queue)
        : Objects.requireNonNull(log, "log");
  }

  private static void put(OpenBatch batch, SlotLog log, List<SlotEntry> slots) {
    boolean areFew = slots.size() <= FEW && slots.stream().noneMatch(SlotEntry::isLogged);
    if (areFew || log.queue() == SlotKeys.ENGINE) {
      slots.forEach(slot -> putOwnRow(batch, log, slot));
      return;
    }
    for (int from = 0; from < slots.size(); from += SlotLog.CHANGE_COUNT_MAX) {
      int to = Math.min(slots.size(), from + SlotLog.CHANGE_COUNT_MAX);
      add(batch, log, List.copyOf(slots.subList(from, to)));
    }
  }

  /**
   * Removes the oldest rows of a log that is long or not in use, while there is room: a row that
   * goes may put as many rows as it has keys, though the batch has changed but one.
   */
  private static void shorten(OpenBatch batch, SlotLog log) {
    while ((log.isLong() || !log.isInUse()) && hasRoomToRemove(batch, log.first())) {
      removeFirst(batch, log);
    }
  }

  private static void add(OpenBatch batch, SlotLog log, List<SlotEntry> slots) {
    long number = log.nextNumber(batch.writes().number());
    byte[] key = SlotLogKeys.key(log.queue(), number);
    batch.put(key, SlotLogRecord.encode(key, slots));
    log.add(number, slots);
  }

  private static boolean hasRoomToRemove(OpenBatch batch, SlotLog.@Nullable Logged row) {
    return row != null && batch.hasRoomFor(Cost.SLOT.times(row.slots().size() + 1));
  }

  private static void removeFirst(OpenBatch batch, SlotLog log) {
    SlotLog.Logged first = Objects.requireNonNull(log.first(), "first");
    for (SlotEntry slot : first.slots()) {
      if (slot.isLoggedAt(first.number())) {
        putOwnRow(batch, log, slot);
      }
    }
    batch.delete(SlotLogKeys.key(log.queue(), first.number()));
    log.removeFirst();
  }

  private static void putOwnRow(OpenBatch batch, SlotLog log, SlotEntry slot) {
    if (slot.differsFromOwnRow()) {
      if (slot.isEmpty()) {
        batch.delete(slot.slotKey());
      } else {
        byte[] key = slot.slotKey();
        batch.put(key, slot.current().encode(key), slot.hasNoOwnRow());
      }
    }
    log.leave(slot);
  }
}
