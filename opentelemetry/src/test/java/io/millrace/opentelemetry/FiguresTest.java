package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.PointData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metrics of the conventions for messaging. */
class FiguresTest {

  private static final QueueName QUEUE = QueueName.of("mail");
  private static final NewJob JOB = NewJob.of(new byte[0]);

  private final TelemetryRig rig = new TelemetryRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private Map<Attributes, Long> counts(String name) {
    return rig.points(name).stream()
        .map(point -> (LongPointData) point)
        .collect(Collectors.toMap(PointData::getAttributes, LongPointData::getValue));
  }

  private HistogramPointData onlyHistogram(String name) {
    List<PointData> points = rig.points(name);
    assertThat(points).hasSize(1);
    return (HistogramPointData) points.get(0);
  }

  private static Attributes attributes(String... namesAndValues) {
    AttributesBuilder attributes = Attributes.builder().put("messaging.system", "millrace");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return attributes.build();
  }

  private static Attributes enqueue(String... more) {
    return attributes("messaging.operation.name", "enqueue", "messaging.destination.name", "mail")
        .toBuilder()
        .putAll(attributes(more))
        .build();
  }

  @Test
  void jobs_thatWereToBeEnqueued_areCountedByWhetherTheyWere() {
    rig.engine.queue(QUEUE).configure(settings -> settings.depthMax(3));
    rig.traced().enqueue(MAIL, "Ada");
    assertThat(rig.traced().offerAll(QUEUE, List.of(JOB, JOB, JOB, JOB))).hasSize(4);
    rig.traced().offer(QUEUE, JOB).isDone();

    assertThat(counts("messaging.client.sent.messages"))
        .containsOnly(entry(enqueue(), 3L), entry(enqueue("error.type", "queue_full"), 3L));
  }

  @Test
  void jobs_whoseCallThrew_areCountedWithTheException() {
    rig.engine.close();

    assertThatThrownBy(() -> rig.traced().offerAll(QUEUE, List.of(JOB, JOB)).size())
        .isInstanceOf(EngineClosedException.class);

    assertThat(counts("messaging.client.sent.messages"))
        .containsOnly(entry(enqueue("error.type", "io.millrace.api.EngineClosedException"), 2L));
  }

  @Test
  void operations_always_areTimedInSecondsWithTheBucketsOfTheConventions() {
    MillraceTelemetry slow =
        MillraceTelemetry.of(
            rig.sdk,
            o -> o.conventions(Conventions.MESSAGING),
            () -> rig.nowNs.addAndGet(30_000_000));
    slow.queues(rig.engine).enqueue(MAIL, "Ada");

    HistogramPointData point = onlyHistogram("messaging.client.operation.duration");
    assertThat(point.getAttributes()).isEqualTo(enqueue("messaging.operation.type", "send"));
    assertThat(point.getCount()).isEqualTo(1);
    assertThat(point.getSum()).isEqualTo(0.03);
    assertThat(point.getBoundaries()).startsWith(0.005, 0.01).endsWith(7.5, 10.0).hasSize(14);
  }

  @Test
  void claims_ofJobs_areTimedAndTheJobsCounted() {
    rig.engine.enqueueAll(MAIL, List.of("Ada", "Bob"));

    assertThat(rig.traced().claim(QUEUE, ClaimOptions.by("me").max(5))).hasSize(2);

    Attributes claim =
        attributes("messaging.operation.name", "claim", "messaging.destination.name", "mail");
    assertThat(counts("messaging.client.consumed.messages")).containsOnly(entry(claim, 2L));
    assertThat(onlyHistogram("messaging.client.operation.duration").getAttributes())
        .isEqualTo(
            claim.toBuilder()
                .put(AttributeKey.stringKey("messaging.operation.type"), "receive")
                .build());
  }

  @Test
  void runs_ofJobs_areCountedAndTimedByWhatTheyFailedOf() {
    rig.telemetry
        .trace(rig.engine.worker())
        .handle(
            MAIL,
            (mail, job) -> {
              if (job.attempt() == 1) {
                throw new IllegalStateException("no relay");
              }
            })
        .start();
    rig.engine.enqueue(MAIL, "Ada");

    rig.engine.advance(Duration.ofHours(1));

    Attributes process =
        attributes("messaging.operation.name", "process", "messaging.destination.name", "mail");
    Attributes failed =
        process.toBuilder().put("error.type", "java.lang.IllegalStateException").build();
    assertThat(counts("messaging.client.consumed.messages"))
        .containsOnly(entry(process, 1L), entry(failed, 1L));
    assertThat(rig.points("messaging.process.duration"))
        .extracting(PointData::getAttributes)
        .containsExactlyInAnyOrder(process, failed);
  }

  @Test
  void queues_beyondTheMostThatAreTold_areOne() {
    TracedQueues queues = rig.with(options -> options.queueCountMax(2)).queues(rig.engine);
    for (String name : List.of("a", "b", "c", "a", "d")) {
      queues.offer(QueueName.of(name), JOB).isDone();
    }

    Map<String, Long> byQueue =
        counts("messaging.client.sent.messages").entrySet().stream()
            .collect(
                Collectors.toMap(
                    it ->
                        String.valueOf(
                            it.getKey().get(AttributeKey.stringKey("messaging.destination.name"))),
                    Map.Entry::getValue));
    assertThat(byQueue).containsOnly(entry("a", 2L), entry("b", 1L), entry("_OTHER", 2L));
  }
}
