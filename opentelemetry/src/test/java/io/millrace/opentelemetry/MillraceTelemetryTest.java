package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EnqueueOptions;
import io.millrace.worker.Next;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contexts of jobs that are enqueued by other means, and the choice of conventions. */
class MillraceTelemetryTest {

  private final TelemetryRig rig = new TelemetryRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void inject_inATransaction_linksTheJobToTheSpanAroundIt() {
    rig.telemetry.trace(rig.engine.worker()).handle(MAIL, (mail, job) -> {}).start();
    SpanContext request =
        rig.within(
            () ->
                rig.engine
                    .inTransaction(tx -> tx.enqueue(MAIL, "Ada", rig.telemetry.inject()))
                    .orThrow());

    rig.engine.run();

    assertThat(TelemetryRig.links(rig.only("process mail"))).containsExactly(request.getSpanId());
    assertThat(rig.spanNames()).containsExactly("request", "process mail");
  }

  @Test
  void inject_forTheNextJob_linksItToTheRunThatAnsweredIt() {
    rig.telemetry
        .trace(rig.engine.worker())
        .steps(
            MAIL,
            (mail, job) ->
                mail.equals("Ada") ? Next.then(MAIL, "Bob", rig.telemetry.inject()) : Next.done())
        .start();
    rig.engine.enqueue(MAIL, "Ada");

    rig.engine.run();

    SpanData first = rig.named("process mail").get(0);
    SpanData second = rig.named("process mail").get(1);
    assertThat(first.getLinks()).isEmpty();
    assertThat(TelemetryRig.links(second)).containsExactly(first.getSpanId());
  }

  @Test
  void inject_withoutASpan_leavesOptionsAsTheyAre() {
    EnqueueOptions options = EnqueueOptions.DEFAULT.header("a", "b");

    assertThat(rig.telemetry.inject().apply(options)).isSameAs(options);
  }

  @Test
  void inject_forAJobThatCarriesAContext_mixesNothingIntoIt() {
    EnqueueOptions[] made = new EnqueueOptions[2];
    rig.within(() -> made[0] = rig.telemetry.inject().apply(EnqueueOptions.DEFAULT));
    Context customer = Context.root().with(Baggage.builder().put("customer", "7").build());

    customer.wrap((Runnable) () -> made[1] = rig.telemetry.inject().apply(made[0])).run();

    assertThat(made[1].headers()).containsOnlyKeys("traceparent");
  }

  @Test
  void inject_calledOnceForManyJobs_isAboutTheSpanOfItsCall() {
    EnqueueOptions[] made = new EnqueueOptions[1];
    SpanContext[] inner = new SpanContext[1];
    SpanContext outer =
        rig.within(
            () -> {
              UnaryOperator<EnqueueOptions> inject = rig.telemetry.inject();
              inner[0] = rig.within(() -> made[0] = EnqueueOptions.DEFAULT.changed(inject));
            });

    assertThat(made[0].headers().get("traceparent"))
        .contains(outer.getSpanId())
        .doesNotContain(inner[0].getSpanId());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "AS_OPTED_IN, -, -, false",
        "AS_OPTED_IN, messaging, -, true",
        "AS_OPTED_IN, 'http, messaging/dup', -, true",
        "AS_OPTED_IN, -, 'database,messaging', true",
        "AS_OPTED_IN, 'http,messagings', '', false",
        "MESSAGING, -, -, true",
        "OWN, messaging, messaging, false",
      })
  void conventions_ofAProgram_applyIfItOptedIn(
      Conventions conventions, String variable, String property, boolean areMessaging) {
    assertThat(
            conventions.areMessaging(
                name -> name.equals("OTEL_SEMCONV_STABILITY_OPT_IN") ? variable : null,
                name -> name.equals("otel.semconv-stability.opt-in") ? property : null))
        .isEqualTo(areMessaging);
  }

  @Test
  void options_thatWereSet_areTheirValue() {
    TelemetryOptions options =
        TelemetryOptions.DEFAULT.conventions(Conventions.OWN).inSameTrace().queueCountMax(7);

    assertThat(options)
        .hasToString("TelemetryOptions[conventions=OWN, isInSameTrace=true, queueCountMax=7]")
        .isNotEqualTo(TelemetryOptions.DEFAULT);
    assertThatThrownBy(() -> options.queueCountMax(1_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queueCountMax");
  }
}
