package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
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
 * The concurrency keys of the engine, counted anew from the records of all queues when one of their
 * rows or a record is lost; turns that do not agree with the records are put right, too. Reads all
 * lines and all blocked jobs of the engine.
 *
 * <p>Jobs of a queue that was deleted hold what they hold until their records are gone; those of
 * them that are blocked may have lost their turn before.
 */
public final class EngineRecount {

  /**
   * Rows of one kind that a recount puts right: others wait until somebody needs them. Of the key
   * that is needed now there may be as many beside those of other keys.
   */
  private static final int WRONG_COUNT_MAX = 1_000;

  private final OpenBatch batch;
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

  /** How many rows of one kind may yet be put right. */
  private final class Room {
    private int ofWanted = WRONG_COUNT_MAX;
    private int ofOthers = WRONG_COUNT_MAX;

    boolean take(byte[] slotKey) {
      return Arrays.equals(slotKey, wanted) ? ofWanted-- > 0 : ofOthers-- > 0;
    }
  }

  private EngineRecount(OpenBatch batch, byte @Nullable [] wanted) {
    this.batch = batch;
    this.wanted = wanted;
    this.slots = batch.state().slots();
  }

  /** Counts all, if there is anything to be counted. */
  public static void ofAll(OpenBatch batch) {
    if (isInUse(batch)) {
      new EngineRecount(batch, null).run();
    }
  }

  /** Whether a job has a concurrency key of the engine, as far as one row tells. */
  public static boolean isInUse(OpenBatch batch) {
    boolean[] isFound = {batch.state().slots().isLoggedOrChanged(SlotKeys.ENGINE)};
    if (!isFound[0]) {
      batch.scan(
          Keyspace.SLOT.queueStart(SlotKeys.ENGINE),
          Keyspace.SLOT.queueEnd(SlotKeys.ENGINE),
          1,
          (key, value) -> {
            isFound[0] = true;
            return false;
          });
    }
    return isFound[0];
  }

  /** Counts all, and answers what is known of one concurrency key then. */
  public static SlotEntry of(OpenBatch batch, byte[] slotKey) {
    EngineRecount recount = new EngineRecount(batch, slotKey);
    recount.run();
    return recount.entry(slotKey);
  }

  /** A row of a key of the engine is missed, or was set aside: all that there should be is put. */
  public static void restore(OpenBatch batch, byte[] key) {
    SlotEntry known = batch.state().slots().find(new SlotRef(key));
    if (known != null) {
      known.forgetStored();
      SlotCounts.setOfEngine(batch, known, known.holders(), known.blocked());
    }
    new EngineRecount(batch, slotKey(key)).run();
  }

  private void run() {
    readRows();
    countHolders();
    countBlocked();
    slots.uncountedOfEngine().clear();
    passedOver.forEach(slots.uncountedOfEngine()::add);
    for (Row row : corrupt) {
      batch.aside(() -> SetAside.row(batch, row.key(), row.value(), "row is damaged"));
      SlotEntry known = slots.find(new SlotRef(row.key()));
      if (known != null) {
        known.forgetStored();
        slots.set(known, known.holders(), known.blocked());
      }
    }
    for (byte[] turn : wrong) {
      SlotEntry slot = entry(TurnKeys.slotKey(turn));
      Turns.remove(batch, slot, turn);
      lookAgain(slot);
    }
    missing.forEach(
        (turn, told) -> {
          SlotEntry slot = entry(TurnKeys.slotKey(turn));
          Turns.add(batch, slot, turn, told);
          lookAgain(slot);
        });
    Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(counted.keySet());
    keys.addAll(stored.keySet());
    slots.ofQueue(SlotKeys.ENGINE).forEach(slot -> keys.add(slot.slotKey()));
    for (byte[] key : keys) {
      correct(key, counted.getOrDefault(key, SlotRecord.NOBODY));
    }
  }

  /** Its next turn may be another one than was thought. */
  private void lookAgain(SlotEntry slot) {
    slot.forgetNextTurn();
    SlotCounts.setOfEngine(batch, slot, slot.holders(), slot.blocked());
  }

  private void correct(byte[] key, SlotRecord right) {
    SlotEntry known = slots.find(new SlotRef(key));
    SlotRecord told = known == null ? stored.getOrDefault(key, SlotRecord.NOBODY) : known.current();
    if (told.holders() != right.holders() || told.blocked() != right.blocked()) {
      SlotEntry slot = entry(key);
      slot.forgetNextTurn();
      SlotCounts.setOfEngine(batch, slot, right.holders(), right.blocked());
    }
  }

  private SlotEntry entry(byte[] key) {
    SlotEntry known = slots.find(new SlotRef(key));
    return known == null ? slots.add(key, stored.getOrDefault(key, SlotRecord.NOBODY)) : known;
  }

  /** Of the row at the key, be it a turn or the SLOT row itself. */
  private static byte[] slotKey(byte[] key) {
    return TurnKeys.isTurn(key) ? TurnKeys.slotKey(key) : key;
  }

  private void readRows() {
    batch.scan(
        Keyspace.SLOT.queueStart(SlotKeys.ENGINE),
        Keyspace.SLOT.queueEnd(SlotKeys.ENGINE),
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
    batch.scan(
        Keyspace.READY.start(),
        Keyspace.READY.end(),
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(batch, key, value);
          if (job == null) {
            passedOver.add(key);
          } else if (job.engineMost() > 0) {
            byte[] slotKey = SlotKeys.ofJob(Keyspace.queue(key), job);
            if (slotKey != null) {
              add(slotKey, new SlotRecord(1, 0));
            }
          }
          return true;
        });
  }

  private void countBlocked() {
    batch.scan(
        Keyspace.BLOCKED.start(),
        Keyspace.BLOCKED.end(),
        (key, value) -> {
          if (Keyspace.flaw(key) == null && BlockedKeys.isOfEngine(key)) {
            countBlocked(key, value);
          }
          return true;
        });
  }

  private void countBlocked(byte[] key, byte[] value) {
    byte[] turn = TurnKeys.ofBlocked(key);
    int queue = BlockedKeys.queue(key);
    byte[] told = batch.get(turn);
    if (told == null && batch.state().isDropped(queue)) {
      return;
    }
    add(TurnKeys.slotKey(turn), new SlotRecord(0, 1));
    JobRecord job = Records.decodeOrReport(batch, key, value);
    if (job == null) {
      return;
    }
    TurnRecord right = new TurnRecord(queue, job.engineMost());
    boolean isWrong = told == null || !right.equals(Turns.decode(turn, told));
    if (isWrong && missingRoom.take(TurnKeys.slotKey(turn))) {
      missing.put(turn, right);
    }
  }

  private void add(byte[] slotKey, SlotRecord more) {
    counted.merge(
        slotKey,
        more,
        (a, b) -> new SlotRecord(a.holders() + b.holders(), a.blocked() + b.blocked()));
  }
}
