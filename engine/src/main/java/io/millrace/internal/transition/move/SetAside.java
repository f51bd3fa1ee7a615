package io.millrace.internal.transition.move;

import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures for rows that cannot be read, and for jobs whose records cannot be read. */
public final class SetAside {

  private SetAside() {}

  /**
   * Moves a row to QUARANTINE as it was found. If it was the record of a job that may be of a
   * tally, these are counted anew.
   */
  public static void row(OpenBatch batch, byte[] key, byte[] value, @Nullable String reason) {
    byte[] asideKey = QuarantineKeys.key(batch.nowMs(), key);
    String told = reason == null ? "unreadable" : reason;
    batch.put(asideKey, new QuarantineRecord(value, told).encode(asideKey));
    batch.state().totals().countSetAside();
    batch.delete(key);
    Keyspace keyspace = Keyspace.ofKey(key);
    if (keyspace.isOfJobs() && !StateTraits.in(keyspace).isFinal()) {
      LostTallies.recount(batch);
    }
  }

  /**
   * Deletes the rows that a job owns beside its record, which is lost. Its timer is noted to be
   * looked for.
   */
  public static void owned(OpenBatch batch, int queue, long birth) {
    List<byte[]> rows = new ArrayList<>();
    for (Holdings.Range range : Holdings.ranges(queue, birth)) {
      batch.scan(range.start(), range.end(), (rowKey, value) -> rows.add(rowKey));
    }
    // As many as payloads of signals are kept for it: nobody has declared them.
    batch.aside(() -> rows.forEach(batch::delete));
    UniqueHolds.forget(batch, queue, birth);
    // Its time is in the record, so it can only be found by looking at all.
    batch.state().lostTimers().add(birth);
  }

  /** Counts a job of the queue as lost, which was not leased. */
  public static void count(OpenBatch batch, QueueState queue, long birth) {
    batch.state().totals().lives().lost(birth);
    queue.countTotal(Total.QUARANTINED);
    batch.state().markChanged(queue);
  }
}
