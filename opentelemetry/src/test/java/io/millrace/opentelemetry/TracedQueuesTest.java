package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans of calls that enqueue and claim jobs. */
class TracedQueuesTest {

  private static final QueueName QUEUE = QueueName.of("mail");

  private final TelemetryRig rig = new TelemetryRig();
  private final TracedQueues traced = rig.traced();

  @AfterEach
  void close() {
    rig.close();
  }

  private List<Lease> claim(int most) {
    return rig.engine.queue(QUEUE).claim(ClaimOptions.by("me").max(most));
  }

  private String carried(Lease lease) {
    return lease.headers().getOrDefault("traceparent", "none");
  }

  private static String header(SpanContext span) {
    return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex();
  }

  @Test
  void enqueue_always_hasASpanWhoseContextTheJobCarries() {
    Enqueued[] enqueued = new Enqueued[1];
    SpanContext request =
        rig.within(
            () ->
                enqueued[0] =
                    traced.enqueue(
                        MAIL.tenant("acme"), "Ada", o -> o.priority(5).header("to", "x")));

    SpanData span = rig.only("enqueue mail");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(TelemetryRig.attributes(span))
        .containsOnly(
            entry("messaging.system", "millrace"),
            entry("messaging.operation.name", "enqueue"),
            entry("messaging.operation.type", "send"),
            entry("messaging.destination.name", "mail"),
            entry("messaging.message.id", enqueued[0].jobId().toString()),
            entry("messaging.message.body.size", 3L),
            entry("millrace.tenant", "acme"),
            entry("millrace.priority", 5L),
            entry("millrace.type", "mail"),
            entry("millrace.enqueued", "new"));
    assertThat(rig.engine.get(enqueued[0].jobId()).orElseThrow().headers())
        .containsOnly(
            entry("traceparent", header(span.getSpanContext())),
            entry("content-type", MAIL.options().headers().get("content-type")),
            entry("to", "x"));
  }

