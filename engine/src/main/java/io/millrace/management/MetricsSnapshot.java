package io.millrace.management;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an engine does and holds. */
public interface MetricsSnapshot {

  /** When the figures were read, epoch ms. */
  long getAtMs();

  long getOpenForMs();

  /** Requests that wait to be taken up. */
  int getRingDepth();

  int getRingSize();

  /** How long the store took to write a batch. */
  SpreadSnapshot getCommitNs();

  /** How long the store took to make batches durable. */
  SpreadSnapshot getSyncNs();

  /** How many requests shared a batch. */
  SpreadSnapshot getGroupRequests();

  /** What was committed since the opening, in jobs. */
  Map<String, Long> getOperations();

  /** Jobs since the opening that were not enqueued, for another job held their unique key. */
  long getDuplicateCount();

  int getLeaseCount();

  /** Leases on whole queues. */
  int getQueueLeaseCount();

  int getParkedClaimCount();

  /** Token buckets of rate limits that are not full. */
  int getRateBucketCount();

  /** Queues of which claims wanted jobs and found no token, until the next one comes. */
  int getRateLimitedQueueCount();

  /** Names across whose tenants somebody claims. */
  int getTenantNameCount();

  /** Tenants of these names that have a turn. */
  int getTenantTurnCount();

  /** Broadcasts that have not reached all jobs yet that waited for them. */
  int getBroadcastCount();

  /** Waits for the ends of jobs. */
  int getAwaitCount();

  /** Job listeners. */
  int getListenerCount();

  /** Events that wait for job listeners to be told of them. */
  long getWaitingEventCount();

  /** Events since the opening that job listeners were not told. */
  long getMissedEventCount();

  /** Null if nobody is reading. */
  @Nullable Long getOldestReaderAgeMs();

  long getStoreBytes();

  long getWindowBytes();

  /** Corrupt rows set aside since the opening. */
  long getSetAsideCount();

  /** Rows of users' tables that were put since the opening. */
  long getTableRowsPut();

  /** Rows of users' tables that were deleted since the opening. */
  long getTableRowsDeleted();

  /** Transactions that committed since the opening. */
  long getTransactionCount();

  /** Calls of transactions' functions since the opening. */
  long getTransactionCallCount();

  /** Those of the calls that were in vain, for others had changed a row that was read. */
  long getTransactionConflictCount();

  HealthSnapshot getHealth();
}
