package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.QueueState;
import java.util.ArrayList;
import java.util.List;

/**
 * Queues that are not in memory are looked at when their agenda row says so: their delayed jobs
 * become ready, and empty ones are removed after a while. Answers where the next look begins.
 */
public final class VisitAgenda implements Transition<VisitAgenda.Next> {

  private static final int STEP = 100;

  /** A step ends when the batch has grown to this. */
  private static final int BATCH_OPERATIONS = 8_192;

  private final byte[] from;
  private final long emptyQueueKeptMs;

  /**
   * Where the next look begins.
   *
   * @param key the first row that was not looked at
   * @param timeMs its time; {@link QueueState#NEVER} if there is none
   */
  public record Next(byte[] key, long timeMs) {}

  /** Looks at the rows from this key to now. */
  public VisitAgenda(byte[] from, long emptyQueueKeptMs) {
    this.from = from;
    this.emptyQueueKeptMs = emptyQueueKeptMs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return BATCH_OPERATIONS + DueJobs.STEP_OPERATIONS;
  }

  @Override
  public Next apply(Change change) {
    long nowMs = change.sources().nowMs();
    List<byte[]> rows = new ArrayList<>();
    Next[] next = {new Next(AgendaKeys.key(nowMs + 1, 0), QueueState.NEVER)};
    change.scan(
        from,
        Keyspace.AGENDA.end(),
        (key, value) -> {
          boolean isDue = AgendaKeys.timeMs(key) <= nowMs && rows.size() < STEP;
          if (isDue) {
            rows.add(key);
          } else {
            next[0] = new Next(key, AgendaKeys.timeMs(key));
          }
          return isDue;
        });
    for (byte[] row : rows) {
      if (change.batch().size() > BATCH_OPERATIONS) {
        return new Next(row, AgendaKeys.timeMs(row));
      }
      visit(change, AgendaKeys.queue(row), nowMs);
    }
    return next[0];
  }

  private void visit(Change change, int number, long nowMs) {
    if (change.state().queue(number) != null || isLeftAlone(change, number, nowMs)) {
      return;
    }
    QueueState queue = change.queue(number);
    if (queue != null) {
      QueueCare.settle(change, queue, emptyQueueKeptMs);
    }
  }

  /**
   * Ready jobs without a claim need nothing: a queue that only has those is not read into memory.
   */
  private static boolean isLeftAlone(Change change, int number, long nowMs) {
    byte[] key = CounterKeys.key(number);
    byte[] value = change.get(key);
    try {
      if (value == null) {
        return false;
      }
      CountersRecord counters = CountersRecord.decode(key, value);
      return counters.states()[JobState.READY.ordinal()] > 0 && counters.nextDelayedAtMs() > nowMs;
    } catch (CorruptDataException e) {
      return false;
    }
  }
}
