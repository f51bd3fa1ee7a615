package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import io.millrace.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;

/**
 * The meters of a worker, with the tags {@code engine} and {@code worker}: how much it may run at a
 * time, and how much it does. Any thread may use it. The meters go when this is closed, and when
 * they are looked at after the worker has stopped.
 */
public final class WorkerMetrics implements MeterBinder, AutoCloseable {

  private static final double MS_PER_SECOND = 1e3;

  private final Worker worker;
  private final String engine;
  private final List<Meters> bindings = new ArrayList<>();

  private WorkerMetrics(Worker worker, String engine) {
    this.worker = Objects.requireNonNull(worker, "worker");
    this.engine = Checks.text("engine", engine, 1, Limits.NAME_BYTES_MAX);
  }

  /**
   * Returns the meters of the worker.
   *
   * @param engine the value of the tag {@code engine}, as {@link MillraceMetrics#of} has it
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public static WorkerMetrics of(Worker worker, String engine) {
    return new WorkerMetrics(worker, engine);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry, Tags.of("engine", engine, "worker", worker.name()));
    bindings.add(meters);
    gauge(
        meters, "capacity", "The most weight of jobs that may run at a time", worker::concurrency);
    gauge(meters, "busy", "The weight of jobs that were claimed and run", worker::busy);
    gauge(meters, "paused", "1 if it claims no jobs", () -> worker.isPaused() ? 1 : 0);
    meters.timeGauge(
        "millrace.worker.longest",
        Tags.empty(),
        "How long the job that has run longest has run",
        unlessStopped(meters, () -> longestSeconds(registry.config().clock().wallTime())));
    meters.counter(
        "millrace.worker.unknown",
        Tags.empty(),
        "Jobs met that have a type without a handler",
        () -> worker.unknownTypes().values().stream().mapToLong(Long::longValue).sum());
  }

  private void gauge(Meters meters, String name, String description, DoubleSupplier value) {
    meters.gauge(
        "millrace.worker." + name, Tags.empty(), null, description, unlessStopped(meters, value));
  }

  private DoubleSupplier unlessStopped(Meters meters, DoubleSupplier value) {
    return () -> {
      if (worker.isStopped()) {
        meters.close();
        return Double.NaN;
      }
      return value.getAsDouble();
    };
  }

  private double longestSeconds(long nowMs) {
    return worker.running().stream()
            .mapToLong(job -> Math.max(0, nowMs - job.since().toEpochMilli()))
            .max()
            .orElse(0)
        / MS_PER_SECOND;
  }

  /** Removes the meters from all registries. Idempotent. */
  @Override
  public synchronized void close() {
    bindings.forEach(Meters::close);
    bindings.clear();
  }
}
