package io.millrace.model.crash;

import io.millrace.api.ClaimOptions;
import io.millrace.engine.JobEngine;
import java.time.Duration;

/** A process that dies of the job that it works; it ends well when there is none. */
final class PoisonedWorker {

  static final int EXIT_STATUS = 42;

  private PoisonedWorker() {}

  /** Argument: store's location. */
  public static void main(String[] args) {
    JobEngine engine = JobEngine.open(args[0]);
    engine
        .queue("mail")
        .claim(ClaimOptions.by("victim").waiting(Duration.ofSeconds(3)))
        .forEach(lease -> Runtime.getRuntime().halt(EXIT_STATUS));
    engine.close();
  }
}
