package io.millrace.model;

import io.millrace.api.QueueName;

/** A lease on a whole queue as the model keeps it. */
public final class ModelQueueLease {

  public final QueueName queue;
  public final String worker;
  public long deadlineMonotonicMs;
  boolean isEnded;

  ModelQueueLease(QueueName queue, String worker, long deadlineMonotonicMs) {
    this.queue = queue;
    this.worker = worker;
    this.deadlineMonotonicMs = deadlineMonotonicMs;
  }

  /** Whether it has not ended. */
  public boolean isCurrent() {
    return !isEnded;
  }
}
