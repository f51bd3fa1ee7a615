package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The names on the page are those of spans and metrics. */
class NamesTest {

  private static final Path PAGE = Path.of("..", "docs", "tracing.md");
  private static final Pattern NAME = Pattern.compile("`([a-z_.]+\\.[a-z_.]+)`");

  private final TelemetryRig rig = new TelemetryRig();

  @AfterEach
  void close() {
    rig.close();
  }

  /** Has each kind of span and of metric. */
  private void work(MillraceTelemetry telemetry, String queue) {
    telemetry
        .trace(rig.engine.worker())
        .handle(MAIL.queue(queue).tenant("acme"), (mail, job) -> {})
        .start();
    TracedQueues queues = telemetry.queues(rig.engine);
    queues.enqueue(MAIL.queue(queue).tenant("acme"), "Ada");
    rig.engine.run();
    QueueName full = QueueName.of("full-" + queue);
    rig.engine.queue(full).configure(settings -> settings.depthMax(1));
    NewJob job = NewJob.of(new byte[0]);
    assertThat(queues.offerAll(full, List.of(job, job))).hasSize(2);
    List<Lease> leases = queues.claim(full, ClaimOptions.by("me"));
    assertThat(queues.settle(leases.get(0), Lease::complete).isDone()).isTrue();
  }

  /** Returns the names in the first column of the rows that begin with such a name. */
  private static Set<String> told(Predicate<String> row) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| `") && row.test(line))
        .map(line -> line.substring(0, line.indexOf('|', 1)))
        .flatMap(cell -> NAME.matcher(cell).results())
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isMetric(String row) {
    return row.startsWith("| `messaging.client.") && !row.startsWith("| `messaging.client.id`")
        || row.startsWith("| `messaging.process.");
  }

  @Test
  void attributes_ofThePage_areThoseOfSpans() throws IOException {
    work(rig.telemetry, "a");
    work(rig.with(options -> options.conventions(Conventions.OWN)), "b");

    assertThat(told(row -> !isMetric(row)))
        .containsExactlyInAnyOrderElementsOf(
            rig.spans.getFinishedSpanItems().stream()
                .flatMap(span -> TelemetryRig.attributes(span).keySet().stream())
                .collect(Collectors.toSet()));
  }

  @Test
  void metrics_ofThePage_areThoseThatThereAre() throws IOException {
    work(rig.telemetry, "a");

    assertThat(told(NamesTest::isMetric))
        .containsExactlyInAnyOrderElementsOf(
            rig.metrics.collectAllMetrics().stream()
                .map(MetricData::getName)
                .collect(Collectors.toSet()));
  }
}
