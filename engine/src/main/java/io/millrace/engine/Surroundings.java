package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.engine.jmx.Shown;
import io.millrace.engine.jmx.Visibility;
import io.millrace.internal.commit.ReopenableStore;
import java.util.Optional;

/**
 * Where a running engine can be met beside its own API: in the platform MBean server, and at the
 * shutdown of the JVM, as far as its options say so.
 *
 * @param visibility shows it, if somebody may look
 * @param atShutdown closes it, if nobody else has
 */
record Surroundings(Optional<Visibility> visibility, Optional<AtShutdown> atShutdown) {

  /** Of an engine that nobody meets. */
  static final Surroundings NONE = new Surroundings(Optional.empty(), Optional.empty());

  /** Lets a started engine be met, until {@link #end}. */
  static Surroundings begin(JobEngine engine, ReopenableStore store, EngineOptions options) {
    Optional<Visibility> visibility =
        options.management() == EngineOptions.Management.JMX
            ? Optional.of(Visibility.begin(shown(engine, store, options)))
            : Optional.empty();
    Optional<AtShutdown> atShutdown =
        options.closeAtShutdown() ? Optional.of(AtShutdown.begin(engine::close)) : Optional.empty();
    return new Surroundings(visibility, atShutdown);
  }

  private static Shown shown(JobEngine engine, ReopenableStore store, EngineOptions options) {
    String kind = store.store().info().name();
    String name = options.name().orElse(kind + ":" + store.place());
    return new Shown(
        new Shown.Label(name, kind, store.place()),
        engine,
        engine::metrics,
        engine::health,
        engine::reopen,
        engine::backup);
  }

  /** The engine is being closed. */
  void end() {
    atShutdown.ifPresent(AtShutdown::close);
    visibility.ifPresent(Visibility::close);
  }
}
