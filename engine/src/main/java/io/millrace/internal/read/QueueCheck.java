package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobSearch;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.Row;
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
    priorities = JobSearch.priorities(this::firstKey, queue);
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
      compare(CountersRecord.empty());
    }
  }

  private void checkCounters(Row row) {
    CountersRecord counters = findings.decode(row, CountersRecord::decode);
    if (counters != null) {
      compare(counters);
    }
  }

  /** Holds what is stored against what the rows say. */
  private void compare(CountersRecord stored) {
    byte[] key = CounterKeys.key(queue);
    recount.compare(stored, difference -> findings.problem(key, difference));
    // A queue that has something to serve, now or later, must be looked at in time.
    boolean hasAgenda = stored.agendaAtMs() != CountersRecord.NONE;
    boolean isServed = recount.count(JobState.READY) + recount.count(JobState.DELAYED) > 0;
    if (!hasAgenda && isServed) {
      findings.problem(key, "the queue has ready or delayed jobs and no AGENDA row");
    }
    if (hasAgenda && !rows.has(AgendaKeys.key(stored.agendaAtMs(), queue))) {
      findings.problem(
          key, "no AGENDA row is where the counters say: agendaAt=" + stored.agendaAtMs());
    }
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
    rows.eachChunk(KeyRange.of(keyspace, queue), consumer);
  }

  /** The job's record, wherever it is; null if there is none that can be read. */
  @Nullable JobRecord locate(long birth) {
    try {
      byte[] place = JobSearch.place(rows::get, queue, birth, priorities);
      return place == null ? null : readable.job(place, queue, birth);
    } catch (CorruptDataException e) {
      return null;
    }
  }

  private byte @Nullable [] firstKey(byte[] startInclusive, byte[] endExclusive) {
    List<Row> first = rows.chunk(new KeyRange(startInclusive, endExclusive), 1);
    return first.isEmpty() ? null : first.get(0).key();
  }
}
