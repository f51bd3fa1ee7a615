package io.millrace.cli.demo;

import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is done with the jobs of files: each is hashed, and completed when its result is in the
 * journal. Called by many threads, of which so many hash at a time as there are hashers, while the
 * others wait for the sync of the journal, which they share.
 */
final class DemoWorker {

  /** After so many attempts an error that might have passed is taken for one that stays. */
  private static final int ERROR_ATTEMPTS_MAX = 3;

  private final ResultJournal journal;
  private final Stop stop;
  private final BlockingQueue<FileHasher> hashers;

  DemoWorker(
      SourceFolder source, ResultJournal journal, int hasherCount, LongAdder bytesRead, Stop stop) {
    this.journal = journal;
    this.stop = stop;
    this.hashers = new ArrayBlockingQueue<>(hasherCount);
    for (int i = 0; i < hasherCount; i++) {
      hashers.add(new FileHasher(source, bytesRead));
    }
  }

  Next handle(byte[] payload, JobContext job) throws InterruptedException {
    if (FileJobs.isToFail(job)) {
      return Next.retry(FileJobs.SIMULATED_ERROR);
    }
    FileHasher.Outcome outcome = hash(FileName.of(payload), job);
    job.checkAlive(); // who is interrupted while it reads has failed because of that alone
    if (outcome instanceof FileHasher.Outcome.Failed failed) {
      boolean isFinal = failed.isLasting() || job.attempt() >= ERROR_ATTEMPTS_MAX;
      return isFinal ? Next.dead(failed.reason()) : Next.retry(failed.reason());
    }
    if (outcome instanceof FileHasher.Outcome.Hashed hashed) {
      keep(hashed.file());
    }
    return Next.done(); // of a readable folder: the last look enqueues what is in it
  }

  private FileHasher.Outcome hash(FileName name, JobContext job) throws InterruptedException {
    FileHasher hasher = hashers.take();
    try {
      return hasher.hash(name, job::isToStop);
    } finally {
      hashers.add(hasher);
    }
  }

  /** A job whose result is not on the disk must stay in the queue. */
  private void keep(HashedFile file) throws InterruptedException {
    try {
      journal.append(file);
    } catch (IOException e) {
      stop.because(e);
      throw new DemoException("journal cannot be written", e);
    }
  }
}
