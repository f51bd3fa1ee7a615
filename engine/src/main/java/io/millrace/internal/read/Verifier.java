package io.millrace.internal.read;

import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Reads everything once and compares.
 *
 * <p>The store may be written to meanwhile: each queue is gone through under one view, and rows
 * that are in the order of time or name in chunks, each with what it refers to under a view of its
 * own. Nothing is compared across views. A dropped queue is skipped: it is being emptied.
 */
final class Verifier {

  private final OrderedStore store;
  private final OpenViews views;
  private final Findings findings = new Findings();

  Verifier(OrderedStore store, OpenViews views) {
    this.store = store;
    this.views = views;
  }

  Findings run() {
    List<String> flaws = new ArrayList<>();
    views.during(() -> flaws.addAll(store.flaws()));
    if (!flaws.isEmpty()) {
      // Reading rows from a store that is damaged beneath them may lead anywhere.
      flaws.forEach(findings::flaw);
      return findings;
    }
    eachChunk(KeyRange.of(Keyspace.META), (rows, chunk) -> chunk.forEach(findings::isSound));
    eachChunk(KeyRange.of(Keyspace.QUEUE), this::checkQueues);
    // Not within the chunks' own views: a large queue would keep one open for as long as it takes.
    eachChunkThen(KeyRange.of(Keyspace.QUEUE_NAME), this::checkNames, this::checkQueueRows);
    new SharedRowsCheck(this, findings).run();
    new ForeignRowsCheck(this, store.info().keyBytesMax(), findings).run();
    return findings;
  }

  /** Hands over all rows of the range in chunks, each with the view that it came from. */
  void eachChunk(KeyRange range, BiConsumer<Rows, List<Row>> consumer) {
    eachChunkThen(range, consumer, chunk -> {});
  }

  /** An answer about the range from a view of its own. */
  <T> T answer(KeyRange range, BiFunction<Rows, KeyRange, T> question) {
    try (ReadView view = views.open(store)) {
      return question.apply(new Rows(view), range);
    }
  }

  private void eachChunkThen(
      KeyRange range, BiConsumer<Rows, List<Row>> consumer, Consumer<List<Row>> afterView) {
    KeyRange rest = range;
    List<Row> chunk = chunk(rest, consumer);
    while (!chunk.isEmpty()) {
      afterView.accept(chunk);
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = chunk(rest, consumer);
    }
  }

  private List<Row> chunk(KeyRange range, BiConsumer<Rows, List<Row>> consumer) {
    return answer(
        range,
        (rows, part) -> {
          List<Row> chunk = rows.chunk(part, Row.CHUNK_ROWS_MAX);
          consumer.accept(rows, chunk);
          return chunk;
        });
  }

  private void checkQueues(Rows rows, List<Row> chunk) {
    Readable readable = new Readable(rows);
    for (Row row : chunk) {
      QueueRecord queue = findings.decode(row, QueueRecord::decode);
      if (queue == null) {
        continue;
      }
      QueueNameRecord name =
          readable.get(QueueNameKeys.key(queue.number()), QueueNameRecord::decode);
      boolean agrees =
          name != null
              && name.state() == QueueNameRecord.State.LIVE
              && name.name().equals(QueueKeys.name(row.key()));
      if (!agrees) {
        findings.problem(row.key(), "the queue's number is not its own: number=" + queue.number());
      }
    }
  }

  private void checkNames(Rows rows, List<Row> chunk) {
    Readable readable = new Readable(rows);
    MetaRecords.QueueNumbers numbers =
        readable.get(
            MetaKeys.QUEUE_NUMBERS, (key, value) -> MetaRecords.QueueNumbers.decode(value));
    int next = numbers == null ? 0 : numbers.next();
    for (Row row : chunk) {
      QueueNameRecord name = findings.decode(row, QueueNameRecord::decode);
      if (name == null) {
        continue;
      }
      int number = QueueNameKeys.queue(row.key());
      if (number >= next) {
        findings.problem(row.key(), "the queue's number could be given again: next=" + next);
      }
      if (name.state() == QueueNameRecord.State.DROPPED
          && !rows.has(AgendaKeys.key(AgendaKeys.DROPPED_MS, number))) {
        findings.problem(row.key(), "no AGENDA row says that the deleted queue is to be emptied");
      }
      if (name.state() == QueueNameRecord.State.LIVE) {
        QueueRecord queue = readable.get(QueueKeys.key(name.name()), QueueRecord::decode);
        if (queue == null || queue.number() != number) {
          findings.problem(row.key(), "no QUEUE row has the number");
        }
      }
    }
  }

  private void checkQueueRows(List<Row> names) {
    for (Row row : names) {
      if (Keyspace.flaw(row.key()) == null) {
        checkQueue(QueueNameKeys.queue(row.key()));
      }
    }
  }

  private void checkQueue(int queue) {
    try (ReadView view = views.open(store)) {
      Rows rows = new Rows(view);
      if (new Readable(rows).stateOf(queue) == Readable.QueueState.LIVE) {
        new QueueCheck(rows, queue, store.epoch(), findings).run();
      }
    }
  }
}
