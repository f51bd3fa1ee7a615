package io.millrace.model.fault;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.time.Duration;

/**
 * A process whose job brings it to its end: by {@code exit}, by {@code halt}, or by SIGTERM and
 * then giving up as it is asked to ({@code term}).
 */
final class ExitingWorker {

  static final JobType<String> FATAL = JobType.of("fatal", Codec.TEXT);
  static final int ATTEMPTS = 2;

  private ExitingWorker() {}

  /** Arguments: store's location, and how the job ends its process. */
  public static void main(String[] args) {
    JobEngine engine = JobEngine.open(args[0]);
    if (engine.queue(FATAL.queueName()).stats().isEmpty()) {
      engine.enqueue(FATAL, "m", options -> options.maxAttempts(ATTEMPTS));
    }
    Worker.on(engine)
        .handle(
            FATAL,
            (text, job) -> {
              switch (args[1]) {
                case "exit" -> System.exit(3);
                case "halt" -> Runtime.getRuntime().halt(3);
                default -> {
                  String pid = Long.toString(ProcessHandle.current().pid());
                  new ProcessBuilder("kill", "-TERM", pid).start();
                  Thread.currentThread().join(); // until it is interrupted
                }
              }
            })
        .stopAtShutdown(Duration.ofMillis(100))
        .start();
  }
}
