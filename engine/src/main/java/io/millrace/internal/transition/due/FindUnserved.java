package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.UnservedQueues;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.StepRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of the walk that finds the queues with ready jobs that nobody serves ({@link
 * UnservedQueues}). Changes nothing, and brings no queue into memory.
 *
 * <p>The walk goes by the agenda, where each queue with ready jobs has a row whose time has passed:
 * queues without any are not met, but for those that have been emptied of late.
 */
public final class FindUnserved implements Transition<FindUnserved.Step> {

  /** The first row behind those of queues that were deleted. */
  private static final byte[] START = AgendaKeys.start(AgendaKeys.DROPPED_MS + 1);

  private static final int ROW_COUNT_MAX = 250;

  private final byte[] from;

  /**
   * The result of a step.
   *
   * @param queues those that nobody serves
   * @param next where the next step begins; null if there is none
   */
  public record Step(List<QueueName> queues, byte @Nullable [] next) {}

  private FindUnserved(byte[] from) {
    this.from = from;
  }

  /** Returns the step that begins where the one before has ended; at the beginning for null. */
  public static FindUnserved from(byte @Nullable [] next) {
    return new FindUnserved(next == null ? START : next);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Step apply(OpenBatch batch) {
    byte[] end = AgendaKeys.end(batch.context().nowMs());
    StepRows step = StepRows.read(batch, from, end, ROW_COUNT_MAX);
    for (Row row : step.rows()) {
      want(batch, AgendaKeys.queue(row.key()));
    }
    batch.reads().fetch();
    List<QueueName> queues = new ArrayList<>();
    for (Row row : step.rows()) {
      QueueName queue = unserved(batch, AgendaKeys.queue(row.key()));
      if (queue != null) {
        queues.add(queue);
      }
    }
    return new Step(queues, step.next());
  }

  /** Wants the rows that tell of a queue that is not in memory. */
  private static void want(OpenBatch batch, int number) {
    if (batch.state().queue(number) != null) {
      return;
    }
    RowReads reads = batch.reads();
    byte[] counters = CounterKeys.key(number);
    byte[] name = QueueNameKeys.key(number);
    reads.wantByKey(
        counters,
        value -> {
          if (value != null && isOpen(CountersRecord.decode(counters, value))) {
            reads.wantByKey(
                name,
                named -> {
                  if (named != null) {
                    reads.wantByKey(QueueKeys.key(QueueNameRecord.decode(name, named).name()));
                  }
                });
          }
        });
  }

  /**
   * Returns the queue of this number if nobody serves it; null else, and if a row of it is damaged.
   */
  private static @Nullable QueueName unserved(OpenBatch batch, int number) {
    QueueState known = batch.state().queue(number);
    try {
      QueueName queue = known != null ? unservedKnown(known) : unservedStored(batch, number);
      return queue == null || isServed(batch.state(), queue) ? null : queue;
    } catch (CorruptDataException e) {
      // Whoever uses the queue sets it aside.
      return null;
    }
  }

  private static @Nullable QueueName unservedKnown(QueueState queue) {
    boolean isOpen =
        !queue.record().paused()
            && queue.count(JobState.READY) > 0
            && queue.count(JobState.LEASED) == 0;
    return isOpen && !queue.isAwaited() ? queue.name() : null;
  }

  private static @Nullable QueueName unservedStored(OpenBatch batch, int number) {
    byte[] countersKey = CounterKeys.key(number);
    byte[] counters = batch.get(countersKey);
    if (counters == null || !isOpen(CountersRecord.decode(countersKey, counters))) {
      return null;
    }
    byte[] nameKey = QueueNameKeys.key(number);
    byte[] named = batch.get(nameKey);
    if (named == null) {
      return null;
    }
    QueueName name = QueueNameRecord.decode(nameKey, named).name();
    byte[] key = QueueKeys.key(name);
    byte[] queue = batch.get(key);
    boolean isItself = queue != null && isOfNumber(number, QueueRecord.decode(key, queue));
    TenantRing tenants = batch.state().tenants().find(name.name());
    return isItself && (tenants == null || !tenants.hasParked()) ? name : null;
  }

  private static boolean isOfNumber(int number, QueueRecord record) {
    return record.number() == number && !record.paused();
  }

  private static boolean isOpen(CountersRecord counters) {
    return counters.states()[JobState.READY.ordinal()] > 0
        && counters.states()[JobState.LEASED.ordinal()] == 0;
  }

  private static boolean isServed(WorkingSet state, QueueName queue) {
    return state.unserved().served().isServed(queue) || state.queueLeases().find(queue) != null;
  }
}
