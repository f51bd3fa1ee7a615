package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
            "state":"dead","priority":-5,"weight":2,"attempts":3,"maxAttempts":3,\
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
        new QueueStats(
            QueueName.of("mail"),
            Map.of(JobState.READY, 2L),
            Map.of(QueueStats.Total.ENQUEUED, 3L, QueueStats.Total.COMPLETED, 1L),
            Optional.of(Duration.ofMillis(1_500)),
            QueueStats.Serving.PAUSED);
    StringWriter text = new StringWriter();

    JsonLines.print(new PrintWriter(text), json -> JobJson.write(stats, json));

    assertThat(text.toString().strip())
        .isEqualTo(
            "{\"queue\":\"mail\",\"tenant\":\"\",\"serving\":\"paused\",\"counts\":{\"ready\":2,"
                + "\"delayed\":0,\"leased\":0,\"blocked\":0,\"waiting\":0,\"dead\":0,\"done\":0},"
                + "\"totals\":{\"enqueued\":3,\"claimed\":0,\"completed\":1,\"retried\":0,"
                + "\"released\":0,\"snoozed\":0,\"expired\":0,\"died\":0,\"cancelled\":0,"
                + "\"redriven\":0,\"deleted\":0,\"quarantined\":0},\"oldestReadyAgeMs\":1500}");
  }

  private static String json(Job job) {
    StringWriter text = new StringWriter();
    JsonLines.print(new PrintWriter(text), json -> JobJson.write(job, json));
    assertThat(text.toString()).endsWith(System.lineSeparator());
    return text.toString().strip();
  }

  private static Job job(
      JobState state, byte[] payload, Optional<String> error, Optional<Job.Running> lease) {
    return new Job(
        new JobId(1, 2),
        new QueueName("mail", "t\"1"),
        state,
        -5,
        2,
        payload,
        Map.of("a", "b"),
        3,
        3,
        Backoff.DEFAULT,
        NOON,
        Optional.empty(),
        error,
        state == JobState.DEAD ? Optional.of(NOON.plusSeconds(9)) : Optional.empty(),
        lease);
  }
}
