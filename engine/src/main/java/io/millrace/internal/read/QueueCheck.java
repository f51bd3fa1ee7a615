package io.millrace.internal.read;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.read.Rows.Row;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of one queue's rows with each other, through one view.
 *
 * <p>Memory does not grow with the queue: keyspaces are gone through in chunks, and what a row
 * refers to is looked up key by key. So each connection is looked at from both of its ends.
 */
final class QueueCheck {

  private final Rows rows;
  private final Readable readable;
  private final int queue;
  private final long epoch;
  private final Findings findings;
  private final Recount recount = new Recount();
  private int[] priorities = {};

  /**
   * A check of the queue.
   *
   * @param epoch the store's: no token is of a later one
   */
  QueueCheck(Rows rows, int queue, long epoch, Findings findings) {
    this.rows = rows;
    this.readable = new Readable(rows);
    this.queue = queue;
    this.epoch = epoch;
    this.findings = findings;
  }

  void run() {
    findings.addQueue();
    priorities = usedPriorities();
    new JobRowsCheck(this).run();
    new IndexRowsCheck(this).run();
    boolean[] hasCounters = {false};
    eachChunk(
        Keyspace.COUNTERS,
        chunk -> {
          hasCounters[0] = true;
          chunk.forEach(this::checkCounters);
        });
    if (!hasCounters[0]) {
      recount.compare(queue, CountersRecord.empty(), rows, findings);
    }
  }

  private void checkCounters(Row row) {
    CountersRecord counters = findings.decode(row, QueueCheck::decodeCounters);
    if (counters != null) {
      recount.compare(queue, counters, rows, findings);
    }
  }

  private static CountersRecord decodeCounters(byte[] key, byte[] value) {
    CounterKeys.queue(key);
    return CountersRecord.decode(key, value);
  }

  Rows rows() {
    return rows;
  }

  Readable readable() {
    return readable;
  }

  int queue() {
    return queue;
  }

  long epoch() {
    return epoch;
  }

  Findings findings() {
    return findings;
  }

  Recount recount() {
    return recount;
  }

  /** Priorities that READY has rows of, the highest first. */
  int[] priorities() {
    return priorities;
  }

  /** Hands over all of the queue's rows in the keyspace, in chunks. */
  void eachChunk(Keyspace keyspace, Consumer<List<Row>> consumer) {
    rows.eachChunk(rangeOf(keyspace, queue), consumer);
  }

  /** All keys of the keyspace, which must be one whose keys begin with the queue, of the queue. */
  static KeyRange rangeOf(Keyspace keyspace, int queue) {
    byte[] start = new byte[1 + Integer.BYTES];
    start[0] = keyspace.code();
    Bytes.putInt(start, 1, queue);
    return new KeyRange(start, Bytes.prefixEnd(start));
  }

  /** The job's record, wherever it is; null if there is none that can be read. */
  @Nullable JobRecord locate(long birth) {
    if (birth < 0) {
      return null;
    }
    MovedRecord moved = readable.moved(queue, birth);
    if (moved != null) {
      return readable.job(moved.key(), queue, birth);
    }
    for (int priority : priorities) {
      JobRecord unmoved = readable.job(ReadyKeys.key(queue, priority, birth), queue, birth);
      if (unmoved != null) {
        return unmoved;
      }
    }
    return null;
  }

  private int[] usedPriorities() {
    int[] used = new int[Byte.MAX_VALUE - Byte.MIN_VALUE + 1];
    int count = 0;
    KeyRange rest = rangeOf(Keyspace.READY, queue);
    for (List<Row> first = rows.chunk(rest, 1); !first.isEmpty(); first = rows.chunk(rest, 1)) {
      byte[] key = first.get(0).key();
      if (key.length == ReadyKeys.LENGTH_BYTES) {
        used[count++] = ReadyKeys.priority(key);
        rest = rest.from(ReadyKeys.priorityEnd(queue, ReadyKeys.priority(key)));
      } else {
        rest = rest.after(key);
      }
    }
    return Arrays.copyOf(used, count);
  }
}
