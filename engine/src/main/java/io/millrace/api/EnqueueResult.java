package io.millrace.api;

/** How an enqueue ended. */
public sealed interface EnqueueResult {

  /**
   * The job's id.
   *
   * @throws IllegalStateException there is none, for the queue took no job
   */
  JobId jobId();

  /** The job is in the queue. */
  record Enqueued(JobId jobId) implements EnqueueResult {}

  /**
   * The queue has reached its depth limit; nothing was changed.
   *
   * @param queue the queue that is full
   * @param depthMax its limit
   */
  record QueueFull(QueueName queue, long depthMax) implements EnqueueResult {
    @Override
    public JobId jobId() {
      throw new IllegalStateException("queue is full: queue=" + queue + ", depthMax=" + depthMax);
    }
  }

  /**
   * The queue is being drained; nothing was changed.
   *
   * @param queue the queue that takes no jobs
   */
  record Draining(QueueName queue) implements EnqueueResult {
    @Override
    public JobId jobId() {
      throw new IllegalStateException("queue is being drained: queue=" + queue);
    }
  }
}
