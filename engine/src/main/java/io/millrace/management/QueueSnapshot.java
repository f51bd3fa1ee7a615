package io.millrace.management;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue's counts as of one commit. */
public interface QueueSnapshot {

  String getName();

  /** Empty for the default tenant. */
  String getTenant();

  /** Jobs in each state. */
  Map<String, Long> getCounts();

  /** What has happened since the queue was created. */
  Map<String, Long> getTotals();

  /** How long the longest-waiting of the heads of the priorities has been ready, in ms. */
  @Nullable Long getOldestReadyAgeMs();

  /** ON, DRAINING or PAUSED. */
  String getServing();

  /** Who has leased the queue as a whole; null if nobody has. */
  @Nullable QueueLeaseSnapshot getLease();
}
