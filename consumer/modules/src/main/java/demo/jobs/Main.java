package demo.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueue;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.ResultJobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.util.ArrayList;
import java.util.List;

/** Enqueues, claims and completes jobs by hand and by a worker, on each of the stores that it is given. */
public final class Main {

  private static final int JOB_COUNT = 3;
  private static final ResultJobType<String, Long> LENGTH =
      JobType.of("length", Codec.TEXT).returning(Codec.LONG);

  private Main() {}

  /** Takes the stores' locations. */
  public static void main(String[] locations) {
    for (String location : locations) {
      List<String> done = work(location);
      if (!done.equals(List.of("job 0", "job 1", "job 2"))) {
        throw new IllegalStateException("not what was enqueued: " + location + " " + done);
      }
      Module engine = JobEngine.class.getModule();
      System.out.printf(
          "%s: %d jobs, %s, Java %s%n",
          location.replaceAll(":.*", ""),
          done.size(),
          engine.isNamed() ? "module path" : "class path",
          Runtime.version().feature());
    }
  }

  private static List<String> work(String location) {
    List<String> done = new ArrayList<>();
    try (JobEngine engine = JobEngine.open(location)) {
      JobQueue queue = engine.queue("demo");
      for (int i = 0; i < JOB_COUNT; i++) {
        queue.enqueue(("job " + i).getBytes(UTF_8));
      }
      for (Lease lease : queue.claim(ClaimOptions.by("worker").max(JOB_COUNT))) {
        String text = new String(lease.payload(), UTF_8);
        if (lease.complete() == CompleteResult.COMPLETED) {
          done.add(text);
        }
      }
      Worker worker = Worker.on(engine).compute(LENGTH, (text, job) -> (long) text.length()).start();
      if (!engine.submit(LENGTH, "four").end().join().equals(new JobEnd.Completed<>(4L))) {
        throw new IllegalStateException("the worker has another result: " + location);
      }
      worker.close();
    }
    return done;
  }
}
