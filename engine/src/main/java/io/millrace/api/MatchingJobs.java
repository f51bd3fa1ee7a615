package io.millrace.api;

import io.millrace.api.DeadLetters.Checkpointed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * All jobs that meet a filter, to do the same with each of them:
 *
 * <pre>{@code
 * MatchingJobs old = MatchingJobs.of(engine, JobFilter.ALL.queueName("mail").type("newsletter"));
 * long count = old.count();
 * Map<CancelResult, Long> ended = old.cancelIfWaiting();
 * }</pre>
 *
 * <p>Each call looks for the jobs first, page by page as {@link JobReader#list} does, and keeps
 * their ids; then it does what is asked with one after the other. Each of them is a commit of its
 * own, so that others wait for none of it. A job that meets the filter only later is left alone;
 * one that does no longer, or is gone, is asked all the same, and the answer says what came of it.
 * If a call throws, as of an engine that is closed, it has happened to those before. Where all jobs
 * of a queue are to go, {@link JobQueue#purge} is quicker.
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
   * The jobs that meet the filter whenever something is asked of them.
   *
   * @throws IllegalArgumentException the filter says nothing, so that every job would be meant,
   *     those of schedules as well
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

  /** Counts them. */
  public long count() {
    return Page.stream(page -> queues.list(filter, page)).count();
  }

  /** Cancels them as {@link JobQueues#cancel} does; answers how many ended how. */
  @CheckReturnValue
  public Map<CancelResult, Long> cancel() {
    return each(queues::cancel);
  }

  /** As {@link #cancel()}, but leaves jobs alone that somebody works on. */
  @CheckReturnValue
  public Map<CancelResult, Long> cancelIfWaiting() {
    return each(queues::cancelIfWaiting);
  }

  /**
   * Takes the leases on them away as {@link JobQueues#release} does; answers how many ended how.
   */
  @CheckReturnValue
  public Map<JobReleaseResult, Long> release() {
    return each(queues::release);
  }

  /** Makes those that wait wait until then; answers how many ended how. */
  @CheckReturnValue
  public Map<RescheduleResult, Long> reschedule(Instant visibleAt) {
    Limits.instant("visibleAt", visibleAt);
    return each(id -> queues.reschedule(id, visibleAt));
  }

  /** Changes them as {@link JobQueues#update} does; answers how many ended how. */
  @CheckReturnValue
  public Map<UpdateResult, Long> update(UpdateOptions changes) {
    Objects.requireNonNull(changes, "changes");
    return each(id -> queues.update(id, changes));
  }

  /** Makes those ready again that are dead; answers how many it did. */
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
