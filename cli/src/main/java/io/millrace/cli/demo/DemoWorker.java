package io.millrace.cli.demo;

import io.millrace.api.ClaimOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Hashes files until told to stop: claims a batch of jobs, works on them one by one, writes the
 * results to the journal with one sync, and completes the jobs with one commit.
 */
final class DemoWorker implements Runnable {

  /** After so many attempts an error that might have passed is taken for one that stays. */
  private static final int ERROR_ATTEMPTS_MAX = 3;

  private static final int BATCH_COUNT_MAX = 64;

  private final JobEngine engine;
  private final JobQueue files;
  private final LeaseKeeper keeper;
  private final ResultJournal journal;
  private final FileHasher hasher;
  private final Stop stop;
  private final ClaimOptions claim;

  DemoWorker(
      String name, JobEngine engine, LeaseKeeper keeper, ResultJournal journal, Tools tools) {
    this.engine = engine;
    this.files = engine.queue(FileJobs.QUEUE);
    this.keeper = keeper;
    this.journal = journal;
    this.hasher = tools.hasher();
    this.stop = tools.stop();
    this.claim =
        ClaimOptions.by(name)
            .max(BATCH_COUNT_MAX)
            .capacity(FileJobs.WEIGHT_MAX)
            .maxWeight(FileJobs.WEIGHT_MAX)
            .leaseDuration(LeaseKeeper.LEASE)
            .waiting(Duration.ofMillis(500));
  }

  /** What a worker works with. */
  record Tools(FileHasher hasher, Stop stop) {}

  @Override
  public void run() {
    try {
      while (!stop.isRequested()) {
        List<Lease> leases = files.claim(claim);
        keeper.hold(leases);
        try {
          work(leases);
        } finally {
          keeper.letGo(leases);
        }
      }
    } catch (IOException | RuntimeException e) {
      stop.because(e);
    }
  }

  private void work(List<Lease> leases) throws IOException {
    List<Lease> finished = new ArrayList<>();
    List<Lease> unfinished = new ArrayList<>();
    List<HashedFile> results = new ArrayList<>();
    for (Lease lease : leases) {
      if (FileJobs.isToFail(lease)) {
        Lost.isHarmless(lease.fail(FileJobs.SIMULATED_ERROR));
        continue;
      }
      FileHasher.Outcome outcome = hasher.hash(FileName.of(lease.payload()));
      if (outcome instanceof FileHasher.Outcome.Hashed hashed) {
        results.add(hashed.file());
        finished.add(lease);
      } else if (outcome instanceof FileHasher.Outcome.ReadableFolder) {
        finished.add(lease); // the last look at the folder enqueues what is in it
      } else if (outcome instanceof FileHasher.Outcome.Failed failed) {
        fail(lease, failed);
      } else {
        unfinished.add(lease);
      }
    }
    // In this order: a job whose result is not on the disk must stay in the queue.
    journal.append(results);
    if (!finished.isEmpty()) {
      Lost.isHarmless(engine.completeAll(finished));
    }
    if (!unfinished.isEmpty()) {
      Lost.isHarmless(engine.releaseAll(unfinished));
    }
  }

  private static void fail(Lease lease, FileHasher.Outcome.Failed failed) {
    boolean isFinal = failed.isLasting() || lease.attempt() >= ERROR_ATTEMPTS_MAX;
    FailOptions how = isFinal ? FailOptions.PERMANENT : FailOptions.RETRY;
    Lost.isHarmless(lease.fail(failed.reason(), how));
  }
}
