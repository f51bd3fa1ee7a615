package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import io.millrace.internal.state.Cost;
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
 * The concurrency keys of a queue, or those of the engine, counted anew from the records of jobs
 * when one of their rows or a record is lost. Keeps a count for each key in use, and changes what
 * is wrong.
 *
 * <p>For a queue all of its jobs are read but those that have ended; for the engine all lines and
 * all blocked jobs. Of the engine's keys turns that do not agree with the records are put right,
 * too. Jobs of a queue that was deleted hold what they hold until their records are gone; those of
 * them that are blocked may have lost their turn before.
 */
public final class SlotRecount {

  /**
   * The most rows of one kind that a recount puts right: others wait until a change needs them. For
   * the key that is needed now there may be as many, beside those of other keys.
   */
  private static final int WRONG_COUNT_MAX = 1_000;

  private final OpenBatch batch;

  /** The queue whose keys are counted; null for those of the engine. */
  private final @Nullable QueueState queue;

  private final int owner;
  private final byte @Nullable [] wanted;
  private final SlotTable slots;
  private final Map<byte[], SlotRecord> counted = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<byte[], SlotRecord> stored = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Row> corrupt = new ArrayList<>(0);
  private final Map<byte[], TurnRecord> missing = new TreeMap<>(Arrays::compareUnsigned);
  private final List<byte[]> wrong = new ArrayList<>(0);
  private final List<byte[]> passedOver = new ArrayList<>(0);
  private final Room corruptRoom = new Room();
  private final Room missingRoom = new Room();
  private final Room wrongRoom = new Room();

  /** The number of rows of one kind that may yet be put right. */
  private final class Room {
    private int ofWanted = WRONG_COUNT_MAX;
    private int ofOthers = WRONG_COUNT_MAX;

    boolean take(byte[] slotKey) {
      return Arrays.equals(slotKey, wanted) ? ofWanted-- > 0 : ofOthers-- > 0;
    }
  }

  private SlotRecount(OpenBatch batch, @Nullable QueueState queue, byte @Nullable [] wanted) {
    this.batch = batch;
    this.queue = queue;
    this.owner = queue == null ? SlotKeys.ENGINE : queue.number();
    this.wanted = wanted;
    this.slots = batch.state().slots();
  }

  /** Counts all keys of the queue, if any is in use. */
  static void ofAll(OpenBatch batch, QueueState queue) {
    if (isInUse(batch, queue.number())) {
      new SlotRecount(batch, queue, null).run();
    }
  }

  /** Counts all keys of the engine, if any is in use. */
  public static void ofEngine(OpenBatch batch) {
    if (isInUse(batch, SlotKeys.ENGINE)) {
      new SlotRecount(batch, null, null).run();
    }
  }

  /**
   * Counts all keys of the queue, and changes as many as there is room for, one at least. Returns
   * whether all are right by now: if not, no key of the queue may be used.
   */
  public static boolean isWhole(OpenBatch batch, QueueState queue) {
    SlotRecount recount = new SlotRecount(batch, queue, null);
    recount.look();
    boolean isFirst = true;
    for (byte[] key : recount.miscounted()) {
      if (!isFirst && !batch.hasRoomToSpare(Cost.SLOT)) {
        return false;
      }
      recount.correct(key);
      isFirst = false;
    }
    return true;
  }

  /**
   * Tells whether a job has a concurrency key of the queue with this number, or of the engine, as
   * far as one row tells.
   */
  public static boolean isInUse(OpenBatch batch, int owner) {
    boolean[] isFound = {batch.state().slots().isChanged(owner)};
    if (!isFound[0]) {
      batch.scan(
          Keyspace.SLOT.queueStart(owner),
          Keyspace.SLOT.queueEnd(owner),
          1,
          (key, value) -> {
            isFound[0] = true;
            return false;
          });
    }
    return isFound[0];
  }

  /**
   * Counts all keys of the queue, or of the engine if the key is one of those, and returns the
   * entry of the one key.
   */
  static SlotEntry of(OpenBatch batch, @Nullable QueueState queue, byte[] slotKey) {
    QueueState ofQueue = SlotKeys.isOfEngine(slotKey) ? null : queue;
    SlotRecount recount = new SlotRecount(batch, ofQueue, slotKey);
    recount.run();
    return recount.entry(slotKey);
  }

  /**
   * Counts all keys of the engine, and puts every row that there should be, after a row of one of
   * them was found missing or was set aside.
   */
  public static void restoreOfEngine(OpenBatch batch, byte[] key) {
    SlotEntry known = batch.state().slots().find(new SlotRef(key));
    if (known != null) {
      known.forgetStored();
      SlotCounts.setOfEngine(batch, known, known.holders(), known.blocked());
    }
    new SlotRecount(batch, null, slotKey(key)).run();
  }

  private void run() {
    look();
    miscounted().forEach(this::correct);
  }

  /** Compares rows and records, and puts right what is wrong but for counts. */
  private void look() {
    readRows();
    countHolders();
    countBlocked();
    notePassedOver();
    corrupt.forEach(this::setAside);
    for (byte[] turn : wrong) {
      SlotEntry slot = entry(TurnKeys.slotKey(turn));
      Turns.remove(batch, slot, turn);
      lookAgain(slot);
    }
    missing.forEach(
        (turn, told) -> {
          SlotEntry slot = entry(TurnKeys.slotKey(turn));
          Turns.add(batch, slot, turn, told, false);
          lookAgain(slot);
        });
  }

