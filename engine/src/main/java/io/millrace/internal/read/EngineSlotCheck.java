package io.millrace.internal.read;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * As {@link SlotCheck}, for the concurrency keys that belong to the engine, over all queues: their
 * counts agree with the records, each blocked job has its turn and each turn its job, and no key
 * has a slot that the job whose turn it is may have.
 *
 * <p>Jobs of a queue that is being removed count as long as they are there; a blocked one of them
 * may have lost its turn before.
 */
final class EngineSlotCheck {

  /** Keys of one stretch. */
  private static final int KEY_COUNT_MAX = 100_000;

  private final ViewRows rows;
  private final Findings findings;

  /** What there is of one key. */
  private static final class Counts {
    private @Nullable SlotRecord stored;
    private boolean hasRow;
    private @Nullable TurnRecord next;
    private int holders;
    private long blocked;
  }

  EngineSlotCheck(ViewRows rows, Findings findings) {
    this.rows = rows;
    this.findings = findings;
  }

  void run() {
    KeyRange rest = KeyRange.of(Keyspace.SLOT, SlotKeys.ENGINE);
    while (!rest.isEmpty()) {
      rest = checkStretch(rest);
    }
  }

  /** Checks the first keys of the range, and answers what is left of it. */
  private KeyRange checkStretch(KeyRange range) {
    TreeMap<byte[], Counts> keys = new TreeMap<>(Arrays::compareUnsigned);
    KeyRange rest = range;
    List<Row> chunk = rows.chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      chunk.forEach(row -> readRow(keys, row));
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = keys.size() < KEY_COUNT_MAX ? rows.chunk(rest, Row.CHUNK_ROWS_MAX) : List.of();
    }
    byte[] endExclusive = range.endExclusive();
    if (keys.size() >= KEY_COUNT_MAX) {
      // Its turns may be cut: it begins the next stretch.
      endExclusive = keys.lastKey();
      keys.remove(endExclusive);
    }
    KeyRange stretch = new KeyRange(range.startInclusive(), endExclusive);
    countHolders(keys, stretch);
    countBlocked(keys, stretch);
    keys.forEach(this::check);
    return new KeyRange(endExclusive, range.endExclusive());
  }

  private void readRow(Map<byte[], Counts> keys, Row row) {
    if (!TurnKeys.isTurn(row.key())) {
      SlotRecord stored = findings.decode(row, SlotRecord::decode);
      Counts counts = keys.computeIfAbsent(row.key(), missed -> new Counts());
      counts.stored = stored;
      counts.hasRow = true;
      return;
    }
    TurnRecord turn = findings.decode(row, TurnRecord::decode);
    if (turn == null) {
      return;
    }
    Counts counts = keys.computeIfAbsent(TurnKeys.slotKey(row.key()), missed -> new Counts());
    counts.next = counts.next == null ? turn : counts.next;
    byte[] place = TurnKeys.blockedKey(row.key(), turn.queue());
    if (!rows.has(place)) {
      findings.problem(row.key(), "the turn is of no blocked job: queue=" + turn.queue());
      findings.missing(row.key());
    }
  }

  private void countHolders(Map<byte[], Counts> keys, KeyRange stretch) {
    rows.eachChunk(
        KeyRange.of(Keyspace.READY),
        chunk -> {
          for (Row row : chunk) {
            boolean isSound = Keyspace.flaw(row.key(), row.value()) == null;
            JobRecord job = isSound ? JobRecord.decode(row.key(), row.value()) : null;
            byte[] key =
                job == null || job.engineMost() == 0 ? null : SlotKeys.ofJob(SlotKeys.ENGINE, job);
            if (key != null && stretch.contains(key)) {
              keys.computeIfAbsent(key, missed -> new Counts()).holders++;
            }
          }
        });
  }

  private void countBlocked(Map<byte[], Counts> keys, KeyRange stretch) {
    rows.eachChunk(
        KeyRange.of(Keyspace.BLOCKED),
        chunk -> {
          for (Row row : chunk) {
            boolean isOfEngine =
                Keyspace.flaw(row.key()) == null && BlockedKeys.isOfEngine(row.key());
            byte[] key = isOfEngine ? SlotKeys.ofBlocked(row.key()) : null;
            if (key != null && stretch.contains(key) && hasTurn(row)) {
              keys.computeIfAbsent(key, missed -> new Counts()).blocked++;
            }
          }
        });
  }

  /** Answers whether the blocked job is to be counted. */
  private boolean hasTurn(Row row) {
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
        Keyspace.flaw(turnKey, value) == null && Keyspace.flaw(row.key(), row.value()) == null;
    if (isSound) {
      JobRecord job = JobRecord.decode(row.key(), row.value());
      TurnRecord turn = TurnRecord.decode(turnKey, value);
      if (!turn.equals(new TurnRecord(queue, job.engineMost()))) {
        findings.problem(
            turnKey,
            "the turn does not agree with its job: queue="
                + turn.queue()
                + ", most="
                + turn.most()
                + ", the job's most="
                + job.engineMost());
        findings.missing(turnKey);
      }
    }
    return true;
  }

  private void check(byte[] key, Counts counts) {
    SlotRecord stored = counts.stored;
    if (!counts.hasRow) {
      findings.problem(
          key,
          "no row tells of the concurrency key of the engine: holders="
              + counts.holders
              + ", blocked="
              + counts.blocked);
      findings.missing(key);
    }
    if (stored != null && stored.holders() == 0 && stored.blocked() == 0) {
      findings.problem(key, "the concurrency key of the engine has a row and no jobs");
    }
    if (stored != null) {
      differ(key, "holders", stored.holders(), counts.holders);
      differ(key, "blocked", stored.blocked(), counts.blocked);
    }
    TurnRecord next = counts.next;
    boolean isUnfinished = stored != null && stored.isUnfinished();
    if (next != null && counts.blocked > 0 && counts.holders < next.most() && !isUnfinished) {
      findings.problem(
          key,
          "jobs are blocked though their concurrency key of the engine has a slot: holders="
              + counts.holders
              + ", most="
              + next.most()
              + ", blocked="
              + counts.blocked);
    }
  }

  private void differ(byte[] key, String what, long stored, long counted) {
    if (stored != counted) {
      findings.problem(
          key,
          "the row of the concurrency key of the engine differs from a recount: what="
              + what
              + ", stored="
              + stored
              + ", counted="
              + counted);
    }
  }
}
