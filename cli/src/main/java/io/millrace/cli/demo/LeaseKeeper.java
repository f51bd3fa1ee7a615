package io.millrace.cli.demo;

import io.millrace.MillraceException;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Extends the leases of jobs that take longer than a lease lasts: huge files, slow disks. Any
 * thread.
 */
final class LeaseKeeper implements AutoCloseable {

  /** Short enough that the job of a worker that hangs up is soon served again. */
  static final Duration LEASE = Duration.ofSeconds(30);

  private final JobEngine engine;
  private final Set<Lease> held = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-lease-keeper");
            thread.setDaemon(true);
            return thread;
          });

  LeaseKeeper(JobEngine engine) {
    this.engine = engine;
    long everyMs = LEASE.dividedBy(3).toMillis();
    timer.scheduleWithFixedDelay(this::extendAll, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  /** Keeps these leases from running out until they are let go. */
  void hold(Collection<Lease> leases) {
    held.addAll(leases);
  }

  void letGo(Collection<Lease> leases) {
    held.removeAll(leases);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void extendAll() {
    List<Lease> leases = List.copyOf(held);
    if (leases.isEmpty()) {
      return;
    }
    try {
      Lost.isHarmless(engine.extendAll(leases, LEASE));
    } catch (MillraceException e) {
      // The next request of the worker that holds them meets the same trouble and tells it.
    }
  }
}
