package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * What happens to single jobs, told to JFR recordings that ask for it.
 *
 * <p>An event is made where the thing happens, and written once the batch under way is in the
 * store. What is left of a batch that never happened is forgotten when the next one begins; but for
 * starts that a holder was told of, which go with that one, as their counts do. Whether somebody
 * records is asked once for each batch. While nobody does, nothing is made.
 *
 * <p>Belongs to the commit loop.
 */
public final class JobEvents {

  /** The outcome of jobs whose queue is deleted with them, which no total counts. */
  private static final String QUEUE_DELETED = "QUEUE_DELETED";

  /** The state of a job that is no more. */
  private static final String GONE = "GONE";

  /** Asked whether somebody records their kind; never written. */
  private final JobEvent enqueuedProbe = new JobEnqueuedEvent();

  private final JobEvent claimedProbe = new JobClaimedEvent();
  private final JobEvent endedProbe = new JobEndedEvent();

  /** What the batch under way makes true. */
  private final List<JobEvent> underWay = new ArrayList<>(0);

  /** Births of leased jobs whose queue was deleted: told, though their records are yet to go. */
  private final LongHashSet endedWithQueue = new LongHashSet();

  private boolean isEnqueuedRecorded;
  private boolean isClaimedRecorded;
  private boolean isEndedRecorded;

  /** Asks who records, and forgets what never happened. */
  void beginBatch() {
    if (!underWay.isEmpty()) {
      underWay.removeIf(event -> !event.outlivesBatch());
    }
    isEnqueuedRecorded = enqueuedProbe.isEnabled();
    isClaimedRecorded = claimedProbe.isEnabled();
    isEndedRecorded = endedProbe.isEnabled();
    if (!isEndedRecorded) {
      endedWithQueue.clear();
    }
  }

  /** The batch is in the store. */
  void commitBatch() {
    for (int i = 0; i < underWay.size(); i++) {
      underWay.get(i).commit();
    }
    underWay.clear();
  }

  void enqueued(QueueName queue, int number, JobRecord job) {
    if (isEnqueuedRecorded) {
      add(new JobEnqueuedEvent(), queue, number, job);
    }
  }

  void started(QueueName queue, LeaseEntry lease, JobRecord job) {
    if (isClaimedRecorded) {
      JobClaimedEvent event = new JobClaimedEvent();
      event.lease = lease;
      event.worker = lease.worker();
      event.waited = Math.max(0, lease.startedAtMs() - job.readyAtMs());
      add(event, queue, lease);
    }
  }

  /**
   * An attempt ended.
   *
   * @param outcome what it is counted as
   * @param next the job's state from now on; null if it is no more
   */
  void ended(
      QueueName queue, LeaseEntry lease, Total outcome, @Nullable JobState next, long nowMs) {
    if (isEndedRecorded) {
      end(queue, lease, outcome.name(), next == null ? GONE : next.name(), nowMs);
    }
  }

  /** A job that nobody worked on is no more. */
  void removed(QueueName queue, int number, JobRecord job, Total outcome) {
    if (isEndedRecorded) {
      remove(queue, number, job, outcome.name());
    }
  }

  /** A job that nobody worked on is a dead letter. */
  void died(QueueName queue, int number, JobRecord job) {
    if (isEndedRecorded) {
      JobEndedEvent event = new JobEndedEvent();
      event.outcome = Total.DIED.name();
      event.state = JobState.DEAD.name();
      add(event, queue, number, job);
    }
  }

  /** Whether anybody is to be told what becomes of the jobs of a deleted queue. */
  public boolean isEndRecorded() {
    return isEndedRecorded;
  }

  /** A queue was deleted while somebody worked on a job of it; for who asked whether to tell. */
  public void endedWithQueue(QueueName queue, LeaseEntry lease, long nowMs) {
    endedWithQueue.add(lease.birth());
    end(queue, lease, QUEUE_DELETED, GONE, nowMs);
  }

  /** The queue was not deleted after all. */
  public void notEndedWithQueue(LeaseEntry lease) {
    endedWithQueue.remove(lease.birth());
  }

  /** The record of a job is removed whose queue was deleted. */
  public void removedWithQueue(QueueName queue, int number, JobRecord job) {
    boolean wasTold = endedWithQueue.remove(job.birth());
    if (isEndedRecorded && !wasTold) {
      remove(queue, number, job, QUEUE_DELETED);
    }
  }

  private void end(QueueName queue, LeaseEntry lease, String outcome, String state, long nowMs) {
    JobEndedEvent event = new JobEndedEvent();
    event.worker = lease.worker();
    event.outcome = outcome;
    event.state = state;
    event.ran = Math.max(0, nowMs - lease.startedAtMs());
    add(event, queue, lease);
  }

  private void remove(QueueName queue, int number, JobRecord job, String outcome) {
    JobEndedEvent event = new JobEndedEvent();
    event.outcome = outcome;
    event.state = GONE;
    add(event, queue, number, job);
  }

  private void add(JobEvent event, QueueName queue, LeaseEntry lease) {
    event.job = lease.jobId().toString();
    event.attempt = lease.attempt();
    add(event, queue, lease.type());
  }

  private void add(JobEvent event, QueueName queue, int number, JobRecord job) {
    event.job = job.jobId(number).toString();
    event.attempt = job.attempts();
    add(event, queue, job.type());
  }

  private void add(JobEvent event, QueueName queue, @Nullable String type) {
    event.queue = queue.name();
    event.tenant = queue.tenant();
    event.type = type == null ? queue.name() : type;
    underWay.add(event);
  }
}
