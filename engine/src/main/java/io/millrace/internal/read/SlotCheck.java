package io.millrace.internal.read;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.CleanStop;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The check of a queue's concurrency keys, or of the engine's over all queues: each row says how
 * many jobs have its key, each key in use has a row, and no job is blocked while its key has a slot
 * for it. Of the engine's keys each blocked job has its turn, and each turn its job.
 *
 * <p>Goes over the keys a stretch at a time, so that memory does not grow with their number; for
 * each stretch over all jobs that may hold slots or are blocked. Jobs of a queue that is being
 * removed hold what they hold of the engine's keys as long as they are there; a blocked one of them
 * may have lost its turn before.
 */
final class SlotCheck {

  /** The most keys of one stretch. */
  private static final int KEY_COUNT_MAX = 100_000;

  private final ViewRows rows;
  private final int owner;
  private final boolean isOfEngine;
  private final Limit limit;
  private final Findings findings;

  /** The kind of the keys, as findings name it. */
  private final String name;

  /** True if a log holds in place of the keys' rows, so that these may be of long before. */
  private boolean isLogged;

  /**
   * The limit that the queue's setting gives to each key.
   *
   * @param perKey how many jobs of a key may hold a slot
   * @param isRaised whether blocked jobs have yet to hear of a setting that was raised
   */
  record Limit(int perKey, boolean isRaised) {

    /** A stand-in for the engine's keys, whose limits are in their turns. */
    private static final Limit OF_TURNS = new Limit(0, false);
  }

  /** The counts of one key: as stored, and as found. */
  private static final class Counts {
    private @Nullable SlotRecord stored;
    private boolean hasRow;
    private @Nullable TurnRecord next;
    private SlotRecord counted = SlotRecord.NOBODY;
  }

  private SlotCheck(ViewRows rows, int owner, Limit limit, Findings findings) {
    this.rows = rows;
    this.owner = owner;
    this.isOfEngine = owner == SlotKeys.ENGINE;
    this.limit = limit;
    this.findings = findings;
    this.name = isOfEngine ? "concurrency key of the engine" : "concurrency key";
  }

  static void ofQueue(QueueRows rows, Limit limit, Findings findings) {
    new SlotCheck(rows.all(), rows.queue(), limit, findings).run();
  }

  static void ofEngine(ViewRows rows, Findings findings) {
    new SlotCheck(rows, SlotKeys.ENGINE, Limit.OF_TURNS, findings).run();
  }

  private void run() {
    KeyRange rest = KeyRange.of(Keyspace.SLOT, owner);
    if (!isOfEngine) {
      byte[] logEnd = SlotKeys.logEnd(owner);
      checkLog(new KeyRange(rest.startInclusive(), logEnd));
      rest = rest.from(logEnd);
    }
    while (!rest.isEmpty()) {
      rest = checkStretch(rest);
    }
  }

  /**
   * Looks for a log of an older version. An engine counts the keys of such a queue anew when it
   * opens the store.
   */
  private void checkLog(KeyRange range) {
    List<Row> log = rows.chunk(range, 1);
    if (log.isEmpty()) {
      return;
    }
    CleanStop stop =
        new SoundRows(rows).get(MetaKeys.CLEAN_STOP, (key, value) -> CleanStop.decode(value));
    isLogged = stop == null || !stop.areSlotsCounted();
    if (!isLogged) {
      findings.problem(
          log.get(0).key(), "a log of slots is there, though the store says that it has none");
    }
    rows.eachChunk(range, chunk -> chunk.forEach(row -> findings.decode(row, SlotKeys::checkLog)));
  }

  /** Checks the first keys of the range, and returns the part of the range behind them. */
  private KeyRange checkStretch(KeyRange range) {
    Map<byte[], Counts> keys = new TreeMap<>(Arrays::compareUnsigned);
    KeyRange stretch = new KeyRange(range.startInclusive(), readRows(keys, range));
    for (Keyspace keyspace : isOfEngine ? List.of(Keyspace.READY) : SlotKeys.OF_HOLDERS) {
      eachRow(keyspace, row -> count(keys, stretch, row));
    }
    eachRow(Keyspace.BLOCKED, row -> count(keys, stretch, row));
    keys.forEach(this::check);
    return range.from(stretch.endExclusive());
  }

