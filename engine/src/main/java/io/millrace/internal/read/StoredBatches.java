package io.millrace.internal.read;

import io.millrace.api.BatchId;
import io.millrace.api.BatchReader;
import io.millrace.api.BatchStats;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobOutput;
import io.millrace.api.Limits;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToIntFunction;

/** The batches of a store, as their tallies' rows tell of them. */
public final class StoredBatches implements BatchReader {

  private static final KeyRange ALL = new KeyRange(TallyKeys.start(), TallyKeys.end());

  private final StoredTable.Views views;
  private final LongToIntFunction running;

  StoredBatches(StoredTable.Views views, LongToIntFunction running) {
    this.views = views;
    this.running = running;
  }

  @Override
  public Optional<BatchStats> get(BatchId id) {
    byte[] key = TallyKeys.key(id.value());
    return views.answer(
        rows ->
            Optional.ofNullable(rows.get(key, TallyRecord::decode))
                .map(it -> stats(id, it, running.applyAsInt(id.value()))));
  }

  @Override
  public Page<BatchStats> list(PageRequest page) {
    Optional<byte[]> from = page.cursor().map(cursor -> Cursors.parse(cursor, ALL));
    KeyRange rest = ALL.from(from.orElse(ALL.startInclusive()));
    return views.answer(rows -> page(rows, rest, page.size()));
  }

  @Override
  public Page<JobOutput> results(BatchId id, PageRequest page) {
    long number = id.value();
    KeyRange all = new KeyRange(TallyKeys.resultsStart(number), TallyKeys.resultsEnd(number));
    Optional<byte[]> from = page.cursor().map(cursor -> Cursors.parse(cursor, all));
    KeyRange rest = all.from(from.orElse(all.startInclusive()));
    return views.answer(
        rows -> {
          if (!rows.has(TallyKeys.key(number))) {
            throw new NoSuchBatchException(id);
          }
          return results(rows, rest, page.size());
        });
  }

  private static Page<JobOutput> results(ViewRows rows, KeyRange range, int size) {
    List<JobOutput> results = new ArrayList<>();
    long bytes = 0;
    KeyRange rest = range;
    List<Row> chunk = rows.chunk(rest, size + 1);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        if (results.size() == size || bytes > Limits.CALL_BYTES_MAX) {
          return new Page<>(results, Optional.of(Cursors.at(row.key())));
        }
        result(rows, row).ifPresent(results::add);
        bytes += row.value().length;
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = rows.chunk(rest, size + 1);
    }
    return new Page<>(results, Optional.empty());
  }

  /** Returns the result of the row; empty for one that is damaged, which verify lists. */
  private static Optional<JobOutput> result(ViewRows rows, Row row) {
    try {
      TallyResult kept = rows.decode(row.key(), row.value(), TallyResult::decode);
      return Optional.of(new JobOutput(kept.job(), kept.result().clone()));
    } catch (CorruptDataException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the names of the queues that have or had jobs of the batch and are still there; empty
   * if they are too many to be known.
   */
  public List<QueueName> queues(BatchId id) {
    byte[] key = TallyKeys.key(id.value());
    return views.answer(
        rows -> {
          TallyRecord tally = rows.get(key, TallyRecord::decode);
          List<Integer> numbers = tally == null ? List.of() : tally.queues();
          return numbers.stream().flatMap(number -> rows.queueName(number).stream()).toList();
        });
  }

  private Page<BatchStats> page(ViewRows rows, KeyRange range, int size) {
    List<Row> chunk = rows.chunk(range, size + 1);
    List<BatchStats> batches = new ArrayList<>();
    for (Row row : chunk.subList(0, Math.min(size, chunk.size()))) {
      read(rows, row).ifPresent(batches::add);
    }
    return new Page<>(
        batches,
        chunk.size() > size ? Optional.of(Cursors.at(chunk.get(size).key())) : Optional.empty());
  }

  /** Returns the batch of the row; empty for one that is damaged, which verify lists. */
  private Optional<BatchStats> read(ViewRows rows, Row row) {
    if (!TallyKeys.isKey(row.key())) {
      return Optional.empty();
    }
    try {
      TallyRecord tally = rows.decode(row.key(), row.value(), TallyRecord::decode);
      long number = TallyKeys.number(row.key());
      return Optional.of(stats(new BatchId(number), tally, running.applyAsInt(number)));
    } catch (CorruptDataException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the batch that the tally is to its user.
   *
   * @param running the number of its jobs that are leased now, as far as they are left in the row
   */
  public static BatchStats stats(BatchId id, TallyRecord tally, int running) {
    return new BatchStats(
        id,
        tally.name(),
        tally.outer() == 0 ? Optional.empty() : Optional.of(new BatchId(tally.outer())),
        tally.is(TallyRecord.SEALED),
        tally.is(TallyRecord.CANCELLED),
        tally.count(Count.LEFT),
        Math.min(running, tally.count(Count.LEFT)),
        tally.count(Count.SUCCEEDED),
        tally.count(Count.DEAD),
        tally.count(Count.FAILED),
        tally.count(Count.CANCELLED),
        tally.count(Count.EXPIRED),
        tally.count(Count.PURGED),
        tally.count(Count.LOST),
        Duration.ofMillis(tally.retentionMs()),
        Instant.ofEpochMilli(tally.createdAtMs()),
        tally.overSinceMs() == 0
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(tally.overSinceMs())));
  }
}
