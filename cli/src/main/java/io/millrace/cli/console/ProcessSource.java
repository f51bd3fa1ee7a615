package io.millrace.cli.console;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.cli.place.AttachException;
import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.LiveWorker;
import io.millrace.console.source.Changes;
import io.millrace.console.source.Source;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import io.millrace.worker.ScheduleStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A store that an engine in another process has open. */
final class ProcessSource implements Source {

  /** The calls of a stack that are shown, as many as of workers in the console's own process. */
  private static final int STACK_LENGTH = 64;

  private final EngineTarget engine;
  private final Patience patience;
  private final Optional<Changes> changes;

  /**
   * Creates a source.
   *
   * @param changes empty if nobody may change anything
   */
  ProcessSource(EngineTarget engine, Patience patience, Optional<Changes> changes) {
    this.engine = engine;
    this.patience = patience;
    this.changes = changes;
  }

  @Override
  public Optional<EngineMetrics> metrics() {
    return Optional.of(patience.ask(engine::metrics));
  }

  @Override
  public Optional<Changes> changes() {
    return changes;
  }

  @Override
  public Page<QueueStats> queues(PageRequest page) {
    return patience.ask(() -> Filled.small(page, engine::queueStats));
  }

  @Override
  public Optional<QueueStats> queue(QueueName name) {
    return patience.ask(() -> engine.stats(name));
  }

  @Override
  public SettingsTexts settings(QueueName name) {
    return patience.ask(() -> engine.settings(name));
  }

  @Override
  public Page<Job> jobs(JobFilter filter, PageRequest page) {
    return patience.ask(
        () -> Filled.large(page, ProcessSource::bytes, part -> engine.list(filter, part)));
  }

  private static long bytes(Job job) {
    return (long) job.payload().length
        + job.checkpointed().map(kept -> kept.length).orElse(0)
        + job.result().map(result -> result.length).orElse(0);
  }

  @Override
  public Page<Job> jobHeads(JobFilter filter, PageRequest page) {
    return patience.ask(() -> Filled.large(page, job -> 0, part -> engine.jobHeads(filter, part)));
  }

  @Override
  public Optional<Job> job(JobId id) {
    return patience.ask(() -> engine.get(id));
  }

  @Override
  public Optional<ExplanationTexts> explain(JobId id) {
    return patience.ask(() -> engine.explain(id));
  }

  @Override
  public Page<BatchStats> batches(PageRequest page) {
    return patience.ask(() -> Filled.small(page, engine::batches));
  }

  @Override
  public Optional<BatchStats> batch(BatchId id) {
    return patience.ask(() -> engine.batch(id));
  }

  @Override
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return patience.ask(() -> EngineSchedules.of(engine).schedules(page));
  }

  @Override
  public Optional<List<Instant>> nextInstants(String schedule, int count) {
    return patience.ask(() -> EngineSchedules.of(engine).nextInstants(schedule, count));
  }

  @Override
  public List<WorkerStatus> workers() {
    return patience.ask(() -> engine.workers().stream().flatMap(ProcessSource::status).toList());
  }

  /** Returns the status of a worker; none if it has stopped meanwhile. */
  private static Stream<WorkerStatus> status(LiveWorker worker) {
    try {
      LiveWorker.Status status = worker.status();
      return Stream.of(
          new WorkerStatus(
              worker.label(),
              status.state(),
              status.concurrency(),
              status.busy(),
              worker.running(STACK_LENGTH)));
    } catch (AttachException e) {
      if (e.isOfEnded()) {
        return Stream.of();
      }
      throw e;
    }
  }

  @Override
  public Page<String> tables(PageRequest page) {
    return patience.ask(() -> Filled.small(page, engine::tables));
  }

  @Override
  public Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page) {
    return patience.ask(
        () ->
            Filled.large(
                page,
                row -> (long) row.key().length + row.value().length,
                part -> engine.tableRows(table, prefix, part)));
  }

  @Override
  public VerifyReport verify() {
    return patience.askLong(engine::verify);
  }
}
