package io.millrace.console.source;

import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.UpdateOptions;
import io.millrace.console.http.RefusedException;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes to a store that this process has open. */
public final class LocalChanges implements Changes {

  private final JobQueues queues;
  private final Optional<JobEngine> engine;
  private final List<Worker> workers;

  /**
   * Creates the changes.
   *
   * @param engine the engine that can be backed up and opened again; empty if it is not here
   */
  public LocalChanges(JobQueues queues, Optional<JobEngine> engine, List<Worker> workers) {
    this.queues = queues;
    this.engine = engine;
    this.workers = List.copyOf(workers);
  }

  @Override
  public Outcome cancel(JobId id) {
    for (Worker worker : workers) {
      if (worker.running().stream().anyMatch(job -> job.jobId().equals(id))) {
        return Outcome.of(worker.cancel(id));
      }
    }
    return Outcome.of(queues.cancel(id));
  }

  @Override
  public Outcome release(JobId id) {
    return Outcome.of(queues.admin().release(id));
  }

  @Override
  public Outcome redrive(JobId id) {
    Optional<RedriveResult> result =
        queue(id).map(queue -> queues.queue(queue).deadLetters().redrive(id));
    return result.map(Outcome::of).orElse(Outcome.GONE);
  }

  @Override
  public Outcome deleteDead(JobId id) {
    return Outcome.ofDelete(
        queue(id).map(queue -> queues.queue(queue).deadLetters().delete(id)).orElse(false));
  }

  private Optional<QueueName> queue(JobId id) {
    return queues.get(id).map(Job::queue);
  }

  @Override
  public Outcome reschedule(JobId id, Instant visibleAt) {
    return Outcome.of(queues.reschedule(id, visibleAt));
  }

  @Override
  public Outcome update(JobId id, UpdateOptions changes) {
    return Outcome.of(queues.update(id, changes));
  }

  @Override
  public Outcome failStuck(JobId id, String error) {
    return Outcome.of(queues.admin().failStuck(id, error));
  }

  @Override
  public Outcome signal(JobId id, String signal, byte[] payload) {
    return Outcome.of(queues.signal(id, signal, payload));
  }

  @Override
  public void pause(QueueName queue) {
    queues.queue(queue).pause();
  }

  @Override
  public void resume(QueueName queue) {
    queues.queue(queue).resume();
  }

  @Override
  public void drain(QueueName queue) {
    // Whether it is empty already is told by its page.
    var unused = queues.queue(queue).drain(Duration.ZERO);
  }

  @Override
  public void endDrain(QueueName queue) {
    queues.queue(queue).endDrain();
  }

  @Override
  public long purge(QueueName queue, Set<JobState> states) {
    return queues.queue(queue).purge(states);
  }

  @Override
  public void configure(QueueName queue, Map<String, String> settings) {
    queues.queue(queue).configure(now -> now.with(settings));
  }

  @Override
  public boolean deleteQueue(QueueName queue) {
    return queues.queue(queue).delete();
  }

  @Override
  public Map<CancelResult, Long> cancelBatch(BatchId id) {
    return queues.batches().cancel(id);
  }

  @Override
  public boolean pauseSchedule(String name) {
    return Schedules.of(queues).pause(name);
  }

  @Override
  public boolean resumeSchedule(String name) {
    return Schedules.of(queues).resume(name);
  }

  @Override
  public Optional<JobId> runSchedule(String name) {
    return Schedules.of(queues).runNow(name);
  }

  @Override
  public void backup(Path folder) {
    engine().backup(folder);
  }

  @Override
  public void reopen() {
    engine().reopen();
  }

  private JobEngine engine() {
    return engine.orElseThrow(
        () -> new RefusedException("engine is not in this process: ask for this where it is"));
  }
}
