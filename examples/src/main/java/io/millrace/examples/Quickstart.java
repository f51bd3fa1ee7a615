package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;

/** The example of the README: enqueue, claim, complete or fail. */
public final class Quickstart {

  /** What does the work. */
  interface Mailer {
    void send(String text) throws IOException;
  }

  private Quickstart() {}

  /** Takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) {
    run(args.length == 0 ? "lmdb:data/jobs" : args[0], text -> System.out.println("sent: " + text));
  }

  static void run(String location, Mailer mailer) {
    // region quickstart
    try (JobEngine engine = JobEngine.open(location)) { // for example "lmdb:data/jobs"
      JobQueue mail = engine.queue("mail");
      mail.enqueue("Hello, Ada".getBytes(UTF_8));
      mail.enqueue("Urgent!".getBytes(UTF_8), EnqueueOptions.DEFAULT.priority(5).maxAttempts(10));

      ClaimOptions upToTen = ClaimOptions.by("worker-1").max(10).waiting(Duration.ofSeconds(20));
      for (Lease lease : mail.claim(upToTen)) { // the urgent one first
        try {
          mailer.send(new String(lease.payload(), UTF_8));
          lease.complete();
        } catch (IOException e) {
          lease.fail(e.toString()); // tried again after 1 s, 2 s, 4 s...; in the end a dead letter
        }
      }
    }
    // endregion
  }
}
