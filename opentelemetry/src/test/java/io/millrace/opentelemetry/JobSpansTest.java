package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.worker.JobHandler;
import io.millrace.worker.Next;
import io.millrace.workflow.Steps;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans of jobs that workers run. */
class JobSpansTest {

  private final TelemetryRig rig = new TelemetryRig();
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    rig.close();
  }

  private void handle(JobHandler<String> handler) {
    handle(rig.telemetry, handler);
  }

  private void handle(MillraceTelemetry telemetry, JobHandler<String> handler) {
    telemetry.trace(rig.engine.worker()).name("mailer").handle(MAIL, handler).start();
  }

  private static List<String> outcomes(List<SpanData> spans) {
    return spans.stream().map(span -> TelemetryRig.text(span, "millrace.outcome")).toList();
  }

  private static List<String> events(SpanData span) {
    return span.getEvents().stream().map(EventData::getName).toList();
  }

  @Test
  void run_ofAJobThatWasEnqueuedInASpan_isATraceOfItsOwnWithALinkToThat() {
    handle((mail, job) -> {});
    JobId[] id = new JobId[1];
    SpanContext request =
        rig.within(() -> id[0] = rig.traced().enqueue(MAIL, "Ada", o -> o.priority(3)).jobId());

    rig.engine.run();

    SpanData enqueue = rig.only("enqueue mail");
    SpanData process = rig.only("process mail");
    assertThat(enqueue.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(process.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(process.getTraceId()).isNotEqualTo(enqueue.getTraceId());
    assertThat(TelemetryRig.links(process)).containsExactly(enqueue.getSpanId());
    assertThat(process.getLinks().get(0).getSpanContext().getTraceId())
        .isEqualTo(request.getTraceId());
    assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(events(process)).containsExactly("settle");
    assertThat(TelemetryRig.attributes(process))
        .containsOnly(
            entry("messaging.system", "millrace"),
            entry("messaging.operation.name", "process"),
            entry("messaging.operation.type", "process"),
            entry("messaging.destination.name", "mail"),
            entry("messaging.message.id", id[0].toString()),
            entry("messaging.client.id", "mailer"),
            entry("millrace.type", "mail"),
            entry("millrace.attempt", 1L),
            entry("millrace.wake", "first"),
            entry("millrace.outcome", "completed"));
  }

  @Test
  void run_withoutTheConventions_hasNamesOfMillracesOwnAndNoMetrics() {
    MillraceTelemetry own = rig.with(options -> options.conventions(Conventions.OWN));
    own.trace(rig.engine.worker())
        .name("mailer")
        .handle(MAIL.tenant("acme"), (mail, job) -> {})
        .start();
    JobId id = own.queues(rig.engine).enqueue(MAIL.tenant("acme"), "Ada").jobId();

    rig.engine.run();

    SpanData process = rig.only("process mail");
    assertThat(TelemetryRig.links(process)).containsExactly(rig.only("enqueue mail").getSpanId());
    assertThat(TelemetryRig.attributes(process))
        .containsOnly(
            entry("millrace.queue", "mail"),
            entry("millrace.tenant", "acme"),
            entry("millrace.job.id", id.toString()),
            entry("millrace.worker", "mailer"),
            entry("millrace.type", "mail"),
            entry("millrace.attempt", 1L),
            entry("millrace.wake", "first"),
            entry("millrace.outcome", "completed"));
    assertThat(rig.metrics.collectAllMetrics()).isEmpty();
  }

  @Test
  void run_inSameTrace_isTheChildOfWhatEnqueuedTheJob() {
    MillraceTelemetry telemetry = rig.with(TelemetryOptions::inSameTrace);
    handle(telemetry, (mail, job) -> {});
    telemetry.queues(rig.engine).enqueue(MAIL, "Ada");

    rig.engine.run();

    SpanData enqueue = rig.only("enqueue mail");
    SpanData process = rig.only("process mail");
    assertThat(process.getParentSpanId()).isEqualTo(enqueue.getSpanId());
    assertThat(process.getTraceId()).isEqualTo(enqueue.getTraceId());
    assertThat(process.getLinks()).isEmpty();
  }

  @Test
  void run_whereTheThreadHasASpan_isNoChildOfThat() {
    handle((mail, job) -> {});
    rig.traced().enqueue(MAIL, "Ada");

    rig.within(rig.engine::run);

    assertThat(rig.only("process mail").getParentSpanId()).isEqualTo(SpanId.getInvalid());
  }

  @Test
  void runs_thatFail_areErrorsWithWhatBecameOfTheJob() {
    handle(
        (mail, job) -> {
          throw new IllegalStateException("no relay");
        });
    rig.traced().enqueue(MAIL, "Ada", o -> o.maxAttempts(2));

    rig.engine.advance(Duration.ofDays(1));

    List<SpanData> runs = rig.named("process mail");
    String enqueue = rig.only("enqueue mail").getSpanId();
    assertThat(outcomes(runs)).containsExactly("retried", "died");
    for (SpanData run : runs) {
      assertThat(TelemetryRig.links(run)).containsExactly(enqueue);
      assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(TelemetryRig.text(run, "error.type")).isEqualTo("java.lang.IllegalStateException");
      assertThat(events(run)).containsExactly("settle", "exception");
    }
    assertThat(runs.get(0).getTraceId()).isNotEqualTo(runs.get(1).getTraceId());
    assertThat(runs.stream().map(TelemetryRig::attributes))
        .extracting(it -> it.get("millrace.attempt"), it -> it.get("millrace.wake"))
        .containsExactly(tuple(1L, "first"), tuple(2L, "retry"));
  }

  @Test
  void run_ofADeadLetterThatIsRedriven_hasTheSameLink() {
    handle(
        (mail, job) -> {
          if (seen.isEmpty()) {
            seen.add(mail);
            throw new IllegalStateException("no relay");
          }
        });
    JobId id = rig.traced().enqueue(MAIL, "Ada", o -> o.maxAttempts(1)).jobId();
    rig.engine.run();

    rig.engine.queue("mail").deadLetters().redrive(id).orThrow();
    rig.engine.run();

    List<SpanData> runs = rig.named("process mail");
    String enqueue = rig.only("enqueue mail").getSpanId();
    assertThat(outcomes(runs)).containsExactly("died", "completed");
    assertThat(runs.stream().map(TelemetryRig::links))
        .containsExactly(List.of(enqueue), List.of(enqueue));
  }

  @Test
  void runs_whoseHandlersAnswerThatTheyFailed_areErrorsWithoutAName() {
    rig.telemetry
        .trace(rig.engine.worker())
        .steps(
            MAIL,
            (mail, job) -> job.attempt() == 1 ? Next.retry("not yet") : Next.dead("never at all"))
        .start();
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.advance(Duration.ofDays(1));

    List<SpanData> runs = rig.named("process mail");
    assertThat(outcomes(runs)).containsExactly("retried", "died");
    assertThat(runs)
        .allSatisfy(run -> assertThat(TelemetryRig.text(run, "error.type")).isEqualTo("_OTHER"));
  }

  @Test
  void run_thatIsHandedBackForAnException_isNoError() {
    rig.telemetry
        .trace(rig.engine.worker())
        .handle(
            MAIL,
            (mail, job) -> {
              if (seen.isEmpty()) {
                seen.add("busy");
                throw new UnsupportedOperationException("busy");
              }
            },
            o -> o.releaseOn(UnsupportedOperationException.class))
        .start();
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.advance(Duration.ofHours(1));

    List<SpanData> runs = rig.named("process mail");
    assertThat(outcomes(runs)).containsExactly("released", "completed");
    assertThat(runs.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(events(runs.get(0))).containsExactly("settle", "exception");
  }

  @Test
  void run_thatThrowsWhenTheJobIsCompleted_isNoError() {
    rig.engine.allowFailures(IllegalStateException.class);
    handle(
        (mail, job) -> {
          job.completeInTransaction(tx -> {});
          throw new IllegalStateException("too late");
        });
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.run();

    SpanData run = rig.only("process mail");
    assertThat(outcomes(List.of(run))).containsExactly("completed");
    assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(events(run)).containsExactly("settle", "exception");
  }

  @Test
  void run_whoseLeaseWasLost_isAnError() {
    handle(
        (mail, job) -> {
          if (seen.isEmpty()) {
            seen.add("taken");
            rig.engine.admin().release(job.jobId()).isDone();
          }
        });
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.run();

    List<SpanData> runs = rig.named("process mail");
    assertThat(outcomes(runs)).containsExactly("lost", "completed");
    assertThat(TelemetryRig.text(runs.get(0), "error.type")).isEqualTo("lost");
    assertThat(runs.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "00-zz-zz-zz",
        "00-00000000000000000000000000000000-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      })
  void run_ofAJobWithAHeaderThatNobodyCanRead_hasNoLink(String header) {
    handle((mail, job) -> seen.add(mail));
    rig.engine.enqueue(MAIL, "Ada", o -> o.header("traceparent", header));

    rig.engine.run();

    assertThat(seen).containsExactly("Ada");
    assertThat(rig.only("process mail").getLinks()).isEmpty();
  }

  @Test
  void run_ofAJobWithoutAContext_hasNoLink() {
    handle((mail, job) -> seen.add(mail));
    rig.engine.enqueue(MAIL, "Ada");

    rig.engine.run();

    assertThat(seen).containsExactly("Ada");
    assertThat(rig.spanNames()).containsExactly("process mail");
    assertThat(rig.only("process mail").getLinks()).isEmpty();
  }

  @Test
  void run_ofAnUnreadablePayload_tellsWhyAndCountsNothing() {
    rig.engine.allowFailures(CodecException.class);
    rig.telemetry
        .trace(rig.engine.worker())
        .handle(JobType.of("mail", Codec.LONG), (number, job) -> seen.add("" + number))
        .start();
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.run();

    SpanData run = rig.only("process mail");
    assertThat(seen).isEmpty();
    assertThat(outcomes(List.of(run))).containsExactly("died");
    assertThat(TelemetryRig.text(run, "error.type")).isEqualTo(CodecException.class.getName());
    assertThat(events(run)).containsExactly("exception");
    assertThat(rig.points("messaging.client.consumed.messages")).isEmpty();
    assertThat(rig.points("messaging.process.duration")).isEmpty();
  }

  @Test
  void run_ofAnUnknownType_isHandedBackAndCountsNothing() {
    handle((mail, job) -> seen.add(mail));
    rig.engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT.type("letter"));

    rig.engine.run();

    assertThat(outcomes(rig.named("process mail"))).containsExactly("released");
    assertThat(rig.points("messaging.client.consumed.messages")).isEmpty();
  }

  @Test
  void span_ofARun_isCurrentInTheHandlerWithTheBaggageOfWhoEnqueued() {
    handle(
        (mail, job) -> {
          seen.add(Span.current().getSpanContext().getSpanId());
          seen.add(String.valueOf(Baggage.current().getEntryValue("customer")));
        });
    Context customer = Context.root().with(Baggage.builder().put("customer", "7").build());
    customer.wrap((Runnable) () -> rig.traced().enqueue(MAIL, "Ada")).run();

    rig.engine.run();

    assertThat(seen).containsExactly(rig.only("process mail").getSpanId(), "7");
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void jobs_thatAHandlerEnqueues_areEnqueuedInItsSpan() {
    handle(
        (mail, job) -> {
          if (mail.equals("Ada")) {
            rig.telemetry.queues(job.queues()).enqueue(MAIL, "Bob");
          }
        });
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.run();

    SpanData first = rig.named("process mail").get(0);
    SpanData second = rig.named("process mail").get(1);
    SpanData enqueue = rig.named("enqueue mail").get(1);
    assertThat(enqueue.getParentSpanId()).isEqualTo(first.getSpanId());
    assertThat(TelemetryRig.links(second)).containsExactly(enqueue.getSpanId());
  }

  @Test
  void workflow_thatSleeps_hasASpanForEachTimeItRunsAndItsStepsAreInThem() {
    rig.telemetry
        .trace(rig.engine.worker())
        .steps(
            MAIL,
            Steps.<String>workflow(
                (mail, steps) -> {
                  steps.step("draw", () -> step("draw"));
                  steps.sleep("night", Duration.ofHours(8));
                  steps.step("send", () -> step("send"));
                }))
        .start();
    rig.traced().enqueue(MAIL, "Ada");

    rig.engine.advance(Duration.ofDays(1));

    List<SpanData> runs = rig.named("process mail");
    String enqueue = rig.only("enqueue mail").getSpanId();
    assertThat(outcomes(runs)).containsExactly("snoozed", "completed");
    assertThat(runs)
        .allSatisfy(run -> assertThat(TelemetryRig.links(run)).containsExactly(enqueue))
        .extracting(run -> TelemetryRig.text(run, "millrace.wake"))
        .containsExactly("first", "slept");
    assertThat(rig.only("draw").getParentSpanId()).isEqualTo(runs.get(0).getSpanId());
    assertThat(rig.only("send").getParentSpanId()).isEqualTo(runs.get(1).getSpanId());
  }

  private void step(String name) {
    rig.sdk.getTracer("program").spanBuilder(name).startSpan().end();
  }

  @Test
  void worker_thatIsNotTraced_leavesTheJobAsItIs() {
    rig.engine.worker().handle(MAIL, (mail, job) -> seen.add(mail)).start();
    JobId id = rig.traced().enqueue(MAIL, "Ada").jobId();
    Map<String, String> headers = rig.engine.get(id).orElseThrow().headers();

    rig.engine.run();

    assertThat(headers).containsOnlyKeys("content-type", "traceparent");
    assertThat(seen).containsExactly("Ada");
    assertThat(rig.engine.get(id).map(Job::state)).isNotEqualTo(JobState.DEAD);
    assertThat(rig.spanNames()).containsExactly("enqueue mail");
  }
}
