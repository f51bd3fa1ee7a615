package io.millrace.console.source;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import io.millrace.engine.JobEngine;
import io.millrace.worker.RunningJob;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import io.millrace.worker.management.RunningJobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store that this process has open. */
public final class LocalSource implements Source {

  /** The calls of a stack that are shown: those of handlers, and of who calls them. */
  private static final int STACK_LENGTH = 64;

  private static final int RUNNING_COUNT_MAX = 1_000;

  private final JobReader reader;
  private final Optional<JobEngine> engine;
  private final Optional<Changes> changes;
  private final List<Worker> workers;

  /**
   * Creates a source.
   *
   * @param engine the engine whose figures are shown; empty if there is none in this process
   * @param changes empty if the store is only to be read
   */
  public LocalSource(
      JobReader reader,
      Optional<JobEngine> engine,
      Optional<Changes> changes,
      List<Worker> workers) {
    this.reader = reader;
    this.engine = engine;
    this.changes = changes;
    this.workers = List.copyOf(workers);
  }

  @Override
  public Optional<EngineMetrics> metrics() {
    return engine.map(JobEngine::metrics);
  }

  @Override
  public Optional<Changes> changes() {
    return changes;
  }

  @Override
  public Page<QueueStats> queues(PageRequest page) {
    return reader.stats(page);
  }

  @Override
  public Optional<QueueStats> queue(QueueName name) {
    return reader.stats(name);
  }

  @Override
  public SettingsTexts settings(QueueName name) {
    return SettingsTexts.of(reader.settings(name));
  }

  @Override
  public Page<Job> jobs(JobFilter filter, PageRequest page) {
    return reader.list(filter, page);
  }

  @Override
  public Optional<Job> job(JobId id) {
    return reader.get(id);
  }

  @Override
  public Optional<ExplanationTexts> explain(JobId id) {
    return reader.explain(id).map(ExplanationTexts::of);
  }

  @Override
  public Page<BatchStats> batches(PageRequest page) {
    return reader.batches().list(page);
  }

  @Override
  public Optional<BatchStats> batch(BatchId id) {
    return reader.batches().get(id);
  }

  @Override
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return Schedules.list(reader, page);
  }

  @Override
  public Optional<List<Instant>> nextInstants(String schedule, int count) {
    return Schedules.next(reader, schedule, count);
  }

  @Override
  public List<WorkerStatus> workers() {
    return workers.stream().map(LocalSource::status).toList();
  }

  private static WorkerStatus status(Worker worker) {
    String state = worker.isStopped() ? "stopped" : worker.isPaused() ? "paused" : "running";
    List<RunningJobStatus> running =
        worker.running().stream().limit(RUNNING_COUNT_MAX).map(LocalSource::status).toList();
    return new WorkerStatus(worker.name(), state, worker.concurrency(), worker.busy(), running);
  }

  private static RunningJobStatus status(RunningJob job) {
    List<String> stack =
        job.stack().stream().limit(STACK_LENGTH).map(StackTraceElement::toString).toList();
    return new RunningJobStatus(
        job.jobId(),
        job.queue(),
        job.type(),
        job.attempt(),
        job.since(),
        job.progress(),
        job.text(),
        job.thread().getName(),
        stack);
  }

  @Override
  public Page<String> tables(PageRequest page) {
    return reader.tables(page);
  }

  @Override
  public Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page) {
    return reader.table(table, Codec.BYTES, Codec.BYTES).scan(TableRange.prefix(prefix), page);
  }

  @Override
  public VerifyReport verify() {
    return reader.verify();
  }
}
