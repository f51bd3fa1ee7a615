package io.millrace.internal.read;

import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * The verification of a store: reads everything once and compares.
 *
 * <p>The store may be written to meanwhile: each queue is gone through under one view. Rows that
 * are in the order of time or name are gone through in chunks, each with the rows to which it
 * refers under a view of its own. Nothing is compared across views. A dropped queue is skipped: it
 * is being emptied. Only concurrency keys of the engine, and tallies, are checked under one view
 * over all queues.
 */
final class Verifier {

  private final OrderedStore store;
  private final OpenViews views;
  private final ShortViews shortViews;
  private final Findings findings = new Findings();

  Verifier(OrderedStore store, OpenViews views) {
    this.store = store;
    this.views = views;
    this.shortViews = new ShortViews(store, views);
  }

  Findings run() {
    List<String> flaws = new ArrayList<>();
    views.during(() -> flaws.addAll(store.flaws()));
    if (!flaws.isEmpty()) {
      // Reading rows from a store that is damaged beneath them may lead anywhere.
      flaws.forEach(findings::flaw);
      return findings;
    }
    shortViews.eachChunk(
        KeyRange.of(Keyspace.META), (rows, chunk) -> chunk.forEach(findings::isSound));
    shortViews.eachChunk(KeyRange.of(Keyspace.QUEUE), this::checkQueues);
    // Not within the chunks' own views: a large queue would keep one open for as long as it takes.
    shortViews.eachChunkThen(
        KeyRange.of(Keyspace.QUEUE_NAME), this::checkNames, this::checkQueueRows);
    checkEngineKeys();
    checkTallies();
    new SharedRowsCheck(shortViews, findings).run();
    new ForeignRowsCheck(shortViews, store.info().keyBytesMax(), findings).run();
    return findings;
  }

  private void checkQueues(ViewRows rows, List<Row> chunk) {
    SoundRows sound = new SoundRows(rows);
    for (Row row : chunk) {
      QueueRecord queue = findings.decode(row, QueueRecord::decode);
      if (queue == null) {
        continue;
      }
      QueueNameRecord name = sound.get(QueueNameKeys.key(queue.number()), QueueNameRecord::decode);
      boolean agrees =
          name != null
              && name.state() == QueueNameRecord.State.LIVE
              && name.name().equals(QueueKeys.name(row.key()));
      if (!agrees) {
        findings.problem(row.key(), "the queue's number is not its own: number=" + queue.number());
      }
    }
  }

  private void checkNames(ViewRows rows, List<Row> chunk) {
    SoundRows sound = new SoundRows(rows);
    MetaRecords.QueueNumbers numbers =
        sound.get(MetaKeys.QUEUE_NUMBERS, (key, value) -> MetaRecords.QueueNumbers.decode(value));
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
        QueueRecord queue = sound.get(QueueKeys.key(name.name()), QueueRecord::decode);
        if (queue == null || queue.number() != number) {
          findings.problem(row.key(), "no QUEUE row has the number");
        }
      }
    }
  }

  private void checkQueueRows(List<Row> names) {
    for (Row row : names) {
      if (RowCheck.flaw(row.key()) == null) {
        checkQueue(QueueNameKeys.queue(row.key()));
      }
    }
  }

  /**
   * Checks concurrency keys of the engine, under a view of its own over all queues. Costs nothing
   * where there are no such keys.
   */
  private void checkEngineKeys() {
    try (ReadView view = views.open(store)) {
      ViewRows rows = new ViewRows(view);
      KeyRange stored = KeyRange.of(Keyspace.SLOT, SlotKeys.ENGINE);
      if (findings.hasEngineKeys() || !rows.chunk(stored, 1).isEmpty()) {
        SlotCheck.ofEngine(rows, findings);
      }
    }
  }

  /** Checks tallies, under a view of its own over all queues. */
  private void checkTallies() {
    try (ReadView view = views.open(store)) {
      new TallyCheck(new ViewRows(view), findings).run();
    }
  }

  private void checkQueue(int queue) {
    try (ReadView view = views.open(store)) {
      ViewRows rows = new ViewRows(view);
      if (QueuePresence.of(rows::get, queue) == QueuePresence.LIVE) {
        new QueueCheck(new QueueRows(rows, queue), store.epoch(), findings).run();
      }
    }
  }
}
