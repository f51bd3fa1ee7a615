package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobQueue;
import io.millrace.engine.JobEngine;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A process with one caller, who writes into a file of its own what it asks for and what it is
 * told, for a tracer to see among the writes and flushes of the store.
 */
final class TracedWorker {

  private TracedWorker() {}

  /** Arguments: store's location, the caller's file, how many jobs. */
  public static void main(String[] args) throws IOException {
    try (JobEngine engine = JobEngine.open(args[0]);
        OutputStream said = new FileOutputStream(args[1])) {
      JobQueue queue = engine.queue("mail");
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        said.write(("ask " + i + "\n").getBytes(UTF_8));
        queue.enqueue(new byte[100]);
        said.write(("told " + i + "\n").getBytes(UTF_8));
      }
    }
    System.out.println("done");
  }
}
