package io.millrace.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.fixture.Told;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.DescribedJson;
import io.millrace.describe.Descriptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueListingTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** A queue that a worker has leased. */
  private record Held(QueueName queue, String worker, Instant since, Instant until)
      implements LeasedQueue {}

  private static QueueStats leased() {
    QueueName mail = QueueName.of("mail");
    return Told.queue(
        Map.of(
            "counts",
            Map.of(JobState.READY, 2L),
            "leasedBy",
            new Held(mail, "w1", NOON, NOON.plusSeconds(5))));
  }

  @Test
  void table_leasedQueue_saysWhomItServesAndUntilWhen() {
    StringWriter text = new StringWriter();

    new QueueListing(new PrintWriter(text, true)).printTable(List.of(leased()), List.of());

    assertThat(text.toString().lines().toList().get(1))
        .endsWith("on, to w1 until 2026-03-01T12:00:05Z");
  }

  @Test
  void one_leasedQueue_saysWhomItServesAndUntilWhen() {
    StringWriter text = new StringWriter();

    new QueueListing(new PrintWriter(text, true)).printOne(leased());

    assertThat(text.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .contains("leased by w1", "leased until 2026-03-01T12:00:05Z");
  }

  @Test
  void json_leasedQueue_saysWhoHasItSinceAndUntilWhen() {
    StringWriter text = new StringWriter();

    JsonLines.print(
        new PrintWriter(text), json -> DescribedJson.write(Descriptions.QUEUE, leased(), json));

    assertThat(text.toString().strip())
        .endsWith(
            "\"leasedBy\":{\"worker\":\"w1\",\"since\":\"2026-03-01T12:00:00Z\","
                + "\"until\":\"2026-03-01T12:00:05Z\"}}");
  }
}
