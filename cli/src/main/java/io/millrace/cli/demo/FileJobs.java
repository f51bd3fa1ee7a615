package io.millrace.cli.demo;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.worker.JobContext;
import java.time.Duration;
import java.util.Map;

/**
 * How a file becomes a job: the payload is its name, the priority and the weight come from its
 * size.
 */
final class FileJobs {

  static final QueueName QUEUE = QueueName.of("demo-files");

  /** Of so much weight one hasher has jobs; a file of the largest weight comes alone. */
  static final int WEIGHT_MAX = 64;

  static final String SIMULATED_ERROR = "simulated: every so many files fail their first attempt";

  private static final long BYTES_PER_WEIGHT = 64 << 10;
  private static final Map<String, String> FAILING = Map.of("simulate", "fail-first-attempt");

  /**
   * Each kill counts as an attempt of what was being worked on, and this demo is made to be killed.
   */
  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT
          .maxAttempts(Limits.MAX_ATTEMPTS_MAX)
          .backoff(Backoff.fixed(Duration.ofMillis(500)));

  private FileJobs() {}

  /**
   * The job for what was found.
   *
   * @param ordinal how many jobs there are up to this one
   * @param failEvery every how many jobs the first attempt is to fail; 0 for never
   */
  static NewJob job(Found found, long ordinal, int failEvery) {
    EnqueueOptions options =
        OPTIONS.priority(priority(found.sizeBytes())).weight(weight(found.sizeBytes()));
    boolean isToFail = failEvery > 0 && ordinal % failEvery == 0;
    return new NewJob(found.name().bytes(), isToFail ? options.headers(FAILING) : options);
  }

  static boolean isToFail(JobContext job) {
    return job.attempt() == 1 && job.headers().equals(FAILING);
  }

  /** Small files first: most results come soon. */
  static int priority(long sizeBytes) {
    if (sizeBytes <= 64 << 10) {
      return 30;
    }
    if (sizeBytes <= 1 << 20) {
      return 20;
    }
    return sizeBytes <= 16 << 20 ? 10 : 0;
  }

  /** So that many small files share a sync of the journal, and few large ones are read at once. */
  static int weight(long sizeBytes) {
    return (int) Math.min(WEIGHT_MAX, 1 + sizeBytes / BYTES_PER_WEIGHT);
  }
}
