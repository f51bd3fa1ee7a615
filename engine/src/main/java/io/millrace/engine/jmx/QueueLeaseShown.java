package io.millrace.engine.jmx;

import io.millrace.api.LeasedQueue;
import io.millrace.management.QueueLeaseSnapshot;

/** A lease on a queue in the shape that JMX knows. */
record QueueLeaseShown(LeasedQueue lease) implements QueueLeaseSnapshot {

  @Override
  public String getName() {
    return lease.queue().name();
  }

  @Override
  public String getTenant() {
    return lease.queue().tenant();
  }

  @Override
  public String getWorker() {
    return lease.worker();
  }

  @Override
  public long getSinceMs() {
    return lease.since().toEpochMilli();
  }

  @Override
  public long getUntilMs() {
    return lease.until().toEpochMilli();
  }
}
