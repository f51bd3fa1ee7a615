package io.millrace.model.crash;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.engine.JobEngine;
import java.time.Duration;

/** A process that dies of the job that it works; it ends well when the job is dead. */
final class PoisonedWorker {

  static final int EXIT_STATUS = 42;

  private PoisonedWorker() {}

  /** Argument: store's location. */
  public static void main(String[] args) {
    JobEngine engine = JobEngine.open(args[0]);
    JobQueue queue = engine.queue("mail");
    ClaimOptions patient = ClaimOptions.by("victim").waiting(Duration.ofMillis(20));
    while (queue.stats().orElseThrow().count(JobState.DEAD) == 0) {
      queue.claim(patient).forEach(lease -> Runtime.getRuntime().halt(EXIT_STATUS));
    }
    engine.close();
  }
}
