package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The counters of a queue, made anew by a running engine when their row is lost. Every row of the
 * queue is read; the totals since its creation cannot be told any more and begin at zero.
 */
final class LostCounters {

  private final OpenBatch batch;
  private final int queue;
  private final Recount recount = new Recount();
  private final Set<ByteBuffer> leasedKeys = new HashSet<>();

  private LostCounters(OpenBatch batch, int queue) {
    this.batch = batch;
    this.queue = queue;
  }

  static CountersRecord recount(OpenBatch batch, int queue) {
    LostCounters counting = new LostCounters(batch, queue);
    counting.each(Keyspace.LEASE, counting::countLease);
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      counting.each(keyspace, counting::countJob);
    }
    counting.dropAgenda();
    return counting.recount.counters(new long[Total.values().length], QueueState.NEVER, 0);
  }

  private void each(Keyspace keyspace, BiConsumer<byte[], byte[]> consumer) {
    batch.scan(
        keyspace.queueStart(queue),
        keyspace.queueEnd(queue),
        (key, value) -> {
          consumer.accept(key, value);
          return true;
        });
  }

  /**
   * Counts a lease, and remembers where the leased record is: a corrupt one does not tell whose it
   * is.
   */
  private void countLease(byte[] key, byte[] value) {
    recount.addLeased();
    try {
      leasedKeys.add(ByteBuffer.wrap(LeaseRecord.decode(key, value).readyKey(queue)));
    } catch (CorruptDataException e) {
      // It is known by its key, which a record that can be read is found by.
    }
  }

  private void countJob(byte[] key, byte[] value) {
    if (RowCheck.flaw(key) != null) {
      batch.reportCorrupt(key);
    } else if (Keyspace.ofKey(key) != Keyspace.READY || !isLeased(key, value)) {
      recount.add(key);
    }
  }

  private boolean isLeased(byte[] key, byte[] value) {
    JobRecord job = Records.decodeOrReport(batch, key, value);
    return job == null
        ? leasedKeys.contains(ByteBuffer.wrap(key))
        : batch.get(LeaseKeys.key(queue, job.birth())) != null;
  }

  /**
   * Deletes all AGENDA rows of the queue, for nothing tells any longer which is the right one; the
   * next commit writes that.
   */
  private void dropAgenda() {
    List<byte[]> rows = new ArrayList<>();
    batch.scan(
        Keyspace.AGENDA.start(),
        Keyspace.AGENDA.end(),
        (key, value) -> {
          if (Keyspace.queue(key) == queue) {
            rows.add(key);
          }
          return true;
        });
    rows.forEach(batch::delete);
  }
}
