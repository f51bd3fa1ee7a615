package io.millrace.console.source;

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
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.management.RunningJobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The store that a console shows, whoever holds it. Any thread may ask it. */
public interface Source {

  /**
   * A worker whose jobs can be seen.
   *
   * @param state a word: running, paused, stopping or stopped
   * @param concurrency the total weight of jobs that may run at a time
   * @param busy the total weight of the jobs that it has
   * @param running the jobs that run now, those that have run longest first
   */
  record WorkerStatus(
      String name, String state, int concurrency, int busy, List<RunningJobStatus> running) {}

  /** Returns the engine's figures; empty if no engine has the store open. */
  Optional<EngineMetrics> metrics();

  /** Returns the changes that can be made; empty if the store was opened to be read. */
  Optional<Changes> changes();

  Page<QueueStats> queues(PageRequest page);

  Optional<QueueStats> queue(QueueName name);

  /** Returns the settings that hold for a queue. */
  SettingsTexts settings(QueueName name);

  Page<Job> jobs(JobFilter filter, PageRequest page);

  /**
   * Returns jobs as {@link #jobs} does, but their payloads may be empty, and their kept states and
   * results absent: for who wants to know which jobs there are.
   */
  default Page<Job> jobHeads(JobFilter filter, PageRequest page) {
    return jobs(filter, page);
  }

  Optional<Job> job(JobId id);

  /** Returns the reasons why a job is not running; empty if it no longer exists. */
  Optional<ExplanationTexts> explain(JobId id);

  Page<BatchStats> batches(PageRequest page);

  Optional<BatchStats> batch(BatchId id);

  Page<ScheduleStatus> schedules(PageRequest page);

  /** Returns the next instants of a schedule; empty if it is not there. */
  Optional<List<Instant>> nextInstants(String schedule, int count);

  /** Returns the workers that are known; those of other processes are not. */
  List<WorkerStatus> workers();

  Page<String> tables(PageRequest page);

  Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page);

  /** Reads the whole store and returns what is wrong with it; takes long. */
  VerifyReport verify();
}
