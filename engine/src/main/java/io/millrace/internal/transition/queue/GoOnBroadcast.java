package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.Broadcasts;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A step of a broadcast, with which the next of the jobs that waited for it go on. */
public final class GoOnBroadcast implements Transition<GoOnBroadcast.Progress> {

  /** The most jobs that a step looks at. */
  public static final int STEP = StepRows.COUNT_MAX;

  /** The operations for one woken job: its WAITING, READY, MOVED, TIMER and SLOT, and a turn. */
  private static final int OPERATIONS = 6;

  private static final int BYTES = 4 * RowBytes.MOVED + 8 * RowBytes.KEY;

  private final long sequence;

  /**
   * The progress of a broadcast.
   *
   * @param isOver whether it has reached all jobs that waited
   * @param wokenCount how many jobs it has woken
   */
  public record Progress(boolean isOver, long wokenCount) {}

  /** Creates a step of the broadcast with this sequence. */
  public GoOnBroadcast(long sequence) {
    this.sequence = sequence;
  }

  /** Returns false: a waiting job is leased to nobody. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  /** Counts the queue alone: the step takes the room that there is. */
  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS;
  }

  @Override
  public Progress apply(OpenBatch batch) {
    return step(batch, sequence);
  }

  static Progress step(OpenBatch batch, long sequence) {
    Progress[] progress = {new Progress(true, 0)};
    batch.aside(() -> progress[0] = walk(batch, sequence));
    return progress[0];
  }

  private static Progress walk(OpenBatch batch, long sequence) {
    Broadcasts broadcasts = batch.state().broadcasts();
    BroadcastRecord broadcast = broadcasts.find(sequence);
    if (broadcast == null) {
      return new Progress(true, broadcasts.wokenCount(sequence));
    }
    long nextBirth = wakeSome(batch, sequence, broadcast);
    // As it is now: what is woken is counted where it moves, whoever moves it.
    BroadcastRecord next = Objects.requireNonNull(broadcasts.find(sequence)).at(nextBirth);
    byte[] key = BroadcastKeys.key(sequence);
    if (next.fromBirth() == Long.MAX_VALUE) {
      batch.delete(key);
      batch.onUndo(broadcasts.set(sequence, null));
      broadcasts.noteOver(sequence, next.wokenCount());
      return new Progress(true, next.wokenCount());
    }
    batch.put(key, next.encode(key));
    batch.onUndo(broadcasts.set(sequence, next));
    return new Progress(false, next.wokenCount());
  }

  /**
   * Wakes jobs while there is room; returns the birth of the next one, or the highest if those were
   * all.
   */
  private static long wakeSome(OpenBatch batch, long sequence, BroadcastRecord broadcast) {
    QueueState queue = queue(batch, broadcast.queue());
    if (queue == null) {
      return Long.MAX_VALUE;
    }
    int number = queue.number();
    StepRows step =
        StepRows.read(
            batch,
            WaitingKeys.key(number, broadcast.name(), broadcast.fromBirth()),
            WaitingKeys.end(number, broadcast.name()),
            Math.min(batch.context().stepRows(), batch.state().rules().broadcastStepMax()));
    List<Reached> reached = reached(batch, sequence, step.rows());
    Slots.know(batch, queue, reached.stream().map(Reached::job).toList());
    for (Reached next : reached) {
      Row row = next.row();
      if (!batch.hasRoomToSpare(cost(row, broadcast))) {
        return next.job().birth();
      }
      JobRecord woken = Waits.signalled(next.job(), broadcast.name(), broadcast.payload());
      Waits.wake(batch, queue, row.key(), woken);
    }
    byte[] rest = step.next();
    return rest == null ? Long.MAX_VALUE : WaitingKeys.birth(rest);
  }

  /** A job that waited when the broadcast was made, and its row. */
  private record Reached(Row row, JobRecord job) {}

  private static List<Reached> reached(OpenBatch batch, long sequence, List<Row> rows) {
    List<Reached> reached = new ArrayList<>(rows.size());
    for (Row row : rows) {
      JobRecord job = Records.decodeOrReport(batch, row.key(), row.value());
      if (job != null && job.waitSequence() <= sequence) {
        reached.add(new Reached(row, job));
      }
    }
    return reached;
  }

  private static Cost cost(Row row, BroadcastRecord broadcast) {
    return new Cost(OPERATIONS, BYTES + (long) row.value().length + broadcast.payload().length);
  }

  /** Returns the queue; null if it is deleted, or its rows are lost. */
  private static @Nullable QueueState queue(OpenBatch batch, int number) {
    try {
      return Queues.numbered(batch, number);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
