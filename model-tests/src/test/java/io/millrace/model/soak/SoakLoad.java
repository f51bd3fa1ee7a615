package io.millrace.model.soak;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.model.rig.Dropped;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** A thread of a run: one job in, one job out, as fast as it goes. */
final class SoakLoad implements Runnable {

  private static final int SMALL_BYTES = 200;
  private static final int LARGE_BYTES = 3_000;
  private static final int LARGE_EVERY = 20;
  private static final int FAIL_EVERY = 100;
  private static final EnqueueOptions OPTIONS = EnqueueOptions.DEFAULT.maxAttempts(1_000);

  private final JobQueue queue;
  private final Supplier<SoakPhase> phase;
  private final Map<SoakPhase, Histogram> claimNs = new EnumMap<>(SoakPhase.class);
  private long completedCount;

  SoakLoad(JobQueue queue, Supplier<SoakPhase> phase) {
    this.queue = queue;
    this.phase = phase;
    for (SoakPhase each : SoakPhase.values()) {
      claimNs.put(each, new Histogram(TimeUnit.SECONDS.toNanos(60), 3));
    }
  }

  @Override
  public void run() {
    SoakPhase now = phase.get();
    do {
      enqueue(queue, completedCount);
      long begunNs = System.nanoTime();
      List<Lease> leases = queue.claim(ClaimOptions.by("soak"));
      claimNs.get(now).recordValue(System.nanoTime() - begunNs);
      leases.forEach(this::finish);
      now = phase.get();
    } while (now != SoakPhase.OVER);
  }

  /** A job that fails is ready again, and another must end in its place. */
  private void finish(Lease lease) {
    boolean isFailing = ++completedCount % FAIL_EVERY == 0;
    if (isFailing) {
      Dropped.result(lease.fail("failed by the soak", FailOptions.RETRY.delay(Duration.ZERO)));
      queue.claim(ClaimOptions.by("soak")).forEach(each -> Dropped.result(each.complete()));
    } else {
      Dropped.result(lease.complete());
    }
  }

  static void enqueue(JobQueue queue, long number) {
    queue.enqueue(new byte[number % LARGE_EVERY == 0 ? LARGE_BYTES : SMALL_BYTES], OPTIONS);
  }

  long completedCount() {
    return completedCount;
  }

  Histogram claimNs(SoakPhase of) {
    return claimNs.get(of);
  }
}
