package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The walk over all queues of a name that finds out which tenants have ready jobs: once, before the
 * first claim across them is served. Queues come into the ring by name; none comes into memory.
 */
public final class WalkTenants {

  /** The number of queues that are looked at together. */
  private static final int STEP = 512;

  private WalkTenants() {}

  /**
   * Goes on with the walk, as far as the claims of this batch may. Returns whether the ring is
   * whole by now.
   *
   * @throws io.millrace.spi.StoreException a row cannot be read
   */
  public static boolean goOn(OpenBatch batch, TenantRing ring) {
    while (!ring.isWhole() && batch.mayWalk()) {
      step(batch, ring);
    }
    return ring.isWhole();
  }

  private static void step(OpenBatch batch, TenantRing ring) {
    byte[] walked = ring.walkFrom();
    List<Row> rows = new ArrayList<>();
    byte[][] next = new byte[1][];
    batch.scan(
        walked == null ? QueueKeys.nameStart(ring.queueName()) : walked,
        QueueKeys.nameEnd(ring.queueName()),
        STEP + 1,
        (key, value) -> {
          boolean isWithin = rows.size() < STEP;
          if (isWithin) {
            batch.noteWalked();
            rows.add(new Row(key, value));
          } else {
            next[0] = key;
          }
          return isWithin;
        });
    look(batch, ring, rows);
    ring.walked(next[0]);
  }

  private static void look(OpenBatch batch, TenantRing ring, List<Row> rows) {
    RowReads reads = batch.reads();
    for (Row row : rows) {
      byte[] counters = counters(row);
      if (counters != null) {
        reads.wantByKey(counters);
      }
    }
    reads.fetch();
    for (Row row : rows) {
      QueueName name = name(row.key());
      if (name != null && mayBeReady(batch, name, counters(row))) {
        ring.keep(name);
      }
    }
  }

  /**
   * Tells whether the queue may have ready jobs. Returns true if its rows are lost: they are made
   * anew when a claim has the queue read into memory, and only then it is known.
   */
  private static boolean mayBeReady(
      OpenBatch batch, QueueName name, byte @Nullable [] countersKey) {
    QueueState known = batch.state().known(name);
    if (known != null && known.isLoaded()) {
      return known.count(JobState.READY) > 0;
    }
    byte[] value = countersKey == null ? null : batch.get(countersKey);
    try {
      return countersKey == null
          || value == null
          || CountersRecord.decode(countersKey, value).states()[JobState.READY.ordinal()] > 0;
    } catch (CorruptDataException e) {
      return true;
    }
  }

  private static @Nullable QueueName name(byte[] key) {
    try {
      return QueueKeys.name(key);
    } catch (CorruptDataException e) {
      // It is of no queue: nobody can claim from it.
      return null;
    }
  }

  private static byte @Nullable [] counters(Row row) {
    try {
      return CounterKeys.key(QueueRecord.decode(row.key(), row.value()).number());
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
