package io.millrace.cli.demo;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import java.util.List;

/**
 * What a finished demo has done.
 *
 * @param fileCount files in the manifest
 * @param sizeBytes bytes in them
 * @param retriedCount failures that were tried again, in all runs
 * @param deadLetters what cannot be hashed
 * @param linkCount symbolic links that were skipped
 * @param specialCount devices, pipes and sockets that were skipped
 * @param end the last moment of the run
 */
record DemoSummary(
    long fileCount,
    long sizeBytes,
    long retriedCount,
    DeadLetterList deadLetters,
    long linkCount,
    long specialCount,
    Progress.Moment end) {

  /**
   * The first dead letters.
   *
   * @param first some of them, the earliest first
   * @param count how many there are
   */
  record DeadLetterList(List<DeadLetter> first, long count) {

    private static final int SHOWN_MAX = 10;

    static DeadLetterList of(JobQueue files) {
      List<Job> jobs =
          files.deadLetters().list(DeadFilter.ALL, PageRequest.first(SHOWN_MAX)).items();
      return new DeadLetterList(
          jobs.stream()
              .map(job -> new DeadLetter(FileName.of(job.payload()), job.lastError().orElse("")))
              .toList(),
          files.stats().map(stats -> stats.count(JobState.DEAD)).orElse(0L));
    }
  }

  /** A file and why it cannot be hashed. */
  record DeadLetter(FileName name, String reason) {}
}
