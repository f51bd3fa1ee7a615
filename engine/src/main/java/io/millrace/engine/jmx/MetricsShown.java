package io.millrace.engine.jmx;

import io.millrace.api.Distribution;
import io.millrace.api.EngineMetrics;
import io.millrace.management.DistributionSnapshot;
import io.millrace.management.HealthSnapshot;
import io.millrace.management.MetricsSnapshot;
import io.millrace.management.SpreadSnapshot;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine's metrics in the shape that JMX knows. */
record MetricsShown(EngineMetrics metrics) implements MetricsSnapshot {

  @Override
  public long getAtMs() {
    return metrics.at().toEpochMilli();
  }

  @Override
  public long getOpenForMs() {
    return metrics.openFor().toMillis();
  }

  @Override
  public int getRingDepth() {
    return metrics.ringDepth();
  }

  @Override
  public int getRingSize() {
    return metrics.ringSize();
  }

  @Override
  public SpreadSnapshot getCommitNs() {
    return new SpreadShown(metrics.commitNs());
  }

  @Override
  public SpreadSnapshot getSyncNs() {
    return new SpreadShown(metrics.syncNs());
  }

  @Override
  public SpreadSnapshot getGroupRequests() {
    return new SpreadShown(metrics.groupRequests());
  }

  @Override
  public Map<String, Long> getOperations() {
    return QueueShown.named(metrics.operations());
  }

  @Override
  public long getDuplicateCount() {
    return metrics.duplicateCount();
  }

  @Override
  public int getLeaseCount() {
    return metrics.leaseCount();
  }

  @Override
  public int getQueueLeaseCount() {
    return metrics.queueLeaseCount();
  }

  @Override
  public int getParkedClaimCount() {
    return metrics.parkedClaimCount();
  }

  @Override
  public int getRateBucketCount() {
    return metrics.rateBucketCount();
  }

  @Override
  public int getRateLimitedQueueCount() {
    return metrics.rateLimitedQueueCount();
  }

  @Override
  public int getTenantNameCount() {
    return metrics.tenantNameCount();
  }

  @Override
  public int getTenantTurnCount() {
    return metrics.tenantTurnCount();
  }

  @Override
  public int getBroadcastCount() {
    return metrics.broadcastCount();
  }

  @Override
  public int getAwaitCount() {
    return metrics.awaitCount();
  }

  @Override
  public int getListenerCount() {
    return metrics.listenerCount();
  }

  @Override
  public long getWaitingEventCount() {
    return metrics.waitingEventCount();
  }

  @Override
  public long getMissedEventCount() {
    return metrics.missedEventCount();
  }

  @Override
  public @Nullable Long getOldestReaderAgeMs() {
    return metrics.oldestReaderAge().map(Duration::toMillis).orElse(null);
  }

  @Override
  public long getStoreBytes() {
    return metrics.storeBytes();
  }

  @Override
  public long getWindowBytes() {
    return metrics.windowBytes();
  }

  @Override
  public long getSetAsideCount() {
    return metrics.setAsideCount();
  }

  @Override
  public long getTableRowsPut() {
    return metrics.tableRowsPut();
  }

  @Override
  public long getTableRowsDeleted() {
    return metrics.tableRowsDeleted();
  }

  @Override
  public long getTransactionCount() {
    return metrics.transactionCount();
  }

  @Override
  public long getTransactionCallCount() {
    return metrics.transactionCallCount();
  }

  @Override
  public long getTransactionConflictCount() {
    return metrics.transactionConflictCount();
  }

  @Override
  public HealthSnapshot getHealth() {
    return new HealthShown(metrics.health());
  }

  private record SpreadShown(EngineMetrics.Spread spread) implements SpreadSnapshot {

    @Override
    public DistributionSnapshot getRecent() {
      return new DistributionShown(spread.recent());
    }

    @Override
    public DistributionSnapshot getSinceOpening() {
      return new DistributionShown(spread.sinceOpening());
    }
  }

  private record DistributionShown(Distribution distribution) implements DistributionSnapshot {

    @Override
    public long getCount() {
      return distribution.count();
    }

    @Override
    public long getSum() {
      return distribution.sum();
    }

    @Override
    public long getP50() {
      return distribution.p50();
    }

    @Override
    public long getP90() {
      return distribution.p90();
    }

    @Override
    public long getP99() {
      return distribution.p99();
    }

    @Override
    public long getMax() {
      return distribution.max();
    }
  }
}
