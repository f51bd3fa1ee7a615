package io.millrace.engine.jmx;

import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobQueues;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts of an engine that tools may use.
 *
 * @param label the name of the engine and the place of its store
 * @param queues what the engine holds
 * @param reopen opens the store again
 * @param backup copies the store into a folder
 */
public record EngineAccess(
    Label label,
    JobQueues queues,
    Supplier<EngineMetrics> metrics,
    Supplier<EngineHealth> health,
    Runnable reopen,
    Consumer<Path> backup) {

  /**
   * The name of an engine and the place of its store.
   *
   * @param storeKind the kind of the store, as at the beginning of a location
   * @param place its folder, absolute, or what else its location says, without passwords
   */
  public record Label(String name, String storeKind, String place) {}
}
