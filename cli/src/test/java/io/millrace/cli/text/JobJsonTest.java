package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RateLimit;
import io.millrace.cli.fixture.Told;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.JobJson;
import io.millrace.describe.Descriptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JobJsonTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void write_deadJobWithText_holdsAllFields() {
    Job job =
        job(
            JobState.DEAD,
            "näh\n".getBytes(StandardCharsets.UTF_8),
            Optional.of("boom \u001b"),
            Optional.empty());

    assertThat(json(job))
        .isEqualTo(
            """
            {"id":"00000000000000010000000000000002","queue":"mail","tenant":"t\\"1",\
            "type":"letter","state":"dead","priority":-5,"weight":2,"attempts":3,"maxAttempts":3,\
            "enqueuedAt":"2026-03-01T12:00:00Z","diedAt":"2026-03-01T12:00:09Z",\
            "lastError":"boom \\u001B","headers":{"a":"b"},\
            "payloadBytes":5,"payloadText":"n\\u00E4h\\n"}\
            """);
  }

  @Test
  void write_leasedJobWithBytes_holdsLeaseAndBase64() {
    Job job =
        job(
            JobState.LEASED,
            new byte[] {(byte) 0xff, 0},
            Optional.empty(),
            Optional.of(new Job.Running(41, "w1", NOON)));

    assertThat(json(job))
        .endsWith(
            "\"lease\":{\"token\":41,\"worker\":\"w1\",\"startedAt\":\"2026-03-01T12:00:00Z\"},"
                + "\"headers\":{\"a\":\"b\"},\"payloadBytes\":2,\"payloadBase64\":\"/wA=\"}");
  }

  @Test
  void write_leasedJobThatIsToBeCancelled_saysSo() {
    Job job =
        job(
            JobState.LEASED,
            new byte[0],
            Optional.empty(),
            Optional.of(new Job.Running(41, "w1", NOON, true)));

    assertThat(json(job))
        .contains(
            "\"lease\":{\"token\":41,\"worker\":\"w1\",\"startedAt\":\"2026-03-01T12:00:00Z\","
                + "\"cancelRequested\":true},");
  }

  @Test
  void write_stats_holdsEveryStateAndTotal() {
    QueueStats stats =
        Told.queue(
            Map.of(
                "counts",
                Told.counts(JobState.class, Map.of(JobState.READY, 2L)),
                "totals",
                Told.counts(
                    QueueStats.Total.class,
                    Map.of(QueueStats.Total.ENQUEUED, 3L, QueueStats.Total.COMPLETED, 1L)),
                "oldestReadyAge",
                Duration.ofMillis(1_500),
                "serving",
                QueueStats.Serving.PAUSED));
    StringWriter text = new StringWriter();

    JsonLines.print(
        new PrintWriter(text), json -> DescribedJson.write(Descriptions.QUEUE, stats, json));

    assertThat(text.toString().strip())
        .isEqualTo(
            "{\"queue\":\"mail\",\"tenant\":\"\",\"serving\":\"paused\",\"counts\":{\"ready\":2,"
                + "\"delayed\":0,\"leased\":0,\"blocked\":0,\"waiting\":0,\"dead\":0,\"done\":0},"
                + "\"totals\":{\"enqueued\":3,\"claimed\":0,\"completed\":1,\"retried\":0,"
                + "\"released\":0,\"snoozed\":0,\"expired\":0,\"died\":0,\"cancelled\":0,"
                + "\"redriven\":0,\"deleted\":0,\"quarantined\":0,"
                + "\"dropped\":0,\"swept\":0,\"purged\":0,\"waited\":0,\"woken\":0},"
                + "\"oldestReadyAgeMs\":1500}");
  }

  @Test
  void write_doneJob_holdsResultAndHistory() {
    Job done =
        Told.job(
            Map.ofEntries(
                Map.entry("state", JobState.DONE),
                Map.entry("type", "letter"),
                Map.entry("uniqueKey", "welcome:ada"),
                Map.entry("weight", 2),
                Map.entry("attempts", 3),
                Map.entry("checkpointed", "half".getBytes(StandardCharsets.UTF_8)),
                Map.entry("concurrencyKey", "ada"),
                Map.entry("engineConcurrencyKey", "host"),
                Map.entry("engineConcurrencyMost", 2),
                Map.entry("engineRateKey", "relay"),
                Map.entry("engineRateLimit", new RateLimit(20, Duration.ofSeconds(1), 5)),
                Map.entry("completedAt", NOON),
                Map.entry("result", "ok".getBytes(StandardCharsets.UTF_8)),
                Map.entry("expiresAt", NOON.plusSeconds(60)),
                Map.entry(
                    "history",
                    List.of(
                        new FinishedAttempt(
                            1, NOON, NOON.plusSeconds(1), "w1", Optional.of("boom")),
                        new FinishedAttempt(
                            2, NOON, NOON.plusSeconds(2), "w2", Optional.empty())))));

    assertThat(json(done))
        .contains("\"type\":\"letter\",\"uniqueKey\":\"welcome:ada\",\"state\":\"done\"")
        .contains(
            "\"weight\":2,\"concurrencyKey\":\"ada\",\"engineConcurrencyKey\":\"host\","
                + "\"engineConcurrencyMost\":2,\"engineRateKey\":\"relay\","
                + "\"engineRateLimit\":\"20/PT1S burst 5\",\"attempts\":3")
        .contains(
            "\"completedAt\":\"2026-03-01T12:00:00Z\"," + "\"expiresAt\":\"2026-03-01T12:01:00Z\"")
        .endsWith(
            "\"payloadBytes\":0,\"payloadText\":\"\","
                + "\"checkpointBytes\":4,\"checkpointText\":\"half\","
                + "\"resultBytes\":2,\"resultText\":\"ok\","
                + "\"history\":[{\"attempt\":1,\"worker\":\"w1\","
                + "\"startedAt\":\"2026-03-01T12:00:00Z\",\"endedAt\":\"2026-03-01T12:00:01Z\","
                + "\"error\":\"boom\"},{\"attempt\":2,\"worker\":\"w2\","
                + "\"startedAt\":\"2026-03-01T12:00:00Z\",\"endedAt\":\"2026-03-01T12:00:02Z\"}]}");
  }

  private static String json(Job job) {
    StringWriter text = new StringWriter();
    JsonLines.print(new PrintWriter(text), json -> JobJson.write(job, json));
    assertThat(text.toString()).endsWith(System.lineSeparator());
    return text.toString().strip();
  }

  private static Job job(
      JobState state, byte[] payload, Optional<String> error, Optional<Job.Running> lease) {
    Map<String, Object> values = new HashMap<>();
    values.put("state", state);
    values.put("queue", new QueueName("mail", "t\"1"));
    values.put("type", "letter");
    values.put("priority", -5);
    values.put("weight", 2);
    values.put("attempts", 3);
    values.put("payload", payload);
    values.put("headers", Map.of("a", "b"));
    error.ifPresent(it -> values.put("lastError", it));
    lease.ifPresent(it -> values.put("lease", it));
    if (state == JobState.DEAD) {
      values.put("diedAt", NOON.plusSeconds(9));
    }
    return Told.job(values);
  }
}
