package io.millrace.calls;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import java.util.Optional;

/**
 * A transaction whose new jobs and batches have ids that an earlier one was told and did not use,
 * since it never committed. Whoever names them sees to it that each is used once.
 */
public interface TransactionWithIds extends Transaction {

  /** Tells whether ids turned out to be of no use: a queue was deleted, or the store reopened. */
  boolean areIdsGone();

  /**
   * Enqueues a job as {@link #enqueue} does.
   *
   * @param id the id of the job, if it is made
   * @param holder the job that is known to hold its unique key
   * @return the id, or that of the job that holds the unique key
   * @throws IllegalArgumentException the id is of no job of this priority
   */
  JobId enqueue(QueueName queue, NewJob job, JobId id, Optional<JobId> holder);

  /**
   * Begins a batch as {@link #open} or {@link #start} do.
   *
   * @param id the id of the batch
   */
  void begin(Batch batch, boolean isOpen, BatchId id);
}
