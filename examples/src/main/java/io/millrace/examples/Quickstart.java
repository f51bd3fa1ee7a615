package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;

// region quickstart
/** Sends mails, and goes on sending those that are not sent when it is started again. */
public final class Quickstart {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private Quickstart() {}

  public static void main(String[] args) throws InterruptedException {
    JobEngine engine = JobEngine.open(args.length == 0 ? "lmdb:data/jobs" : args[0]);
    Worker.on(engine)
        .handle(MAIL, (mail, job) -> send(mail)) // throws: again after 1 s, 2 s, 4 s...
        .concurrency(16)
        .stopAtShutdown(Duration.ofSeconds(30))
        .start();

    engine.enqueue(MAIL, "Hello, Ada"); // returns when it is on the disk
    engine.enqueue(MAIL, "Hello, Bob", options -> options.delay(Duration.ofSeconds(3)));
  }

  private static void send(String mail) throws IOException {
    System.out.println("sent: " + mail);
  }
}
// endregion
