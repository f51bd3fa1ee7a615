package io.millrace.model.fault;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.util.ArrayList;
import java.util.List;

/**
 * A process whose disk fails under it once: it says, one line each, what its callers were told, and
 * how it went on after it had opened its store again.
 */
final class DiskFaultWorker {

  private static final int JOB_COUNT_MAX = 200;

  private DiskFaultWorker() {}

  /** Argument: store's location. */
  public static void main(String[] args) {
    // Only this worker reopens its engine: on a slow machine the engine would do so in between.
    EngineOptions options = EngineOptions.DEFAULT.reopenAfter(List.of());
    try (JobEngine engine = JobEngine.open(args[0], options)) {
      JobQueue mail = engine.queue("mail");
      JobId finished = mail.enqueue(new byte[100]).jobId();
      Lease lease = mail.claim(ClaimOptions.by("worker")).get(0);
      List<JobId> acknowledged = new ArrayList<>();

      say("caller was told " + enqueueUntilRefused(mail, acknowledged));
      say("engine is " + (engine.poison().isPresent() ? "poisoned" : "well"));
      say("later caller was told " + enqueueUntilRefused(mail, new ArrayList<>()));
      say("reads go on: " + engine.get(finished).isPresent());

      engine.reopen();
      say("reopened engine is " + (engine.poison().isPresent() ? "poisoned" : "well"));
      say("lost " + acknowledged.stream().filter(id -> engine.get(id).isEmpty()).count());
      say("lease is still held: " + (lease.complete() == CompleteResult.COMPLETED));
      say("works again: " + engine.get(mail.enqueue(new byte[100]).jobId()).isPresent());
      say("clean: " + engine.verify().isClean());
    }
  }

  /** The name of what the caller was told at last. */
  private static String enqueueUntilRefused(JobQueue queue, List<JobId> acknowledged) {
    try {
      while (acknowledged.size() < JOB_COUNT_MAX) {
        acknowledged.add(queue.enqueue(new byte[100]).jobId());
      }
      return "nothing";
    } catch (MillraceException told) {
      return told.getClass().getSimpleName();
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
