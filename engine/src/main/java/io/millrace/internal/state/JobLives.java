package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * What happens to single jobs, and all who are told of it: JFR recordings, those who wait for the
 * ends of jobs, listeners, and the log. Whatever happens is told here once, where it is counted;
 * who else wants to know is added here.
 *
 * <p>Belongs to the commit loop.
 */
public final class JobLives {

  /** What is true while there is no batch: nothing happens then. */
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
  private BatchUnderWay batch = NO_BATCH;

  JobLives(UndoLog undoLog, int awaitCountMax) {
    this.awaited = new AwaitedEnds(undoLog, awaitCountMax);
  }

  /** Those who wait for the ends of jobs. */
  public AwaitedEnds awaited() {
    return awaited;
  }

  /** Those who listen to what happens. */
  public ListenedEvents listened() {
    return listened;
  }

  /** Those that ended with their leases. */
  public LostAttempts lost() {
    return lost;
  }

  /** What happens from here on happens with this batch. */
  public void begin(BatchUnderWay value) {
    batch = value;
  }

  void beginBatch() {
    recorded.beginBatch();
    listened.beginBatch();
    lost.beginBatch();
  }

  /** The batch is in the store. */
  void commitBatch() {
    recorded.commitBatch();
    listened.commitBatch();
    lost.commitBatch();
    batch = NO_BATCH;
  }

  /** The batch never happened. Nothing of it is kept alive. */
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

  /** A job on which nobody works goes on elsewhere, for a reason that is counted. */
  void moved(QueueName queue, int number, JobRecord job, Total outcome, JobState next) {
    happened(queue, number, job, outcome, next);
  }

  /** A job on which nobody worked is a dead letter. */
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

  /** A job on which nobody worked is lost: its record, or what it owns, is damaged. */
  public void lost(long birth) {
    awaited.removed(birth, Total.QUARANTINED, batch);
  }

  /** A queue was deleted; what is told of each job, if anything, comes beside this. */
  public void queueDropped(int number) {
    awaited.queueDropped(number, batch);
  }

  /** Whether anybody is to be told, one by one, of the jobs of a deleted queue. */
  public boolean isEachTold() {
    return recorded.isEndRecorded() || listened.isAny();
  }

  /** A queue was deleted while somebody worked on a job of it. */
  public void endedWithQueue(QueueName queue, LeaseEntry lease, long nowMs) {
    if (recorded.isEndRecorded()) {
      recorded.endedWithQueue(queue, lease, nowMs);
    }
    listened.endedWithQueue(queue, lease, batch);
  }

  /** The queue was not deleted after all; listeners forget by themselves what never happened. */
  public void notEndedWithQueue(LeaseEntry lease) {
    recorded.notEndedWithQueue(lease);
  }

  /** The record of a job is removed whose queue was deleted. */
  public void removedWithQueue(QueueName queue, int number, JobRecord job) {
    recorded.removedWithQueue(queue, number, job);
    listened.removedWithQueue(queue, number, job, batch);
  }
}
