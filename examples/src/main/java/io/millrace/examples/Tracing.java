package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.opentelemetry.Conventions;
import io.millrace.opentelemetry.MillraceTelemetry;
import io.millrace.worker.Worker;
import io.opentelemetry.api.OpenTelemetry;
import java.util.function.Consumer;

/** The examples of docs/tracing.md. */
final class Tracing {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private Tracing() {}

  static Worker traced(JobEngine engine, OpenTelemetry openTelemetry, Consumer<String> mailer) {
    // region tracing
    MillraceTelemetry telemetry = MillraceTelemetry.of(openTelemetry);

    telemetry.queues(engine).enqueue(MAIL, "ada@example.org");

    Worker worker =
        telemetry.trace(Worker.on(engine)).handle(MAIL, (mail, job) -> mailer.accept(mail)).start();
    // endregion
    inTransaction(engine, telemetry);
    return worker;
  }

  private static void inTransaction(JobEngine engine, MillraceTelemetry telemetry) {
    // region tracing-inject
    engine.inTransaction(tx -> tx.enqueue(MAIL, "bob@example.org", telemetry.inject())).orThrow();
    // endregion
  }

  static MillraceTelemetry withOptions(OpenTelemetry openTelemetry) {
    // region tracing-options
    MillraceTelemetry telemetry =
        MillraceTelemetry.of(
            openTelemetry,
            options -> options.conventions(Conventions.MESSAGING).inSameTrace().queueCountMax(20));
    // endregion
    return telemetry;
  }
}
