package io.millrace.internal.read;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogKeys;
import io.millrace.internal.format.SlotLogRecord;
import io.millrace.internal.format.SlotRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The check of a queue's concurrency keys: each row says how many jobs have its key, each key in
 * use has a row, and no job is blocked while its key has a slot.
 *
 * <p>Goes over the keys a stretch at a time, so that memory does not grow with their number; for
 * each stretch over all jobs that may hold slots or are blocked.
 */
final class SlotCheck {

  /** Keys of one stretch. */
  private static final int KEY_COUNT_MAX = 100_000;

  private final QueueRows rows;
  private final Limit limit;
  private final Findings findings;

  /** What rows of the log say, in place of the keys' own rows. */
  private Map<byte[], SlotRecord> logged = Map.of();

  /**
   * What the setting says.
   *
   * @param perKey how many jobs of a key may hold a slot
   * @param isRaised whether blocked jobs have yet to hear of a setting that was raised
   */
  record Limit(int perKey, boolean isRaised) {}

  /** What there is of one key. */
  private static final class Counts {
    private final @Nullable SlotRecord stored;
    private final boolean hasRow;
    private int holders;
    private long blocked;

    Counts(@Nullable SlotRecord stored, boolean hasRow) {
      this.stored = stored;
      this.hasRow = hasRow;
    }
  }

  SlotCheck(QueueRows rows, Limit limit, Findings findings) {
    this.rows = rows;
    this.limit = limit;
    this.findings = findings;
  }

  void run() {
    KeyRange all = KeyRange.of(Keyspace.SLOT, rows.queue());
    byte[] logEnd = SlotLogKeys.end(rows.queue());
    logged = logged(new KeyRange(all.startInclusive(), logEnd));
    KeyRange rest = all.from(logEnd);
    while (!rest.isEmpty()) {
      rest = checkStretch(rest);
    }
  }

  private Map<byte[], SlotRecord> logged(KeyRange log) {
    List<SlotLogRecord> sound = new ArrayList<>();
    KeyRange rest = log;
    List<Row> chunk = rows.all().chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        SlotLogRecord record = findings.decode(row, SlotLogRecord::decode);
        if (record != null) {
          sound.add(record);
        }
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = rows.all().chunk(rest, Row.CHUNK_ROWS_MAX);
    }
    return SlotLogRecord.logged(sound);
  }

  /** Checks the first keys of the range, and answers what is left of it. */
  private KeyRange checkStretch(KeyRange range) {
    Map<byte[], Counts> keys = new TreeMap<>(Arrays::compareUnsigned);
    KeyRange rest = range;
    List<Row> chunk = rows.all().chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        keys.put(row.key(), new Counts(findings.decode(row, SlotRecord::decode), true));
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = keys.size() < KEY_COUNT_MAX ? rows.all().chunk(rest, Row.CHUNK_ROWS_MAX) : List.of();
    }
    boolean isCut = keys.size() >= KEY_COUNT_MAX;
    byte[] endExclusive = isCut ? rest.startInclusive() : range.endExclusive();
    KeyRange stretch = new KeyRange(range.startInclusive(), endExclusive);
    logged.forEach(
        (key, counts) -> {
          if (stretch.contains(key) && counts.equals(SlotRecord.NOBODY)) {
            keys.remove(key);
          } else if (stretch.contains(key)) {
            keys.put(key, new Counts(counts, true));
          }
        });
    eachKey(key -> count(keys, stretch, key, true), key -> count(keys, stretch, key, false));
    keys.forEach(this::check);
    return new KeyRange(endExclusive, range.endExclusive());
  }

  /** Hands over the row's key of each job that has a concurrency key. */
  private void eachKey(Consumer<byte[]> ofHolder, Consumer<byte[]> ofBlocked) {
    SlotKeys.OF_HOLDERS.forEach(keyspace -> eachHolder(keyspace, ofHolder));
    rows.eachChunk(
        Keyspace.BLOCKED,
        chunk -> {
          for (Row row : chunk) {
            if (Keyspace.flaw(row.key()) == null && !BlockedKeys.isOfEngine(row.key())) {
              ofBlocked.accept(SlotKeys.ofBlocked(row.key()));
            }
          }
        });
  }

  private void eachHolder(Keyspace keyspace, Consumer<byte[]> ofHolder) {
    rows.eachChunk(
        keyspace,
        chunk -> {
          for (Row row : chunk) {
            boolean isSound = Keyspace.flaw(row.key(), row.value()) == null;
            JobRecord job = isSound ? JobRecord.decode(row.key(), row.value()) : null;
            byte[] key = job == null ? null : SlotKeys.ofHolder(row.key(), job);
            if (key != null && !SlotKeys.isOfEngine(key)) {
              ofHolder.accept(key);
            }
          }
        });
  }

  private static void count(
      Map<byte[], Counts> keys, KeyRange stretch, byte[] key, boolean isHolder) {
    if (stretch.contains(key)) {
      Counts counts = keys.computeIfAbsent(key, missed -> new Counts(null, false));
      counts.holders += isHolder ? 1 : 0;
      counts.blocked += isHolder ? 0 : 1;
    }
  }

  private void check(byte[] key, Counts counts) {
    SlotRecord stored = counts.stored;
    if (!counts.hasRow) {
      findings.problem(
          key,
          "no row tells of the concurrency key: holders="
              + counts.holders
              + ", blocked="
              + counts.blocked);
      findings.missing(key);
    }
    if (stored != null && stored.holders() == 0 && stored.blocked() == 0) {
      findings.problem(key, "the concurrency key has a row and no jobs");
    }
    if (stored != null) {
      differ(key, "holders", stored.holders(), counts.holders);
      differ(key, "blocked", stored.blocked(), counts.blocked);
    }
    if (counts.blocked > 0 && counts.holders < limit.perKey() && !limit.isRaised()) {
      findings.problem(
          key,
          "jobs are blocked though their concurrency key has a slot: holders="
              + counts.holders
              + ", perKey="
              + limit.perKey()
              + ", blocked="
              + counts.blocked);
    }
  }

  private void differ(byte[] key, String what, long stored, long counted) {
    if (stored != counted) {
      findings.problem(
          key,
          "the concurrency key's row differs from a recount: what="
              + what
              + ", stored="
              + stored
              + ", counted="
              + counted);
    }
  }
}
