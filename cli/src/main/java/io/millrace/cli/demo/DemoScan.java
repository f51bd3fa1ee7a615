package io.millrace.cli.demo;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Enqueues one job for each file. The scan is a job itself: its payload says how far it has come,
 * and a scan that was killed goes on from its last checkpoint.
 *
 * <p>Killed between the enqueue and the checkpoint, it enqueues those files a second time. That is
 * harmless, for the manifest is made by name; and files that appear behind the checkpoint are found
 * by the {@link LastLook}.
 */
final class DemoScan implements Runnable {

  static final QueueName QUEUE = QueueName.of("demo-scan");

  private static final int BATCH_COUNT = 500;
  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT.maxAttempts(Limits.MAX_ATTEMPTS_MAX);

  private final JobQueue scans;
  private final JobQueue files;
  private final LeaseKeeper keeper;
  private final DemoFolders folders;
  private final int failEvery;
  private final Stop stop;

  DemoScan(JobEngine engine, LeaseKeeper keeper, DemoFolders folders, int failEvery, Stop stop) {
    this.scans = engine.queue(QUEUE);
    this.files = engine.queue(FileJobs.QUEUE);
    this.keeper = keeper;
    this.folders = folders;
    this.failEvery = failEvery;
    this.stop = stop;
  }

  /** Enqueues the scan if this store has never had one. */
  static void enqueueOnce(JobEngine engine) {
    JobQueue scans = engine.queue(QUEUE);
    boolean isNew = scans.stats().map(s -> s.total(QueueStats.Total.ENQUEUED)).orElse(0L) == 0;
    if (isNew) {
      scans.enqueue(ScanPosition.START.encode(), OPTIONS);
    }
  }

  @Override
  public void run() {
    ClaimOptions claim =
        ClaimOptions.by("demo-scan")
            .leaseDuration(LeaseKeeper.LEASE)
            .waiting(Duration.ofMillis(500));
    try {
      while (!stop.isRequested() && Pending.of(scans) > 0) {
        for (Lease lease : scans.claim(claim)) {
          scan(lease);
        }
      }
    } catch (RuntimeException e) {
      stop.because(e);
    }
  }

  private void scan(Lease claimed) {
    keeper.hold(List.of(claimed));
    try (Lease lease = claimed) {
      ScanPosition position = ScanPosition.decode(lease.checkpointed().orElseGet(lease::payload));
      FolderWalk walk = folders.walkAfter(position.last());
      while (walk.hasNext()) {
        List<NewJob> jobs = new ArrayList<>(BATCH_COUNT);
        while (jobs.size() < BATCH_COUNT && walk.hasNext()) {
          if (stop.isRequested()) {
            Lost.isHarmless(lease.release()); // the scan goes on from its last checkpoint
            return;
          }
          Found found = walk.next();
          if (found.isJob()) {
            position = position.after(found.name());
            jobs.add(FileJobs.job(found, position.jobCount(), failEvery));
          }
        }
        if (jobs.isEmpty()) {
          continue;
        }
        files.enqueueAll(jobs);
        if (!lease.checkpoint(position.encode()).isDone()) {
          return; // the lease ran out: whoever claims the scan next goes on from the checkpoint
        }
      }
      Lost.isHarmless(lease.complete());
    } finally {
      keeper.letGo(List.of(claimed));
    }
  }
}
