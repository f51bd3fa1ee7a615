package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency keys of a queue, counted anew from the records of its jobs, when a SLOT row or a
 * record is lost. Reads all of the queue's jobs but those that have ended, keeps a count for each
 * key in use, and changes what is wrong.
 */
final class SlotRecount {

  /** Damaged rows that one recount sets aside: others wait until somebody needs them. */
  private static final int CORRUPT_COUNT_MAX = 1_000;

  private final OpenBatch batch;
  private final QueueState queue;
  private final SlotTable slots;
  private final Map<byte[], SlotRecord> counted = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<byte[], SlotRecord> stored = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Row> corrupt = new ArrayList<>(0);
  private final List<byte[]> passedOver = new ArrayList<>(0);

  /** The queue's log, if it was not in memory. */
  private final SlotRows.@Nullable Log log;

  private SlotRecount(OpenBatch batch, QueueState queue) {
    this.batch = batch;
    this.queue = queue;
    this.slots = batch.state().slots();
    this.log = slots.log(queue.number()) == null ? SlotRows.readLog(batch, queue.number()) : null;
  }

  /** Counts all of the queue, if it has any SLOT row. */
  static void ofAll(OpenBatch batch, QueueState queue) {
    SlotRecount recount = new SlotRecount(batch, queue);
    recount.readRows(null);
    boolean isUsed =
        recount.hasLog()
            || !recount.stored.isEmpty()
            || !recount.corrupt.isEmpty()
            || batch.state().slots().isLoggedOrChanged(queue.number());
    if (isUsed) {
      recount.run();
    }
  }

  private boolean hasLog() {
    return log != null && (log.isDamaged() || !log.rows().isEmpty());
  }

  /** Counts all of the queue. */
  static void all(OpenBatch batch, QueueState queue) {
    SlotRecount recount = new SlotRecount(batch, queue);
    recount.readRows(null);
    recount.run();
  }

  /** Counts all of the queue, and answers what is known of one key then. */
  static SlotEntry of(OpenBatch batch, QueueState queue, byte[] slotKey) {
    SlotRecount recount = new SlotRecount(batch, queue);
    recount.readRows(slotKey);
    recount.run();
    return recount.entry(slotKey);
  }

  private void run() {
    countJobs();
    slots.uncounted().clear(queue.number());
    passedOver.forEach(slots.uncounted()::add);
    // Not before: while jobs cannot be read, what is left of a log must not count as all of it.
    if (log != null) {
      log.keep(batch);
    }
    for (Row row : corrupt) {
      batch.aside(() -> SetAside.row(batch, row.key(), row.value(), "row is damaged"));
      SlotEntry known = slots.find(new SlotRef(row.key()));
      if (known != null) {
        known.forgetStored();
        slots.set(known, known.holders(), known.blocked());
      }
    }
    Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(counted.keySet());
    keys.addAll(stored.keySet());
    slots.ofQueue(queue.number()).forEach(slot -> keys.add(slot.slotKey()));
    for (byte[] key : keys) {
      correct(key, counted.getOrDefault(key, SlotRecord.NOBODY));
    }
  }

  private void correct(byte[] key, SlotRecord right) {
    SlotEntry known = slots.find(new SlotRef(key));
    SlotRecord told = known == null ? stored.getOrDefault(key, SlotRecord.NOBODY) : known.current();
    if (!told.equals(right)) {
      SlotEntry wrong = entry(key);
      wrong.forgetBlocked();
      SlotCounts.set(batch, queue, wrong, right.holders(), right.blocked());
    }
  }

  private SlotEntry entry(byte[] key) {
    SlotEntry known = slots.find(new SlotRef(key));
    return known == null ? slots.add(key, stored.getOrDefault(key, SlotRecord.NOBODY)) : known;
  }

  /** Reads the keys' own rows; what is logged of a key is in memory. */
  private void readRows(byte @Nullable [] wanted) {
    batch.scan(
        SlotLogKeys.end(queue.number()),
        Keyspace.SLOT.queueEnd(queue.number()),
        (key, value) -> {
          try {
            stored.put(key, SlotRecord.decode(key, value));
          } catch (CorruptDataException e) {
            if (corrupt.size() < CORRUPT_COUNT_MAX || Arrays.equals(key, wanted)) {
              corrupt.add(new Row(key, value));
            }
          }
          return true;
        });
  }

  private void countJobs() {
    int number = queue.number();
    SlotKeys.OF_HOLDERS.forEach(this::countHolders);
    batch.scan(
        BlockedKeys.startOfQueueKeys(number),
        Keyspace.BLOCKED.queueEnd(number),
        (key, value) -> {
          if (Keyspace.flaw(key) == null) {
            add(SlotKeys.ofBlocked(key), new SlotRecord(0, 1));
          }
          return true;
        });
  }

  private void countHolders(Keyspace keyspace) {
    batch.scan(
        keyspace.queueStart(queue.number()),
        keyspace.queueEnd(queue.number()),
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(batch, key, value);
          if (job == null) {
            passedOver.add(key);
          }
          byte[] slotKey = job == null ? null : SlotKeys.ofHolder(key, job);
          if (slotKey != null && !SlotKeys.isOfEngine(slotKey)) {
            add(slotKey, new SlotRecord(1, 0));
          }
          return true;
        });
  }

  private void add(byte[] slotKey, SlotRecord more) {
    counted.merge(
        slotKey,
        more,
        (a, b) -> new SlotRecord(a.holders() + b.holders(), a.blocked() + b.blocked()));
  }
}
