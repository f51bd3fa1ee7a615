package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/**
 * A process that works on jobs and ends without closing its engine.
 *
 * <p>It says {@code holding} when it holds leases on all jobs and the store knows of them. Then it
 * reads how to end: {@code return} from main, {@code exit}, {@code throw}, or {@code wait} until it
 * is ended from outside.
 */
final class ShutdownWorker {

  static final String QUEUE = "work";
  static final int JOB_COUNT = 5;

  private ShutdownWorker() {}

  /** Arguments: store's location, and whether the engine closes itself when the JVM shuts down. */
  public static void main(String[] args) throws IOException, InterruptedException {
    EngineOptions options =
        EngineOptions.DEFAULT
            .closeAtShutdown(Boolean.parseBoolean(args[1]))
            .claimsAnswer(EngineOptions.ClaimsAnswer.AFTER_COMMIT);
    JobEngine engine = JobEngine.open(args[0], options);
    JobQueue queue = engine.queue(QUEUE);
    for (int i = 0; i < JOB_COUNT; i++) {
      queue.enqueue(new byte[] {(byte) i});
    }
    List<Lease> leases = queue.claim(ClaimOptions.by("worker").max(JOB_COUNT));
    System.out.println(leases.size() == JOB_COUNT ? "holding" : "holding only " + leases.size());
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    String command = commands.readLine();
    switch (command) {
      case "return" -> System.out.println("returning");
      case "exit" -> System.exit(3);
      case "throw" -> throw new IllegalStateException("main has failed");
      case "wait" -> {
        System.out.println("waiting");
        Thread.currentThread().join();
      }
      default -> throw new IllegalArgumentException("unknown command: " + command);
    }
  }
}
