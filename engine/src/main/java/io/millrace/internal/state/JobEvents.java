package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of single jobs, for JFR recordings that ask for them.
 *
 * <p>An event is made where it happens, and written once the batch under way is in the store. The
 * events of a batch that never happened are forgotten when the next one begins, except for starts
 * that a holder was told of: these go with the next batch, as their counts do. Whether anybody
 * records is asked once for each batch. While nobody does, no event is made.
 *
 * <p>Belongs to the commit loop.
 */
public final class JobEvents {

  /** The outcome of a job that is deleted with its queue; no total counts such jobs. */
  private static final String QUEUE_DELETED = "QUEUE_DELETED";

  /** The state of a job that is gone. */
  private static final String GONE = "GONE";

  /** An event that is asked whether its kind is recorded, and never written. */
  private final RecordedJobEvent enqueuedProbe = new JobEnqueuedEvent();

  private final RecordedJobEvent claimedProbe = new JobClaimedEvent();
  private final RecordedJobEvent endedProbe = new JobEndedEvent();

  /** The events of the batch under way. */
  private final List<RecordedJobEvent> underWay = new ArrayList<>(0);

  private boolean isEnqueuedRecorded;
  private boolean isClaimedRecorded;
  private boolean isEndedRecorded;

  /** Asks which kinds of events are recorded, and forgets events that never happened. */
  void beginBatch() {
    if (!underWay.isEmpty()) {
      underWay.removeIf(event -> !event.outlivesBatch());
    }
    isEnqueuedRecorded = enqueuedProbe.isEnabled();
    isClaimedRecorded = claimedProbe.isEnabled();
    isEndedRecorded = endedProbe.isEnabled();
  }

  /** Writes the events of the batch to the recordings, once the batch is in the store. */
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
   * Notes that an attempt ended.
   *
   * @param outcome the total by which the end is counted
   * @param next the job's state from now on; null if the job is gone
   */
  void ended(
      QueueName queue, LeaseEntry lease, Total outcome, @Nullable JobState next, long nowMs) {
    if (isEndedRecorded) {
      end(queue, lease, outcome.name(), next == null ? GONE : next.name(), nowMs);
    }
  }

  /** Notes that a job is gone on which nobody worked. */
  void removed(QueueName queue, int number, JobRecord job, Total outcome) {
    if (isEndedRecorded) {
      remove(queue, number, job, outcome.name());
    }
  }

  /** Notes that a job is a dead letter on which nobody worked. */
  void died(QueueName queue, int number, JobRecord job) {
    if (isEndedRecorded) {
      JobEndedEvent event = new JobEndedEvent();
      event.outcome = Total.DIED.name();
      event.state = JobState.DEAD.name();
      add(event, queue, number, job);
    }
  }

  /**
   * Tells whether anybody records the ends of jobs, so that those of a deleted queue are to be
   * told.
   */
  boolean isEndRecorded() {
    return isEndedRecorded;
  }

  /** Notes that a queue was deleted while somebody worked on a job of it. */
  void endedWithQueue(QueueName queue, LeaseEntry lease, long nowMs) {
    if (isEndedRecorded) {
      end(queue, lease, QUEUE_DELETED, GONE, nowMs);
    }
  }

  /** Notes that the record of a job is removed whose queue was deleted. */
  void removedWithQueue(QueueName queue, int number, JobRecord job) {
    if (isEndedRecorded) {
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

  private void add(RecordedJobEvent event, QueueName queue, LeaseEntry lease) {
    event.job = lease.jobId().toString();
    event.attempt = lease.attempt();
    add(event, queue, lease.type());
  }

  private void add(RecordedJobEvent event, QueueName queue, int number, JobRecord job) {
    event.job = job.jobId(number).toString();
    event.attempt = job.attempts();
    add(event, queue, job.type());
  }

  private void add(RecordedJobEvent event, QueueName queue, @Nullable String type) {
    event.queue = queue.name();
    event.tenant = queue.tenant();
    event.type = type == null ? queue.name() : type;
    underWay.add(event);
  }
}
