package io.millrace.examples;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.engine.JobEngine;
import io.millrace.micrometer.MillraceMetrics;
import io.millrace.micrometer.WorkerMetrics;
import io.millrace.worker.Worker;

/** The example of docs/operating.md. */
final class Operating {

  private Operating() {}

  static MillraceMetrics bind(JobEngine engine, Worker worker, MeterRegistry registry) {
    // region metrics
    MillraceMetrics metrics = MillraceMetrics.of(engine, "orders");
    metrics.bindTo(registry);
    WorkerMetrics.of(worker, "orders").bindTo(registry);
    // endregion
    return metrics;
  }
}
