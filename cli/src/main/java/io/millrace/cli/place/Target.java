package io.millrace.cli.place;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.DrainResult;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The store that a command works on, whoever holds it. For one thread. */
public interface Target extends AutoCloseable {

  /** Returns the location of the store, as an engine takes it. */
  String location();

  Page<QueueName> queues(PageRequest page);

  Optional<QueueStats> stats(QueueName queue);

  /** Returns jobs that meet the filter, queue by queue and state by state. */
  Page<Job> list(JobFilter filter, PageRequest page);

  Optional<Job> get(JobId id);

  /** Returns batches in the order in which they were begun. */
  Page<BatchStats> batches(PageRequest page);

  Optional<BatchStats> batch(BatchId id);

  /** Cancels a batch; returns how many of its jobs had which result. */
  Map<CancelResult, Long> cancelBatch(BatchId id);

  /** Returns the reasons why a job is not running; empty if it no longer exists. */
  Optional<ExplanationTexts> explain(JobId id);

  Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page);

  VerifyReport verify();

  /** Returns the names of users' tables. */
  Page<String> tables(PageRequest page);

  /** Returns rows of a user's table whose keys begin with the prefix. */
  Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page);

  /** Changes a job; returns how that ended. */
  <R> R change(JobAction<R> action, JobId id);

  /** Makes all dead jobs of a queue ready again that match; returns how many. */
  long redriveAll(QueueName queue, DeadFilter filter, Checkpointed checkpointed);

  /** Removes all dead jobs of a queue for good that match; returns how many. */
  long deleteAll(QueueName queue, DeadFilter filter);

  /** Returns the settings that hold for a queue. */
  SettingsTexts settings(QueueName queue);

  /** Returns the settings of a name, for its queues of all tenants. */
  SettingsTexts settings(String queueName);

  /** Changes a queue's own settings, by texts; returns those that hold then. */
  SettingsTexts configure(QueueName queue, Map<String, String> changes);

  /** Changes the settings of a name, by texts; returns those that it has then. */
  SettingsTexts configure(String queueName, Map<String, String> changes);

  /** Stops serving claims of a queue. */
  void pause(QueueName queue);

  /** Serves claims of a queue again. */
  void resume(QueueName queue);

  /** Ends the lease on a queue, whoever has it; returns whether there was one. */
  boolean endQueueLease(QueueName queue);

  /** Refuses enqueues to a queue, and waits until no job is left to be worked on. */
  DrainResult drain(QueueName queue, Duration waiting);

  /** Takes enqueues to a queue again. */
  void endDrain(QueueName queue);

  /** Removes all jobs of a queue in these states; returns how many. */
  long purge(QueueName queue, Set<JobState> states);

  /** Deletes a queue with all its jobs; returns whether it was there. */
  boolean deleteQueue(QueueName queue);

  /** Sends a signal to all jobs of a queue that wait for it; returns how many did. */
  long broadcast(QueueName queue, String signal, byte[] payload);

  /** Writes a consistent copy of the store into an empty or absent folder. */
  void backup(Path folder);

  @Override
  void close();
}
