package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Claiming by hand, without a worker: enqueue, claim, complete or fail. */
public final class ByHand {

  /** The work of a job: sends a mail. */
  interface Mailer {
    void send(String text) throws IOException;
  }

  private ByHand() {}

  /**
   * Runs the example until it is stopped; takes the store's location, by default {@code
   * lmdb:data/jobs}.
   */
  public static void main(String[] args) {
    String location = args.length == 0 ? "lmdb:data/jobs" : args[0];
    run(location, text -> System.out.println("sent: " + text), () -> true);
  }

  static void run(String location, Mailer mailer, BooleanSupplier running) {
    // region byHand
    try (JobEngine engine = JobEngine.open(location)) { // for example "lmdb:data/jobs"
      JobQueue mail = engine.queue("mail");
      mail.enqueue("Hello, Ada".getBytes(UTF_8));
      mail.enqueue("Urgent!".getBytes(UTF_8), EnqueueOptions.DEFAULT.priority(5).maxAttempts(10));

      ClaimOptions next = ClaimOptions.by("worker-1").waiting(Duration.ofSeconds(20));
      while (running.getAsBoolean()) {
        for (Lease lease : mail.claim(next)) { // the urgent one first
          try (lease) { // left without an outcome, the attempt counts as failed, too
            try {
              mailer.send(new String(lease.payload(), UTF_8));
              lease.complete().orThrow();
            } catch (IOException e) { // again after 1 s, 2 s, 4 s...; in the end a dead letter
              lease.fail(e.toString()).orThrow();
            }
          } catch (LeaseLostException e) { // took longer than its lease of 30 s: runs again
            System.err.println(e.getMessage());
          }
        }
      }
    }
    // endregion
  }
}
