package io.millrace.api;

import java.util.Optional;

/**
 * What can be seen of a store without changing it. Any thread; every answer is a consistent
 * snapshot and never waits for the engine's own work.
 */
public interface JobReader extends AutoCloseable {

  /** Queues in the store's order, at most {@value Limits#PAGE_SIZE_MAX} a page. */
  Page<QueueName> queues(PageRequest page);

  Optional<QueueStats> stats(QueueName queue);

  Page<Job> peek(QueueName queue, JobState state, PageRequest page);

  /**
   * The job with this id, with its history; empty if it no longer exists.
   *
   * @throws CorruptDataException its record is damaged
   */
  Optional<Job> get(JobId id);

  /** Dead jobs of the queue that match, the earliest death first. */
  Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page);

  /**
   * Reads everything once and compares: records, indexes, counters. Queue by queue, each as of one
   * commit.
   */
  VerifyReport verify();

  @Override
  void close();
}
