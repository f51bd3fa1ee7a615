package io.millrace.internal.read;

import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import java.util.Arrays;
import java.util.List;

/**
 * The search for rows that no other check goes over: those of no queue that exists, or of no
 * keyspace.
 */
final class ForeignRowsCheck {

  private final ShortViews views;
  private final int keyBytesMax;
  private final Findings findings;

  ForeignRowsCheck(ShortViews views, int keyBytesMax, Findings findings) {
    this.views = views;
    this.keyBytesMax = keyBytesMax;
    this.findings = findings;
  }

  void run() {
    for (Keyspace keyspace : Keyspace.values()) {
      boolean isChecked = keyspace == Keyspace.QUEUE_NAME;
      if (keyspace.isByQueue() && !isChecked) {
        checkQueues(keyspace);
      }
    }
    byte[] last = new byte[keyBytesMax];
    Arrays.fill(last, (byte) 0xff);
    reportAll(new KeyRange(new byte[] {0}, Keyspace.META.start()));
    reportAll(new KeyRange(Keyspace.last().end(), last));
  }

  private void reportAll(KeyRange range) {
    views.eachChunk(
        range,
        (rows, chunk) ->
            chunk.forEach(row -> findings.problem(row.key(), "the row is of no known keyspace")));
  }

  /** Checks the first row of each queue, and passes over the others. */
  private void checkQueues(Keyspace keyspace) {
    KeyRange rest = KeyRange.of(keyspace);
    while (!rest.isEmpty()) {
      KeyRange range = rest;
      rest = views.answer(rows -> checkFirst(keyspace, rows, range));
    }
  }

  /**
   * Looks at the range's first row, and returns the part of the range behind the rows of its queue.
   */
  private KeyRange checkFirst(Keyspace keyspace, ViewRows rows, KeyRange range) {
    List<Row> first = rows.chunk(range, 1);
    if (first.isEmpty()) {
      return new KeyRange(range.endExclusive(), range.endExclusive());
    }
    byte[] key = first.get(0).key();
    int queue = Keyspace.queue(key);
    if (queue < 0) {
      findings.problem(key, "the key is of no queue");
      return range.after(key);
    }
    boolean isOfEngine =
        (keyspace == Keyspace.SLOT && queue == SlotKeys.ENGINE)
            || (keyspace == Keyspace.SIGNAL && queue == BroadcastKeys.QUEUE);
    if (!isOfEngine && QueuePresence.of(rows::get, queue) == QueuePresence.UNKNOWN) {
      findings.problem(
          key, "the rows' queue does not exist: number=" + queue + ", this is the first of them");
    }
    return range.from(keyspace.queueEnd(queue));
  }
}
