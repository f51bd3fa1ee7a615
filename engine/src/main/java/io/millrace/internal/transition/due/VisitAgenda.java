package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.Agenda;
import io.millrace.internal.transition.queue.DueJobs;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A look at queues that are not in memory, when their agenda rows say so: their delayed jobs become
 * ready, and empty ones are removed after a while. The answer is where the next look begins.
 */
public final class VisitAgenda implements Transition<VisitAgenda.Next> {

  private static final int STEP = 500;

  /** The rows that are fetched at once: mostly few queues are due. */
  private static final int LIKELY_ROWS = 16;

  private final byte[] from;
  private final long emptyQueueKeptMs;

  /**
   * The place where the next look begins, and what this one has left.
   *
   * @param key the first row that was not looked at
   * @param timeMs its time; {@link QueueState#NEVER} if there is none
   * @param leftUntilMs when the first delayed job of a queue that was left alone may be due, in
   *     engine time; {@link QueueState#NEVER} if there is none
   * @param rowCount how many rows were looked at
   */
  public record Next(byte[] key, long timeMs, long leftUntilMs, int rowCount) {

    /** Returns the place where a look begins. */
    public static Next at(byte[] key, long timeMs) {
      return new Next(key, timeMs, QueueState.NEVER, 0);
    }

    private Next after(Visits visits) {
      return new Next(key, timeMs, visits.leftUntilMs, visits.count);
    }
  }

  /** The results of the rows that were looked at so far. */
  private static final class Visits {
    private long leftUntilMs = QueueState.NEVER;
    private int count;
  }

  /** Creates a look at the rows from this key to now. */
  public VisitAgenda(byte[] from, long emptyQueueKeptMs) {
    this.from = from;
    this.emptyQueueKeptMs = emptyQueueKeptMs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS.times(STEP);
  }

  @Override
  public Next apply(OpenBatch batch) {
    long nowMs = batch.context().nowMs();
    List<byte[]> rows = new ArrayList<>();
    Next[] next = {Next.at(AgendaKeys.key(nowMs + 1, 0), QueueState.NEVER)};
    batch.scan(
        from,
        Keyspace.AGENDA.end(),
        LIKELY_ROWS,
        (key, value) -> {
          boolean isDue = AgendaKeys.timeMs(key) <= nowMs && rows.size() < STEP;
          if (isDue) {
            rows.add(key);
          } else {
            next[0] = Next.at(key, AgendaKeys.timeMs(key));
          }
          return isDue;
        });
    readTogether(batch, rows);
    Visits visits = new Visits();
    for (byte[] row : rows) {
      if (!batch.hasRoomToSpare(Cost.QUEUE_ROWS)) {
        return Next.at(row, AgendaKeys.timeMs(row)).after(visits);
      }
      visit(batch, AgendaKeys.queue(row), visits);
    }
    return next[0].after(visits);
  }

  /**
   * Reads the counters of queues that are not in memory, and the other rows of those that come in.
   */
  private static void readTogether(OpenBatch batch, List<byte[]> rows) {
    RowReads reads = batch.reads();
    for (byte[] row : rows) {
      int number = AgendaKeys.queue(row);
      if (batch.state().queue(number) == null) {
        byte[] key = CounterKeys.key(number);
        reads.wantByKey(
            key,
            value -> {
              if (leftAloneUntilMs(batch, key, value) <= batch.context().nowMs()) {
                Queues.declare(batch.state(), reads, number);
              }
            });
      }
    }
    reads.fetch();
  }

  private void visit(OpenBatch batch, int number, Visits visits) {
    visits.count++;
    if (batch.state().queue(number) != null) {
      return;
    }
    byte[] key = CounterKeys.key(number);
    long leftUntilMs = leftAloneUntilMs(batch, key, batch.get(key));
    if (leftUntilMs > batch.context().nowMs()) {
      visits.leftUntilMs = Math.min(visits.leftUntilMs, leftUntilMs);
      return;
    }
    QueueState queue = Queues.numbered(batch, number);
    if (queue != null) {
      DueJobs.move(batch, queue, DueJobs.STEP);
      Agenda.setExact(batch, queue, emptyQueueKeptMs);
    }
  }

  /**
   * Returns the engine time until which a queue with ready jobs is left alone: when a delayed job
   * of it may be due, for ready jobs without a claim need nothing. Returns 0 if the queue has no
   * ready job.
   */
  private static long leftAloneUntilMs(OpenBatch batch, byte[] key, byte @Nullable [] value) {
    try {
      CountersRecord counters = value == null ? null : CountersRecord.decode(key, value);
      if (counters == null || counters.states()[JobState.READY.ordinal()] == 0) {
        return 0;
      }
      // The counters do not say on which clock the job waits: it is the one that is ahead.
      long nextMs = counters.nextDelayedAtMs();
      long aheadMs = Math.max(0, batch.context().steadyLeadMs());
      return nextMs == CountersRecord.NONE ? QueueState.NEVER : nextMs - aheadMs;
    } catch (CorruptDataException e) {
      return 0;
    }
  }
}
