package io.millrace.engine;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.QueueStats;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.measure.Gauges;
import io.millrace.internal.measure.Gauges.Gauge;
import io.millrace.internal.measure.Recorder;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.state.EngineTotals;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.StoreClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The source of the figures that an engine tells of itself. Any thread; never waits for the loop.
 */
final class MetricsSource {

  private final EngineClock clock;
  private final CommitLoop loop;
  private final ReopenableStore store;
  private final EngineTotals totals;
  private final QueueLeaseTable queueLeases;
  private final OpenViews views;

  MetricsSource(
      EngineClock clock,
      CommitLoop loop,
      ReopenableStore store,
      WorkingSet state,
      OpenViews views) {
    this.clock = clock;
    this.loop = loop;
    this.store = store;
    this.totals = state.totals();
    this.queueLeases = state.queueLeases();
    this.views = views;
  }

  EngineMetrics metrics() {
    Recorder recorder = store.recorder();
    Gauges gauges = recorder.gauges();
    return new Figures(
        Instant.ofEpochMilli(clock.epochMs()),
        Duration.ofNanos(recorder.openForNs()),
        loop.ringDepth(),
        loop.ringSize(),
        recorder.commitNs(),
        recorder.syncNs(),
        recorder.groupRequests(),
        Map.copyOf(totals.operations()),
        totals.duplicateCount(),
        gauges.count(Gauge.LEASES),
        queueLeases.size(),
        gauges.count(Gauge.PARKED_CLAIMS),
        gauges.count(Gauge.RATE_BUCKETS),
        gauges.count(Gauge.RATE_LIMITED_QUEUES),
        gauges.count(Gauge.TENANT_NAMES),
        gauges.count(Gauge.TENANT_TURNS),
        gauges.count(Gauge.BROADCASTS),
        totals.lives().awaited().count(),
        totals.lives().listened().listenerCount(),
        totals.lives().listened().waitingCount(),
        totals.lives().listened().missedCount(),
        views.oldestAge(),
        storeBytes(),
        gauges.get(Gauge.WINDOW_BYTES),
        totals.setAsideCount(),
        totals.rowsPutCount(),
        totals.rowsDeletedCount(),
        totals.transactionCount(),
        totals.transactionCallCount(),
        totals.transactionConflictCount(),
        loop.health());
  }

  private record Figures(
      Instant at,
      Duration openFor,
      int ringDepth,
      int ringSize,
      EngineMetrics.Spread commitNs,
      EngineMetrics.Spread syncNs,
      EngineMetrics.Spread groupRequests,
      Map<QueueStats.Total, Long> operations,
      long duplicateCount,
      int leaseCount,
      int queueLeaseCount,
      int parkedClaimCount,
      int rateBucketCount,
      int rateLimitedQueueCount,
      int tenantNameCount,
      int tenantTurnCount,
      int broadcastCount,
      int awaitCount,
      int listenerCount,
      long waitingEventCount,
      long missedEventCount,
      Optional<Duration> oldestReaderAge,
      long storeBytes,
      long windowBytes,
      long setAsideCount,
      long tableRowsPut,
      long tableRowsDeleted,
      long transactionCount,
      long transactionCallCount,
      long transactionConflictCount,
      EngineHealth health)
      implements EngineMetrics {}

  private long storeBytes() {
    OptionalLong told;
    try {
      told = store.store().usedBytes();
    } catch (StoreClosedException e) {
      told = OptionalLong.empty();
    }
    return told.isPresent()
        ? told.getAsLong()
        : store.folder().map(MetricsSource::fileBytes).orElse(0L);
  }

  /**
   * Returns the length of all files below the folder, in bytes. Files that vanish meanwhile do not
   * count.
   */
  private static long fileBytes(Path folder) {
    long[] bytes = {0};
    SimpleFileVisitor<Path> adding =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        };
    try {
      Files.walkFileTree(folder, adding);
    } catch (IOException e) {
      throw new UncheckedIOException("store folder cannot be read: folder=" + folder, e);
    }
    return bytes[0];
  }
}
