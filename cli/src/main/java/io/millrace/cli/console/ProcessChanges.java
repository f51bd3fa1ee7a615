package io.millrace.cli.console;

import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.cli.place.AttachException;
import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.RedriveAction;
import io.millrace.console.source.Changes;
import io.millrace.management.JobEngineMBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes to a store that an engine in another process has open; that engine makes them. */
final class ProcessChanges implements Changes {

  private final EngineTarget engine;
  private final Patience patience;

  ProcessChanges(EngineTarget engine, Patience patience) {
    this.engine = engine;
    this.patience = patience;
  }

  @Override
  public Outcome cancel(JobId id) {
    return Outcome.of(patience.act(() -> cancelled(id)));
  }

  /** Cancels a job through the worker that runs it, which interrupts the handler. */
  private CancelResult cancelled(JobId id) {
    for (LiveWorker worker : engine.workers()) {
      try {
        if (worker.isRunning(id)) {
          return worker.cancel(id);
        }
      } catch (AttachException e) {
        if (!e.isOfEnded()) {
          throw e;
        }
      }
    }
    return engine.change(CancelResult.class, JobEngineMBean::cancel, id);
  }

  @Override
  public Outcome release(JobId id) {
    return Outcome.of(
        patience.act(() -> engine.change(JobReleaseResult.class, JobEngineMBean::release, id)));
  }

  @Override
  public Outcome redrive(JobId id) {
    return Outcome.of(patience.act(() -> engine.change(RedriveAction.of(Checkpointed.KEEP), id)));
  }

  @Override
  public Outcome deleteDead(JobId id) {
    return Outcome.ofDelete(patience.act(() -> engine.change(JobEngineMBean::deleteDead, id)));
  }

  @Override
  public Outcome reschedule(JobId id, Instant visibleAt) {
    long visibleAtMs = visibleAt.toEpochMilli();
    return Outcome.of(
        patience.act(
            () ->
                engine.change(
                    RescheduleResult.class, (bean, job) -> bean.reschedule(job, visibleAtMs), id)));
  }

  @Override
  public Outcome update(JobId id, UpdateOptions changes) {
    return Outcome.of(
        patience.act(
            () ->
                engine.change(
                    UpdateResult.class,
                    (bean, job) ->
                        bean.update(
                            job,
                            changes.texts(),
                            changes.payload().orElse(null),
                            changes.headers().orElse(null)),
                    id)));
  }

  @Override
  public Outcome failStuck(JobId id, String error) {
    return Outcome.of(
        patience.act(
            () -> engine.change(StuckResult.class, (bean, job) -> bean.failStuck(job, error), id)));
  }

  @Override
  public Outcome signal(JobId id, String signal, byte[] payload) {
    return Outcome.of(
        patience.act(
            () ->
                engine.change(
                    SignalResult.class, (bean, job) -> bean.signal(job, signal, payload), id)));
  }

  @Override
  public void pause(QueueName queue) {
    run(() -> engine.pause(queue));
  }

  @Override
  public void resume(QueueName queue) {
    run(() -> engine.resume(queue));
  }

  @Override
  public void drain(QueueName queue) {
    // Whether it is empty already is told by its page.
    run(() -> engine.drain(queue, Duration.ZERO));
  }

  @Override
  public void endDrain(QueueName queue) {
    run(() -> engine.endDrain(queue));
  }

  private void run(Runnable change) {
    patience.act(
        () -> {
          change.run();
          return true;
        });
  }

  @Override
  public long purge(QueueName queue, Set<JobState> states) {
    return patience.actLong(() -> engine.purge(queue, states));
  }

  @Override
  public void configure(QueueName queue, Map<String, String> settings) {
    run(() -> engine.configure(queue, settings));
  }

  @Override
  public boolean deleteQueue(QueueName queue) {
    return patience.actLong(() -> engine.deleteQueue(queue));
  }

  @Override
  public Map<CancelResult, Long> cancelBatch(BatchId id) {
    return patience.actLong(() -> engine.cancelBatch(id));
  }

  @Override
  public boolean pauseSchedule(String name) {
    return patience.act(() -> EngineSchedules.of(engine).pauseSchedule(name));
  }

  @Override
  public boolean resumeSchedule(String name) {
    return patience.act(() -> EngineSchedules.of(engine).resumeSchedule(name));
  }

  @Override
  public Optional<JobId> runSchedule(String name) {
    return patience.act(() -> EngineSchedules.of(engine).runScheduleNow(name));
  }

  @Override
  public void backup(Path folder) {
    patience.actLong(
        () -> {
          engine.backup(folder);
          return true;
        });
  }

  @Override
  public void reopen() {
    patience.actLong(engine::reopen);
  }
}