  /** Returns the keys whose counts are wrong. */
  private List<byte[]> miscounted() {
    Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(counted.keySet());
    keys.addAll(stored.keySet());
    slots.ofQueue(owner).forEach(slot -> keys.add(slot.slotKey()));
    return keys.stream().filter(key -> !isRight(key)).toList();
  }

  private void correct(byte[] key) {
    set(entry(key), counted.getOrDefault(key, SlotRecord.NOBODY));
  }

  private void notePassedOver() {
    if (queue == null) {
      slots.uncountedOfEngine().clear();
      passedOver.forEach(slots.uncountedOfEngine()::add);
    } else {
      slots.uncounted().clear(owner);
      passedOver.forEach(slots.uncounted()::add);
    }
  }

  private void setAside(Row row) {
    batch.aside(() -> SetAside.row(batch, row.key(), row.value(), "row is damaged"));
    SlotEntry known = slots.find(new SlotRef(row.key()));
    if (known != null) {
      known.forgetStored();
      slots.set(known, known.holders(), known.blocked());
    }
  }

  private boolean isRight(byte[] key) {
    SlotEntry known = slots.find(new SlotRef(key));
    SlotRecord told = known == null ? stored.getOrDefault(key, SlotRecord.NOBODY) : known.current();
    return told.countsAs(counted.getOrDefault(key, SlotRecord.NOBODY));
  }

  /** Lets the key's next turn be looked up anew, for it may be another one than was thought. */
  private void lookAgain(SlotEntry slot) {
    set(slot, slot.current());
  }

  /** Sets the counts of the key, and lets the next of its blocked jobs be looked up anew. */
  private void set(SlotEntry slot, SlotRecord right) {
    if (queue == null) {
      slot.forgetNextTurn();
      SlotCounts.setOfEngine(batch, slot, right.holders(), right.blocked());
    } else {
      slot.forgetBlocked();
      SlotCounts.set(batch, queue, slot, right.holders(), right.blocked());
    }
  }

  private SlotEntry entry(byte[] key) {
    SlotEntry known = slots.find(new SlotRef(key));
    if (known != null) {
      return known;
    }
    SlotEntry added = slots.add(key, stored.getOrDefault(key, SlotRecord.NOBODY));
    if (added.isEmpty()) {
      // There may be a row, damaged or of no job.
      added.forgetStored();
    }
    return added;
  }

  /**
   * Returns the key of the SLOT row for the row at the key, be it a turn or the SLOT row itself.
   */
  private static byte[] slotKey(byte[] key) {
    return TurnKeys.isTurn(key) ? TurnKeys.slotKey(key) : key;
  }

  /** Reads the keys' rows and the turns. */
  private void readRows() {
    batch.scan(
        SlotKeys.logEnd(owner),
        Keyspace.SLOT.queueEnd(owner),
        (key, value) -> {
          try {
            if (TurnKeys.isTurn(key)) {
              checkTurn(key, TurnRecord.decode(key, value));
            } else {
              stored.put(key, SlotRecord.decode(key, value));
            }
          } catch (CorruptDataException e) {
            if (corruptRoom.take(slotKey(key))) {
              corrupt.add(new Row(key, value));
            }
          }
          return true;
        });
  }

  private void checkTurn(byte[] key, TurnRecord told) {
    boolean isRight = batch.get(TurnKeys.blockedKey(key, told.queue())) != null;
    if (!isRight && wrongRoom.take(TurnKeys.slotKey(key))) {
      wrong.add(key);
    }
  }

  private void countHolders() {
    if (queue == null) {
      countHolders(Keyspace.READY.start(), Keyspace.READY.end());
    } else {
      SlotKeys.OF_HOLDERS.forEach(
          keyspace -> countHolders(keyspace.queueStart(owner), keyspace.queueEnd(owner)));
    }
  }

  private void countHolders(byte[] startInclusive, byte[] endExclusive) {
    batch.scan(
        startInclusive,
        endExclusive,
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(batch, key, value);
          if (job == null) {
            passedOver.add(key);
          } else if (job.engineMost() > 0 == (queue == null)) {
            count(key, job);
          }
          return true;
        });
  }

  private void countBlocked() {
    batch.scan(
        queue == null ? Keyspace.BLOCKED.start() : BlockedKeys.startOfQueueKeys(owner),
        queue == null ? Keyspace.BLOCKED.end() : Keyspace.BLOCKED.queueEnd(owner),
        (key, value) -> {
          boolean isOfOwner =
              RowCheck.flaw(key) == null && BlockedKeys.isOfEngine(key) == (queue == null);
          if (isOfOwner && (queue != null || isTurnCounted(key, value))) {
            count(key, null);
          }
          return true;
        });
  }

  /**
   * Tells whether the blocked job counts for the engine's key; if so, notes its turn where that is
   * missing or wrong.
   */
  private boolean isTurnCounted(byte[] key, byte[] value) {
    byte[] turn = TurnKeys.ofBlocked(key);
    byte[] told = batch.get(turn);
    if (told == null && batch.state().isDropped(BlockedKeys.queue(key))) {
      return false;
    }
    JobRecord job = Records.decodeOrReport(batch, key, value);
    if (job != null) {
      TurnRecord right = TurnRecord.of(key, job);
      boolean isWrong = told == null || !right.equals(Turns.decode(turn, told));
      if (isWrong && missingRoom.take(TurnKeys.slotKey(turn))) {
        missing.put(turn, right);
      }
    }
    return true;
  }

  private void count(byte[] key, @Nullable JobRecord job) {
    byte[] slotKey = SlotKeys.ofCounted(key, job);
    if (slotKey != null) {
      counted.merge(slotKey, SlotRecord.ofOne(key), SlotRecord::plus);
    }
  }
}
