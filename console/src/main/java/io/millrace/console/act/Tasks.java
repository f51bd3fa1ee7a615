package io.millrace.console.act;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.console.http.RefusedException;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.Selection;
import io.millrace.console.source.Source;
import io.millrace.console.thread.Threads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions on many jobs, one after the other on a thread of their own. The jobs of each are
 * found first, since the change may move them; what has been done when it is stopped or fails stays
 * done. Any thread may use it.
 */
public final class Tasks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  /** The jobs that one task changes at the most: their ids take 32 MiB. */
  private static final int JOB_COUNT_MAX = 1_000_000;

  private static final int WAITING_COUNT_MAX = 20;
  private static final int KEPT_COUNT_MAX = 100;
  private static final int PAGE_SIZE = 500;

  private final Source source;
  private final int jobCountMax;
  private final Map<Integer, Task> tasks = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final ExecutorService thread;

  public Tasks(Source source) {
    this(source, JOB_COUNT_MAX);
  }

  Tasks(Source source, int jobCountMax) {
    this.source = source;
    this.jobCountMax = jobCountMax;
    this.thread = Threads.pool("millrace-console-tasks", 1, WAITING_COUNT_MAX);
  }

  /**
   * Begins a task.
   *
   * @throws RefusedException too many wait already
   */
  Task begin(String action, Selection selection, Function<JobId, Outcome> change) {
    String query = Filters.parameters(selection).query();
    Task task = new Task(lastId.incrementAndGet(), action, query, Instant.now());
    tasks.put(task.id(), task);
    forgetOld();
    try {
      thread.execute(() -> run(task, selection, change));
    } catch (RejectedExecutionException e) {
      tasks.remove(task.id());
      throw new RefusedException(
          429, "too many tasks wait: limit=" + WAITING_COUNT_MAX + "; try again later");
    }
    return task;
  }

  private void run(Task task, Selection selection, Function<JobId, Outcome> change) {
    try {
      List<JobId> found = find(task, selection);
      task.begin();
      for (JobId id : found) {
        if (task.isToStop()) {
          break;
        }
        task.add(isStillMeant(selection, id) ? change.apply(id).word() : "CHANGED_MEANWHILE");
      }
      boolean isCut = found.size() >= jobCountMax && !task.isToStop();
      task.end(
          task.isToStop() ? Task.Stage.STOPPED : Task.Stage.DONE,
          isCut ? "These were the first jobs; there may be more: begin it again." : "");
    } catch (RefusedException e) {
      task.end(Task.Stage.FAILED, String.valueOf(e.getMessage())); // its sentence says it all
    } catch (RuntimeException | Error e) {
      LOG.warn("a task of the console has ended early: action={}", task.status().action(), e);
      task.end(Task.Stage.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** Tells whether a job that was found still is what was meant; one that is gone is. */
  private boolean isStillMeant(Selection selection, JobId id) {
    return source.job(id).map(job -> isMeant(selection, job)).orElse(true);
  }

  /** Tells whether those conditions are met that a job may meet now and not later. */
  private static boolean isMeant(Selection selection, Job job) {
    JobFilter filter = selection.filter();
    return filter.states().contains(job.state())
        && job.priority() >= filter.priorityLeast()
        && job.priority() <= filter.priorityMost()
        && job.attempts() >= filter.attemptsLeast()
        && job.attempts() <= filter.attemptsMost()
        && filter
            .errorContains()
            .map(part -> job.lastError().orElse("").contains(part))
            .orElse(true)
        && selection.has(job);
  }

  private List<JobId> find(Task task, Selection selection) {
    List<JobId> found = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<Job> page = source.jobHeads(selection.filter(), new PageRequest(PAGE_SIZE, cursor));
      page.items().stream().filter(selection::has).forEach(job -> found.add(job.id()));
      task.found(found.size());
      cursor = page.next();
    } while (cursor.isPresent() && found.size() < jobCountMax && !task.isToStop());
    return found;
  }

  /** Returns the tasks, the newest first. */
  public List<Task.Status> all() {
    return tasks.values().stream()
        .sorted(Comparator.comparing(Task::id).reversed())
        .map(Task::status)
        .toList();
  }

  public Optional<Task.Status> get(int id) {
    return Optional.ofNullable(tasks.get(id)).map(Task::status);
  }

  /** Lets a task end before its next job; returns whether it is there. */
  boolean stop(int id) {
    Optional<Task> task = Optional.ofNullable(tasks.get(id));
    task.ifPresent(Task::stop);
    return task.isPresent();
  }

  private void forgetOld() {
    tasks.values().stream()
        .filter(Task::isOver)
        .map(Task::id)
        .filter(id -> id <= lastId.get() - KEPT_COUNT_MAX)
        .forEach(tasks::remove);
  }

  /** Stops all tasks; the one that runs ends after its job. */
  @Override
  public void close() {
    tasks.values().forEach(Task::stop);
    thread.shutdownNow();
  }
}
