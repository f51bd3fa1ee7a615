package io.millrace.cli;

import io.millrace.api.Backoff;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.describe.Descriptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Jobs and queues that were told of: what a test says of them, and the least else. */
public final class Told {

  private Told() {}

  /** A job of the queue mail, of no priority, at its first attempt of three. */
  public static Job job(Map<String, ?> values) {
    Map<String, Object> all =
        new HashMap<>(
            Map.of(
                "id",
                new JobId(1, 2),
                "queue",
                QueueName.of("mail"),
                "type",
                "mail",
                "priority",
                0,
                "weight",
                1,
                "attempts",
                1,
                "maxAttempts",
                3,
                "backoff",
                Backoff.DEFAULT,
                "enqueuedAt",
                Instant.parse("2026-03-01T12:00:00Z"),
                "headers",
                Map.of()));
    all.putAll(Map.of("payload", new byte[0], "history", List.of()));
    all.putAll(values);
    return Descriptions.JOB.make(all);
  }

  /** The queue mail, which is served. */
  public static QueueStats queue(Map<String, ?> values) {
    Map<String, Object> all =
        new HashMap<>(
            Map.of(
                "queue", QueueName.of("mail"),
                "counts", Map.of(),
                "totals", Map.of(),
                "serving", QueueStats.Serving.ON));
    all.putAll(values);
    return Descriptions.QUEUE.make(all);
  }

  /** Counts of all constants, those that are not said none. */
  public static <E extends Enum<E>> Map<E, Long> counts(Class<E> type, Map<E, Long> said) {
    Map<E, Long> counts = new TreeMap<>();
    for (E constant : type.getEnumConstants()) {
      counts.put(constant, said.getOrDefault(constant, 0L));
    }
    return counts;
  }
}
