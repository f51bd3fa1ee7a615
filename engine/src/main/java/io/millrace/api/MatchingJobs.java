package io.millrace.api;

import io.millrace.MillraceException;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.options.Checks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * All jobs that meet a filter, for doing the same to each of them:
 *
 * <pre>{@code
 * MatchingJobs old = MatchingJobs.of(engine, JobFilter.ALL.queueName("mail").type("newsletter"));
 * long count = old.count();
 * Map<CancelResult, Long> ended = old.cancelIfWaiting();
 * }</pre>
 *
 * <p>Each call first searches for the jobs, page by page as {@link JobReader#list} does, and keeps
 * their ids. Then it applies its operation to one job after the other. Each operation is a commit
 * of its own, so that other requests do not have to wait for the whole call. A job that meets the
 * filter only later is left alone. The operation is also tried on a job that no longer meets the
 * filter, or is gone, and its result is counted. If a call throws, for example because the engine
 * is closed, the operation has happened to the jobs before. If all jobs of a queue are to be
 * removed, {@link JobQueue#purge} is quicker.
 *
 * <p>Thread-safe, for as long as the queues are open.
 */
public final class MatchingJobs {

  private final JobQueues queues;
  private final JobFilter filter;

  private MatchingJobs(JobQueues queues, JobFilter filter) {
    this.queues = queues;
    this.filter = filter;
  }

  /**
   * Returns the jobs that meet the filter at the time of each later call.
   *
   * @throws IllegalArgumentException the filter has no condition, so that it matches every job,
   *     including those of schedules
   */
  public static MatchingJobs of(JobQueues queues, JobFilter filter) {
    Objects.requireNonNull(queues, "queues");
    if (Objects.requireNonNull(filter, "filter").equals(JobFilter.ALL)) {
      throw new IllegalArgumentException(
          "filter is met by all jobs: value="
              + filter
              + "; say a condition, such as queueName, or all states if all are meant");
    }
    return new MatchingJobs(queues, filter);
  }

  /**
   * Counts the jobs.
   *
   * @throws MillraceException as {@link JobReader#list}
   */
  public long count() {
    return Page.stream(page -> queues.list(filter, page)).count();
  }

  /**
   * Cancels the jobs as {@link JobQueues#cancel} does. Returns how often each result occurred.
   *
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  @CheckReturnValue
  public Map<CancelResult, Long> cancel() {
    return each(queues::cancel);
  }

  /**
   * Cancels the jobs as {@link JobQueues#cancelIfWaiting} does, leaving jobs alone that a worker
   * holds. Returns how often each result occurred.
   *
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  @CheckReturnValue
  public Map<CancelResult, Long> cancelIfWaiting() {
    return each(queues::cancelIfWaiting);
  }

  /**
   * Takes the leases on the jobs away as {@link JobAdmin#release} does. Returns how often each
   * result occurred.
   *
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  @CheckReturnValue
  public Map<JobReleaseResult, Long> release() {
    return each(id -> queues.admin().release(id));
  }

  /**
   * Makes the waiting jobs wait until the instant, as {@link JobQueues#reschedule} does. Returns
   * how often each result occurred.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999; nothing was changed
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  @CheckReturnValue
  public Map<RescheduleResult, Long> reschedule(Instant visibleAt) {
    Checks.instant("visibleAt", visibleAt);
    return each(id -> queues.reschedule(id, visibleAt));
  }

  /**
   * Changes the jobs as {@link JobQueues#update} does. Returns how often each result occurred.
   *
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  @CheckReturnValue
  public Map<UpdateResult, Long> update(UpdateOptions changes) {
    Objects.requireNonNull(changes, "changes");
    return each(id -> queues.update(id, changes));
  }

  /**
   * Redrives the dead ones of the jobs. Returns how many became ready again.
   *
   * @throws MillraceException as the operation and as {@link JobReader#list}; the operation has
   *     happened to the jobs before
   */
  public long redrive(Checkpointed checkpointed) {
    Objects.requireNonNull(checkpointed, "checkpointed");
    return each(id -> redrive(id, checkpointed)).getOrDefault(true, 0L);
  }

  private boolean redrive(JobId id, Checkpointed checkpointed) {
    Optional<QueueName> queue = queues.get(id).map(Job::queue);
    return queue.isPresent()
        && queues.queue(queue.get()).deadLetters().redrive(id, checkpointed).isDone();
  }

  private <R extends Comparable<? super R>> Map<R, Long> each(Function<JobId, R> act) {
    List<JobId> ids = Page.stream(page -> queues.list(filter, page)).map(Job::id).toList();
    Map<R, Long> counts = new TreeMap<>();
    ids.forEach(id -> counts.merge(act.apply(id), 1L, Long::sum));
    return counts;
  }
}
