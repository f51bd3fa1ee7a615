package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.api.Limits;
import io.millrace.engine.JobEngine;
import io.millrace.options.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The meters of an engine and its queues. Any thread may use it.
 *
 * <pre>{@code
 * MillraceMetrics.of(engine, "orders").bindTo(registry);
 * }</pre>
 *
 * <p>All names begin with {@code millrace.}, and all meters have the tag {@code engine}. Figures
 * are read when they are scraped, at most once a second, all at once and without waiting for the
 * engine's work. While a figure is not known, its gauge is NaN and its counter stays where it was.
 *
 * <p>The meters go when this is closed; if the engine is closed, that is told once and then they
 * go, too. An engine that is bound under a name that another one had takes its place.
 */
public final class MillraceMetrics implements MeterBinder, AutoCloseable {

  /** The name under which queues and types are told for which there is no room. */
  public static final String OTHER = "other";

  private final JobEngine engine;
  private final String name;
  private final MetricsOptions options;
  private final List<EngineBinding> bindings = new ArrayList<>();

  private MillraceMetrics(JobEngine engine, String name, MetricsOptions options) {
    this.engine = Objects.requireNonNull(engine, "engine");
    this.name = Checks.text("name", name, 1, Limits.NAME_BYTES_MAX);
    this.options = options;
  }

  /**
   * Returns the meters of the engine, with default options.
   *
   * @param name the value of the tag {@code engine}, by which engines of one registry differ
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public static MillraceMetrics of(JobEngine engine, String name) {
    return new MillraceMetrics(engine, name, MetricsOptions.DEFAULT);
  }

  /**
   * Returns the meters of the engine.
   *
   * @param name the value of the tag {@code engine}, by which engines of one registry differ
   * @param options turns the default options into those to use
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode; or the function loses some of its changes
   */
  public static MillraceMetrics of(
      JobEngine engine, String name, UnaryOperator<MetricsOptions> options) {
    return new MillraceMetrics(engine, name, MetricsOptions.DEFAULT.changed(options));
  }

  /**
   * Adds the meters to the registry.
   *
   * @throws io.millrace.api.EngineClosedException the engine is closed; there is no meter
   * @throws io.millrace.api.EngineOverloadedException the engine has too many job listeners, one of
   *     which would time jobs; there is no meter
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    bindings.add(new EngineBinding(engine, name, options, registry));
  }

  /** Removes the meters from all registries. Idempotent. */
  @Override
  public synchronized void close() {
    bindings.forEach(EngineBinding::close);
    bindings.clear();
  }
}
