package io.millrace.internal.transition.queue;

import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The move of delayed jobs whose time has come into their lines, in the order of their times.
 *
 * <p>One list holds jobs that wait on two clocks, each under the end of its wait on its own clock:
 * engine time for instants, steady time for lengths. While the clocks agree, one walk from the
 * first row finds what is due. Once the wall clock was set they differ, and each clock has a hand
 * of its own on the list: it takes the jobs that wait on its clock and passes over the others, so
 * that each row is looked at twice at most, however far the clocks are apart. Rows are never
 * rewritten, and nothing about past steps of the clock is remembered but how far the clocks are
 * apart.
 */
public final class DueJobs {

  /** The most rows of one queue that one walk looks at. */
  public static final int STEP = 1_000;

  /** The rows that are fetched at once: mostly few jobs are due. */
  private static final int LIKELY_ROWS = 16;

  /** The cost of one job: DELAYED, READY and MOVED, but for its record. */
  private static final Cost ROW =
      new Cost(3, 4 * RowBytes.KEY + RowBytes.MOVED).plus(Cost.SLOT).plus(Cost.TURN);

  private static final Comparator<Due> IN_ORDER =
      Comparator.comparingLong(Due::dueMs).thenComparingLong(due -> due.job().birth());

  private final OpenBatch batch;
  private final QueueState queue;
  private final int rowCountMax;
  private final List<Due> found = new ArrayList<>();
  private final List<Next> nexts = new ArrayList<>();
  private Cost sum = Cost.NOTHING;
  private boolean wasCut;

  private DueJobs(OpenBatch batch, QueueState queue, int rowCountMax) {
    this.batch = batch;
    this.queue = queue;
    this.rowCountMax = rowCountMax;
  }

  /** A job and the engine time at which its wait was over. */
  private record Due(byte[] key, JobRecord job, long dueMs) {}

  /**
   * The place where the jobs that wait on the clock begin once those that were found have been
   * moved.
   */
  private record Next(DelayClock clock, long timeMs, long birth) {

    private static Next of(DelayClock clock, byte @Nullable [] key) {
      return key == null
          ? new Next(clock, QueueState.NEVER, 0)
          : new Next(clock, DelayedKeys.visibleAtMs(key), DelayedKeys.birth(key));
    }
  }

  /**
   * Moves due jobs, as far as a walk over this many rows finds them and the batch has room to
   * spare; the queue's next delayed times say whether there may be more. Returns whether there was
   * room.
   *
   * @throws StoreException the queue's rows cannot be read; nothing was changed
   */
  public static boolean move(OpenBatch batch, QueueState queue, int rowCountMax) {
    OpenBatch.Context now = batch.context();
    if (!queue.nextDelayed().isDue(now.nowMs(), now.steadyMs())) {
      return true;
    }
    DueJobs due = new DueJobs(batch, queue, rowCountMax);
    if (now.steadyLeadMs() == 0) {
      due.walk(DelayClock.BOTH, now.nowMs());
    } else {
      due.walk(EnumSet.of(DelayClock.STEADY), now.steadyMs());
      due.walk(EnumSet.of(DelayClock.ENGINE), now.nowMs());
    }
    due.readSlots();
    batch.aside(due::moveFound);
    return !due.wasCut;
  }

  /**
   * Tells whether one more row can be moved with those that were found, and counts it with them.
   */
  private boolean hasRoomFor(byte[] value) {
    sum = sum.plus(ROW).plusBytes(value.length);
    boolean hasRoom = batch.hasRoomToSpare(sum);
    wasCut |= !hasRoom;
    return hasRoom;
  }

  private void walk(Set<DelayClock> clocks, long nowMs) {
    byte[] from = queue.nextDelayed().firstKey(queue.number(), clocks);
    if (DelayedKeys.visibleAtMs(from) > nowMs) {
      return;
    }
    List<Row> rows = new ArrayList<>();
    byte[][] end = new byte[1][];
    batch.scan(
        from,
        Keyspace.DELAYED.queueEnd(queue.number()),
        Math.min(rowCountMax + 1, LIKELY_ROWS),
        (key, value) -> {
          boolean isPast =
              DelayedKeys.visibleAtMs(key) <= nowMs
                  && rows.size() < rowCountMax
                  && hasRoomFor(value);
          if (isPast) {
            rows.add(new Row(key, value));
          } else {
            end[0] = key;
          }
          return isPast;
        });
    clocks.forEach(clock -> nexts.add(Next.of(clock, end[0])));
    rows.forEach(row -> take(row, clocks));
  }

  private void take(Row row, Set<DelayClock> clocks) {
    JobRecord job = Records.decodeOrReport(batch, row.key(), row.value());
    if (job == null) {
      return;
    }
    DelayClock clock = job.delayBaseMs() == 0 ? DelayClock.ENGINE : DelayClock.STEADY;
    if (clocks.contains(clock)) {
      long leadMs = clock == DelayClock.ENGINE ? 0 : batch.context().steadyLeadMs();
      found.add(new Due(row.key(), job, DelayedKeys.visibleAtMs(row.key()) - leadMs));
    }
  }

  /** Reads the rows of the found jobs' concurrency keys, so that moving the jobs cannot fail. */
  private void readSlots() {
    Slots.know(batch, queue, found.stream().map(Due::job).toList());
  }

  private void moveFound() {
    for (Next next : nexts) {
      batch.state().setNextDelayed(queue, next.clock, next.timeMs, next.birth);
    }
    batch.state().markChanged(queue);
    found.sort(IN_ORDER);
    for (Due due : found) {
      Moves.move(batch, queue, due.key(), due.job(), Destination.readySince(due.dueMs()));
    }
  }
}
