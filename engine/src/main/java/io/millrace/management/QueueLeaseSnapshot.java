package io.millrace.management;

/** A queue that somebody has leased as a whole. */
public interface QueueLeaseSnapshot {

  String getName();

  /** Empty for the default tenant. */
  String getTenant();

  /** Who has it. */
  String getWorker();

  /** Epoch ms. */
  long getSinceMs();

  /** When the lease ends if nobody lengthens it or ends it before, epoch ms. */
  long getUntilMs();
}
