package io.millrace.cli.place;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import java.nio.file.Path;
import java.util.Optional;

/** The store that a command works on, whoever holds it. For one thread. */
public interface Target extends AutoCloseable {

  /** Where the store is, as an engine takes it. */
  String location();

  Page<QueueName> queues(PageRequest page);

  Optional<QueueStats> stats(QueueName queue);

  Page<Job> peek(QueueName queue, JobState state, PageRequest page);

  Optional<Job> get(JobId id);

  Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page);

  VerifyReport verify();

  /** Makes a dead job ready again; says whether it was dead. */
  boolean redrive(JobId id);

  /** Makes all dead jobs of a queue ready again that match; answers how many. */
  long redriveAll(QueueName queue, DeadFilter filter);

  /** Removes a dead job for good; says whether it was there. */
  boolean delete(JobId id);

  /** Removes all dead jobs of a queue for good that match; answers how many. */
  long deleteAll(QueueName queue, DeadFilter filter);

  /** Writes a consistent copy of the store into an empty or absent folder. */
  void backup(Path folder);

  @Override
  void close();
}