  /** Reads the rows of as many keys as a stretch has, and returns the end of the stretch. */
  private byte[] readRows(Map<byte[], Counts> keys, KeyRange range) {
    KeyRange rest = range;
    List<Row> chunk = rows.chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        byte[] key = TurnKeys.isTurn(row.key()) ? TurnKeys.slotKey(row.key()) : row.key();
        if (keys.size() == KEY_COUNT_MAX && !keys.containsKey(key)) {
          return key;
        }
        readRow(keys, key, row);
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = rows.chunk(rest, Row.CHUNK_ROWS_MAX);
    }
    return range.endExclusive();
  }

  private void readRow(Map<byte[], Counts> keys, byte[] key, Row row) {
    if (!TurnKeys.isTurn(row.key())) {
      Counts counts = of(keys, key);
      counts.stored = findings.decode(row, SlotRecord::decode);
      counts.hasRow = true;
      return;
    }
    TurnRecord turn = findings.decode(row, TurnRecord::decode);
    if (turn == null) {
      return;
    }
    Counts counts = of(keys, key);
    counts.next = counts.next == null ? turn : counts.next;
    if (!rows.has(TurnKeys.blockedKey(row.key(), turn.queue()))) {
      findings.problem(row.key(), "the turn is of no blocked job: queue=" + turn.queue());
      findings.missing(row.key());
    }
  }

  private static Counts of(Map<byte[], Counts> keys, byte[] key) {
    return keys.computeIfAbsent(key, missed -> new Counts());
  }

  /** Hands over the rows of the jobs, in all queues or in the one whose keys are checked. */
  private void eachRow(Keyspace keyspace, Consumer<Row> consumer) {
    KeyRange range = isOfEngine ? KeyRange.of(keyspace) : KeyRange.of(keyspace, owner);
    rows.eachChunk(range, chunk -> chunk.forEach(consumer));
  }

  private void count(Map<byte[], Counts> keys, KeyRange stretch, Row row) {
    boolean isBlocked = Keyspace.ofKey(row.key()) == Keyspace.BLOCKED;
    String flaw = isBlocked ? RowCheck.flaw(row.key()) : RowCheck.flaw(row.key(), row.value());
    if (flaw != null) {
      return;
    }
    JobRecord job = isBlocked ? null : JobRecord.decode(row.key(), row.value());
    byte[] key = SlotKeys.ofCounted(row.key(), job);
    if (key == null || SlotKeys.isOfEngine(key) != isOfEngine || !stretch.contains(key)) {
      return;
    }
    if (!isBlocked || !isOfEngine || isTurnCounted(row)) {
      Counts counts = of(keys, key);
      counts.counted = counts.counted.plus(SlotRecord.ofOne(row.key()));
    }
  }

  /** Tells whether the blocked job of the engine's key counts, and checks its turn then. */
  private boolean isTurnCounted(Row row) {
    byte[] turnKey = TurnKeys.ofBlocked(row.key());
    byte[] value = rows.get(turnKey);
    int queue = BlockedKeys.queue(row.key());
    if (value == null && QueuePresence.of(rows::get, queue) == QueuePresence.DROPPED) {
      return false;
    }
    if (value == null) {
      findings.problem(turnKey, "the blocked job has no turn: blocked=" + Bytes.hex(row.key()));
      findings.missing(turnKey);
      return true;
    }
    boolean isSound =
        RowCheck.flaw(turnKey, value) == null && RowCheck.flaw(row.key(), row.value()) == null;
    if (isSound) {
      TurnRecord right = TurnRecord.of(row.key(), JobRecord.decode(row.key(), row.value()));
      TurnRecord turn = TurnRecord.decode(turnKey, value);
      if (!turn.equals(right)) {
        findings.problem(
            turnKey,
            "the turn does not agree with its job: queue="
                + turn.queue()
                + ", most="
                + turn.most()
                + ", the job's most="
                + right.most());
        findings.missing(turnKey);
      }
    }
    return true;
  }

  private void check(byte[] key, Counts counts) {
    SlotRecord counted = counts.counted;
    if (!isLogged) {
      compare(key, counts);
    }
    SlotRecord stored = counts.stored;
    int most = isOfEngine && counts.next != null ? counts.next.most() : limit.perKey();
    boolean isSeenTo = limit.isRaised() || (stored != null && stored.isUnfinished());
    if (counted.blocked() > 0 && counted.holders() < most && !isSeenTo) {
      findings.problem(
          key,
          "jobs are blocked though their "
              + name
              + " has a slot: holders="
              + counted.holders()
              + (isOfEngine ? ", most=" : ", perKey=")
              + most
              + ", blocked="
              + counted.blocked());
    }
  }

  /** Compares the key's row with what was counted. */
  private void compare(byte[] key, Counts counts) {
    SlotRecord stored = counts.stored;
    SlotRecord counted = counts.counted;
    if (!counts.hasRow) {
      findings.problem(
          key,
          "no row tells of the "
              + name
              + ": holders="
              + counted.holders()
              + ", blocked="
              + counted.blocked());
      findings.missing(key);
    }
    if (stored != null && stored.countsAs(SlotRecord.NOBODY)) {
      findings.problem(key, "the " + name + " has a row and no jobs");
    }
    if (stored != null) {
      differ(key, "holders", stored.holders(), counted.holders());
      differ(key, "blocked", stored.blocked(), counted.blocked());
    }
  }

  private void differ(byte[] key, String what, long stored, long counted) {
    if (stored != counted) {
      findings.problem(
          key,
          "the row of the "
              + name
              + " differs from a recount: what="
              + what
              + ", stored="
              + stored
              + ", counted="
              + counted);
    }
  }
}