  @Test
  void enqueue_ofADuplicate_tellsTheJobThatIsThereAndIsNoError() {
    Enqueued first = traced.enqueue(MAIL, "Ada", o -> o.unique("ada"));

    traced.enqueue(MAIL, "Ada", o -> o.unique("ada"));

    SpanData second = rig.named("enqueue mail").get(1);
    assertThat(TelemetryRig.text(second, "millrace.enqueued")).isEqualTo("duplicate");
    assertThat(TelemetryRig.text(second, "messaging.message.id"))
        .isEqualTo(first.jobId().toString());
    assertThat(second.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
  }

  @Test
  void enqueue_intoAFullQueue_isAnErrorOfThatName() {
    rig.engine.queue(QUEUE).configure(settings -> settings.depthMax(1));
    traced.enqueue(MAIL, "Ada");

    assertThatThrownBy(() -> traced.enqueue(MAIL, "Bob"))
        .isInstanceOf(EnqueueRefusedException.class);

    SpanData second = rig.named("enqueue mail").get(1);
    assertThat(second.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(TelemetryRig.text(second, "error.type")).isEqualTo("queue_full");
  }

  @Test
  void enqueue_onAClosedEngine_isAnErrorAndThrows() {
    rig.engine.close();

    assertThatThrownBy(() -> traced.enqueue(MAIL, "Ada")).isInstanceOf(EngineClosedException.class);

    SpanData span = rig.only("enqueue mail");
    assertThat(TelemetryRig.text(span, "error.type"))
        .isEqualTo(EngineClosedException.class.getName());
    assertThat(span.getEvents()).hasSize(1);
  }

  @Test
  void enqueueAsync_always_endsItsSpanWithTheFuture() {
    Enqueued enqueued = traced.enqueueAsync(MAIL, "Ada").join();

    SpanData span = rig.only("enqueue mail");
    assertThat(TelemetryRig.text(span, "messaging.message.id"))
        .isEqualTo(enqueued.jobId().toString());
    assertThat(carried(claim(1).get(0))).isEqualTo(header(span.getSpanContext()));
  }

  @Test
  void enqueueAsync_intoAQueueThatIsDrained_isAnError() {
    traced.enqueue(MAIL, "Ada");
    rig.engine.queue(QUEUE).drain(Duration.ZERO).isDone();

    CompletableFuture<Enqueued> refused = traced.enqueueAsync(MAIL, "Bob");

    assertThatThrownBy(refused::join).hasCauseInstanceOf(EnqueueRefusedException.class);
    assertThat(TelemetryRig.text(rig.named("enqueue mail").get(1), "error.type"))
        .isEqualTo("draining");
  }

  @Test
  void enqueueAll_ofManyJobs_hasOneSpanThatAllOfThemCarry() {
    rig.telemetry.trace(rig.engine.worker()).handle(MAIL, (mail, job) -> {}).start();

    traced.enqueueAll(MAIL, List.of("Ada", "Bob", "Cleo"));
    rig.engine.run();

    SpanData span = rig.only("enqueue mail");
    assertThat(TelemetryRig.attributes(span))
        .contains(entry("messaging.batch.message_count", 3L))
        .doesNotContainKeys("messaging.message.id", "error.type", "millrace.refused");
    assertThat(rig.named("process mail").stream().map(TelemetryRig::links))
        .containsExactly(
            List.of(span.getSpanId()), List.of(span.getSpanId()), List.of(span.getSpanId()));
  }

  @Test
  void offerAll_ofMoreJobsThanTheQueueTakes_tellsHowManyWereRefused() {
    rig.engine.queue(QUEUE).configure(settings -> settings.depthMax(2));
    NewJob job = NewJob.of(new byte[0]);

    List<EnqueueResult> results = traced.offerAll(QUEUE, List.of(job, job, job));

    SpanData span = rig.only("enqueue mail");
    assertThat(results).filteredOn(EnqueueResult::isDone).hasSize(2);
    assertThat(TelemetryRig.attributes(span))
        .contains(entry("millrace.refused", 1L), entry("error.type", "queue_full"));
  }

  @Test
  void offerAll_ofJobsThatFillACall_isCarriedOutWithoutTheContext() {
    byte[] half = new byte[Limits.PAYLOAD_BYTES_MAX];
    NewJob job = NewJob.of(half);

    List<EnqueueResult> results = traced.offerAll(QUEUE, List.of(job, job));

    assertThat(results).allMatch(EnqueueResult::isDone);
    assertThat(claim(2)).hasSize(2).extracting(this::carried).containsOnly("none");
    assertThat(rig.spanNames()).containsExactly("enqueue mail");
  }

  @Test
  void offer_ofAJobWhoseHeadersAreFull_isCarriedOutWithoutTheContext() {
    String text = "x".repeat(Limits.HEADER_BYTES_MAX - 1 - 60);
    NewJob job = new NewJob(new byte[0], EnqueueOptions.DEFAULT.header("a", text));

    EnqueueResult result = traced.offer(QUEUE, job);

    assertThat(result.isDone()).isTrue();
    assertThat(claim(1).get(0).headers()).containsOnlyKeys("a");
  }

  @Test
  void enqueue_ofAJobThatCarriesAContext_keepsItAndHasALinkToIt() {
    EnqueueOptions[] carrying = new EnqueueOptions[1];
    SpanContext request =
        rig.within(() -> carrying[0] = rig.telemetry.inject().apply(EnqueueOptions.DEFAULT));

    EnqueueResult result = traced.offer(QUEUE, new NewJob(new byte[0], carrying[0]));

    assertThat(result.isDone()).isTrue();
    assertThat(TelemetryRig.links(rig.only("enqueue mail"))).containsExactly(request.getSpanId());
    assertThat(carried(claim(1).get(0))).isEqualTo(header(request));
  }

  @Test
  void submit_always_endsItsSpanWhenTheJobIsInTheQueue() {
    ResultJobType<String, String> type = MAIL.returning(Codec.TEXT);

    Submitted<String> submitted = traced.submit(type, "Ada", o -> o.header("a", "b"));

    SpanData span = rig.only("enqueue mail");
    assertThat(submitted.end()).isNotDone();
    assertThat(TelemetryRig.text(span, "messaging.message.id"))
        .isEqualTo(submitted.jobId().toString());
    assertThat(carried(claim(1).get(0))).isEqualTo(header(span.getSpanContext()));
  }

  @Test
  void submit_intoAFullQueue_isAnError() {
    ResultJobType<String, String> type = MAIL.returning(Codec.TEXT);
    rig.engine.queue(QUEUE).configure(settings -> settings.depthMax(1));
    rig.engine.enqueue(MAIL, "Ada");

    assertThatThrownBy(() -> traced.submit(type, "Bob").end())
        .isInstanceOf(EnqueueRefusedException.class);

    assertThat(TelemetryRig.text(rig.only("enqueue mail"), "error.type")).isEqualTo("queue_full");
  }

  @Test
  void claim_ofSeveralJobs_hasALinkToEachThatCarriesAContext() {
    traced.enqueue(MAIL, "Ada");
    traced.enqueue(MAIL, "Bob");
    rig.engine.enqueue(MAIL, "Cleo");

    List<Lease> leases = traced.claim(QUEUE, ClaimOptions.by("me").max(5));

    SpanData span = rig.only("claim mail");
    assertThat(leases).hasSize(3);
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(TelemetryRig.links(span))
        .containsExactlyElementsOf(
            rig.named("enqueue mail").stream().map(SpanData::getSpanId).toList());
    assertThat(TelemetryRig.attributes(span))
        .containsOnly(
            entry("messaging.system", "millrace"),
            entry("messaging.operation.name", "claim"),
            entry("messaging.operation.type", "receive"),
            entry("messaging.destination.name", "mail"),
            entry("messaging.client.id", "me"),
            entry("messaging.batch.message_count", 3L));
  }

  @Test
  void claim_ofNothing_hasASpanOfNoJobs() {
    assertThat(traced.claim(QUEUE, ClaimOptions.by("me"))).isEmpty();

    assertThat(TelemetryRig.attributes(rig.only("claim mail")))
        .contains(entry("messaging.batch.message_count", 0L));
  }

  @Test
  void claim_ofSeveralQueues_namesNone() {
    QueueName other = QueueName.of("print");
    traced.enqueue(MAIL, "Ada");
    traced.enqueue(MAIL.queue("print"), "Bob");

    List<Lease> leases = traced.claim(List.of(QUEUE, other), ClaimOptions.by("me").max(5));

    SpanData span = rig.only("claim");
    assertThat(leases).hasSize(2);
    assertThat(TelemetryRig.links(span)).hasSize(2).doesNotHaveDuplicates();
    assertThat(TelemetryRig.attributes(span)).doesNotContainKey("messaging.destination.name");
  }

  @Test
  void settle_ofALease_tellsWhatCameOfItWithALinkToTheEnqueue() {
    traced.enqueue(MAIL, "Ada");
    Lease lease = claim(1).get(0);

    FailResult failed = traced.settle(lease, it -> it.fail("no answer"));
    CompleteResult late = traced.settle(lease, Lease::complete);

    List<SpanData> spans = rig.named("settle mail");
    assertThat(failed.isDone()).isTrue();
    assertThat(late).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(spans)
        .hasSize(2)
        .allSatisfy(
            span ->
                assertThat(TelemetryRig.links(span))
                    .containsExactly(rig.only("enqueue mail").getSpanId()));
    assertThat(TelemetryRig.attributes(spans.get(0)))
        .containsOnly(
            entry("messaging.system", "millrace"),
            entry("messaging.operation.name", "settle"),
            entry("messaging.operation.type", "settle"),
            entry("messaging.destination.name", "mail"),
            entry("messaging.message.id", lease.jobId().toString()),
            entry("millrace.outcome", "retried"));
    assertThat(TelemetryRig.attributes(spans.get(1)))
        .contains(entry("millrace.outcome", "stale_lease"), entry("error.type", "stale_lease"));
  }

  @Test
  void settle_ofALeaseThatWasNamedByItsTokenAndIsLost_answersWhatTheCallAnswers() {
    traced.enqueue(MAIL, "Ada");
    Lease lease = claim(1).get(0);
    Lease named = rig.engine.lease(lease.jobId(), lease.token());
    lease.complete().orThrow();

    FailResult result = traced.settle(named, it -> it.fail("no answer"));

    SpanData span = rig.only("settle");
    assertThat(result).isEqualTo(rig.engine.lease(lease.jobId(), lease.token()).fail("again"));
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(TelemetryRig.text(span, "messaging.message.id")).isEqualTo(lease.jobId().toString());
  }

  @Test
  void submit_ofADuplicate_doesNotSayThatItIsNew() {
    ResultJobType<String, String> type = MAIL.returning(Codec.TEXT);
    Submitted<String> first = traced.submit(type, "Ada", o -> o.unique("ada"));

    Submitted<String> second = traced.submit(type, "Ada", o -> o.unique("ada"));

    assertThat(second.jobId()).isEqualTo(first.jobId());
    assertThat(TelemetryRig.attributes(rig.named("enqueue mail").get(1)))
        .contains(entry("messaging.message.id", first.jobId().toString()))
        .doesNotContainKey("millrace.enqueued");
  }

  /** A processor of the user's that fails whenever a span begins, or whenever one ends. */
  private record Failing(boolean isStartRequired) implements SpanProcessor {
    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
      throw new IllegalStateException("no memory");
    }

    @Override
    public void onEnd(ReadableSpan span) {
      throw new IllegalStateException("no exporter");
    }

    @Override
    public boolean isEndRequired() {
      return !isStartRequired;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void calls_whoseSpansCannotBeTold_areCarriedOutOnce(boolean isAtStart) {
    MillraceTelemetry broken = rig.to(rig.sdk(new Failing(isAtStart)), options -> options);
    TracedQueues queues = broken.queues(rig.engine);
    List<String> seen = new ArrayList<>();
    broken.trace(rig.engine.worker()).handle(MAIL, (mail, job) -> seen.add(mail)).start();

    queues.enqueue(MAIL, "Ada");
    queues.enqueueAsync(MAIL, "Bob").join();
    rig.engine.run();

    assertThat(seen).containsExactly("Ada", "Bob");
    rig.engine.assertJobs(MAIL).hasSize(0);
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }
}
