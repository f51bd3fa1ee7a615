package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import java.util.function.Supplier;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The place where what happens to single jobs is told, to all who want to know: JFR recordings,
 * callers that wait for the ends of jobs, listeners, and the log. Each event is told here once,
 * where it is counted. Whoever else wants to know is added here.
 *
 * <p>Belongs to the commit loop.
 */
public final class JobLives {

  /** The batch that is assumed while none is under way; nothing happens then. */
  private static final BatchUnderWay NO_BATCH =
      new BatchUnderWay() {
        @Override
        public long number() {
          return 0;
        }

        @Override
        public Durability level() {
          return Durability.SYNCED;
        }

        @Override
        public long nowMs() {
          return 0;
        }
      };

  private final JobEvents recorded = new JobEvents();
  private final ListenedEvents listened = new ListenedEvents();
  private final LostAttempts lost = new LostAttempts();
  private final AwaitedEnds awaited;

  /**
   * The births of leased jobs whose queue was deleted. Their ends were told, though their records
   * are yet to be removed.
   */
  private final LongHashSet endedWithQueue = new LongHashSet();

  private BatchUnderWay batch = NO_BATCH;

  JobLives(UndoLog undoLog, int awaitCountMax) {
    this.awaited = new AwaitedEnds(undoLog, awaitCountMax);
  }

  /** Returns the waits for the ends of jobs. */
  public AwaitedEnds awaited() {
    return awaited;
  }

  /** Returns the events for listeners. */
  public ListenedEvents listened() {
    return listened;
  }

  /** Returns the attempts that ended with their leases. */
  public LostAttempts lost() {
    return lost;
  }

  /** Sets the batch to which everything belongs that happens from here on. */
  public void begin(BatchUnderWay value) {
    batch = value;
  }

  void beginBatch() {
    recorded.beginBatch();
    listened.beginBatch();
    lost.beginBatch();
    if (!isEachTold()) {
      endedWithQueue.clear();
    }
  }

  /** Passes on that the batch is in the store, so that its events have happened. */
  void commitBatch() {
    recorded.commitBatch();
    listened.commitBatch();
    lost.commitBatch();
    batch = NO_BATCH;
  }

  /** Drops the reference to a batch that never happened, so that nothing of it is kept alive. */
  void undoBatch() {
    batch = NO_BATCH;
  }

  void enqueued(QueueName queue, int number, JobRecord job) {
    recorded.enqueued(queue, number, job);
    listened.enqueued(queue, number, job, batch);
  }

  void started(QueueName queue, LeaseEntry lease, JobRecord job) {
    recorded.started(queue, lease, job);
    listened.started(queue, lease, job, batch);
  }

  void ended(QueueName queue, LeaseEntry lease, Total outcome, AttemptEnd end, long nowMs) {
    recorded.ended(queue, lease, outcome, end.next(), nowMs);
    listened.ended(queue, lease, outcome, end, batch);
    awaited.attemptEnded(lease, outcome, end, batch);
  }

  void removed(QueueName queue, int number, JobRecord job, Total outcome) {
    recorded.removed(queue, number, job, outcome);
    happened(queue, number, job, outcome, null);
    awaited.removed(job.birth(), outcome, batch);
  }

  /**
   * Tells of a job that nobody works on and that goes on in another state, for a reason that is
   * counted.
   */
  void moved(QueueName queue, int number, JobRecord job, Total outcome, JobState next) {
    happened(queue, number, job, outcome, next);
  }

  /** Tells of a job on which nobody worked and that is a dead letter now. */
  void died(QueueName queue, int number, JobRecord job, String error) {
    recorded.died(queue, number, job);
    if (listened.isAny()) {
      listened.happened(
          LifeEvent.of(Kind.DIED, queue, number, job, batch.nowMs())
              .now(JobState.DEAD)
              .failed(error),
          batch);
    }
    awaited.died(job, error, batch);
  }

  private void happened(
      QueueName queue, int number, JobRecord job, Total outcome, @Nullable JobState next) {
    if (listened.isAny()) {
      listened.happened(
          LifeEvent.of(ListenedEvents.kind(outcome), queue, number, job, batch.nowMs()).now(next),
          batch);
    }
  }

  /**
   * Tells of a job on which nobody worked and that is lost: its record, or a row that it owns, is
   * damaged.
   */
  public void lost(long birth) {
    awaited.removed(birth, Total.QUARANTINED, batch);
  }

  /** Tells of a tally that is over; its row is encoded if somebody waits for that. */
  public void tallyOver(long number, Supplier<byte[]> encoded) {
    awaited.tallyOver(number, encoded, batch);
  }

  /**
   * Ends the waits for the jobs of a deleted queue. Other events of each job are told apart from
   * this.
   */
  public void queueDropped(int number) {
    awaited.queueDropped(number, batch);
  }

  /** Tells whether anybody is to be told, one by one, of the jobs of a deleted queue. */
  public boolean isEachTold() {
    return recorded.isEndRecorded() || listened.isAny();
  }

  /**
   * Tells of a leased job whose queue was deleted. It is told now, and not again when the job's
   * record is removed.
   */
  public void endedWithQueue(QueueName queue, LeaseEntry lease, long nowMs) {
    if (isEachTold()) {
      endedWithQueue.add(lease.birth());
      recorded.endedWithQueue(queue, lease, nowMs);
      listened.endedWithQueue(queue, lease, batch);
    }
  }

  /**
   * Takes {@link #endedWithQueue} back: the queue was not deleted after all. What was told is
   * forgotten with its batch.
   */
  public void notEndedWithQueue(LeaseEntry lease) {
    endedWithQueue.remove(lease.birth());
  }

  /** Tells of a job whose queue was deleted and whose record is removed now. */
  public void removedWithQueue(QueueName queue, int number, JobRecord job) {
    if (!endedWithQueue.remove(job.birth())) {
      recorded.removedWithQueue(queue, number, job);
      happened(queue, number, job, Total.DELETED, null);
    }
  }
}
