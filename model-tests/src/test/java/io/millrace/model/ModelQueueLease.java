package io.millrace.model;

import io.millrace.api.QueueName;

/** A lease on a whole queue as the model keeps it. */
public final class ModelQueueLease {

  public final QueueName queue;
  public final String worker;
  public long deadlineMonotonicMs;

  /** How long it lasts after an outage. */
  public long grantedMs;

  boolean isEnded;

  ModelQueueLease(QueueName queue, String worker, long grantedMs) {
    this.queue = queue;
    this.worker = worker;
    this.grantedMs = grantedMs;
  }

  /** Whether it has not ended. */
  public boolean isCurrent() {
    return !isEnded;
  }
}
