package io.millrace.model.crash;

import io.millrace.api.ClaimOptions;
import io.millrace.api.QueueName;
import io.millrace.client.RemoteQueues;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** A process that holds a job of a server until it is killed, or exits since its input ends. */
final class RemoteHolder {

  static final QueueName QUEUE = QueueName.of("held");

  private static final Duration WAITING = Duration.ofMinutes(1);

  private RemoteHolder() {}

  static Victim start(int port, Duration lease) throws IOException {
    return Victim.start(
        RemoteHolder.class, Integer.toString(port), Long.toString(lease.toMillis()));
  }

  /** Arguments: the server's port, how long the lease lasts. It says when it asked for the job. */
  public static void main(String[] args) throws Exception {
    RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + args[0]);
    Duration lease = Duration.ofMillis(Long.parseLong(args[1]));
    long askedUs = Journal.nowUs();
    ClaimOptions options = ClaimOptions.by("holder").leaseDuration(lease).waiting(WAITING);
    if (queues.queue(QUEUE).claim(options).size() == 1) {
      System.out.println(askedUs);
    }
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
