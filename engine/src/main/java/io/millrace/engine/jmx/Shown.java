package io.millrace.engine.jmx;

import io.millrace.api.DeadLetters;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobReader;
import io.millrace.api.QueueName;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The engine that is shown, as far as tools may use it.
 *
 * @param label what it is
 * @param deadLetters those of a queue
 * @param backup copies the store into a folder
 */
public record Shown(
    Label label,
    JobReader reader,
    Supplier<EngineMetrics> metrics,
    Supplier<EngineHealth> health,
    Function<QueueName, DeadLetters> deadLetters,
    Consumer<Path> backup) {

  /**
   * What the engine is called and where its store is.
   *
   * @param storeKind as at the beginning of a location
   * @param place its folder, absolute, or what else its location says, without passwords
   */
  public record Label(String name, String storeKind, String place) {}
}
