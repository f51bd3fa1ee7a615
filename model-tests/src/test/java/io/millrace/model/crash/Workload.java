package io.millrace.model.crash;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The jobs of the crash tests: all that the check must know of a job follows from its name, which
 * is queue, priority, who enqueued it, and its number, with colons in between.
 */
final class Workload {

  static final List<QueueName> QUEUES = List.of(QueueName.of("mail"), QueueName.of("print"));
  static final int MAX_ATTEMPTS = 4;

  /** Longer than any test. */
  static final Duration FAR = Duration.ofHours(1);

  private static final int KEPT_ODDS = 20;

  private Workload() {}

  static String name(QueueName queue, int priority, String producer, int number) {
    return queue.name() + ":" + priority + ":" + producer + ":" + number;
  }

  static String queueOf(String job) {
    return job.substring(0, job.indexOf(':'));
  }

  static int priorityOf(String job) {
    int start = job.indexOf(':') + 1;
    return Integer.parseInt(job.substring(start, job.indexOf(':', start)));
  }

  /** Whether the job is kept for its result once it is completed. */
  static boolean isKept(String job) {
    return job.hashCode() % KEPT_ODDS == 0;
  }

  static EnqueueOptions options(String job) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(priorityOf(job))
            .maxAttempts(MAX_ATTEMPTS)
            .headers(headers(job))
            .backoff(Backoff.fixed(Duration.ofMillis(5)));
    return isKept(job) ? options.resultRetention(Duration.ofDays(1)) : options;
  }

  static Map<String, String> headers(String job) {
    return job.hashCode() % 4 == 0 ? Map.of("name", job) : Map.of();
  }
}
