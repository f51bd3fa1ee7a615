package io.millrace.cli.demo;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.worker.JobContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Enqueues one job for each file. The scan is a job itself: its checkpoint says how far it has
 * come, and a scan that was killed goes on from its last checkpoint.
 *
 * <p>Killed between the enqueue and the checkpoint, it enqueues those files a second time. That is
 * harmless, for the manifest is made by name; and files that appear behind the checkpoint are found
 * by the {@link LastLook}.
 */
final class DemoScan {

  static final QueueName QUEUE = QueueName.of("demo-scan");

  private static final int BATCH_COUNT = 500;
  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT.maxAttempts(Limits.MAX_ATTEMPTS_MAX);

  private final JobQueue files;
  private final DemoFolders folders;
  private final int failEvery;
  private final Stop stop;

  DemoScan(JobQueue files, DemoFolders folders, int failEvery, Stop stop) {
    this.files = files;
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

  void handle(byte[] payload, JobContext job) {
    try {
      scan(ScanPosition.decode(job.checkpointed().orElse(payload)), job);
    } catch (RuntimeException e) {
      if (!job.isToStop()) {
        stop.because(e);
      }
      throw e;
    }
  }

  private void scan(ScanPosition start, JobContext job) {
    ScanPosition position = start;
    FolderWalk walk = folders.walkAfter(position.last());
    while (walk.hasNext()) {
      List<NewJob> jobs = new ArrayList<>(BATCH_COUNT);
      while (jobs.size() < BATCH_COUNT && walk.hasNext()) {
        job.checkAlive(); // the scan goes on from its last checkpoint
        Found found = walk.next();
        if (found.isJob()) {
          position = position.after(found.name());
          jobs.add(FileJobs.job(found, position.jobCount(), failEvery));
        }
      }
      if (!jobs.isEmpty()) {
        files.enqueueAll(jobs);
        job.checkpoint(position.encode());
      }
    }
  }
}
