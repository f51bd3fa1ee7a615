package io.millrace.jmh.load;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The engine with the load spread evenly over many tenants of one name: each enqueue goes to
 * another tenant, each claim is across all of them.
 */
final class TenantsTarget implements Target {

  /**
   * The step from one call's tenant to the next: a prime, so that neighbouring calls go to tenants
   * that are far apart.
   */
  private static final long STRIDE = 7_919;

  private final EngineTarget engine;
  private final int tenantCount;
  private final AtomicLong callCount = new AtomicLong();

  TenantsTarget(EngineTarget engine, LoadOptions options) {
    this.engine = engine;
    this.tenantCount = options.queues().count();
  }

  private JobQueue next() {
    return engine.spreadQueue(callCount.getAndIncrement() * STRIDE % tenantCount);
  }

  @Override
  public void enqueue(List<byte[]> payloads) {
    next().enqueueAll(payloads.stream().map(NewJob::of).toList());
  }

  @Override
  public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
    return payloads.size() == 1
        ? next().enqueueAsync(payloads.get(0), EnqueueOptions.DEFAULT)
        : next().enqueueAllAsync(payloads.stream().map(NewJob::of).toList());
  }

  @Override
  public Claimed claim(int max) {
    return engine.claimAcrossTenants(max);
  }

  @Override
  public CompletableFuture<? extends Claimed> claimAsync(int max) {
    return engine.claimAcrossTenantsAsync(max);
  }

  /** Does nothing: the engine is closed by its opener. */
  @Override
  public void close() {}
}
