import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;

/** A first program. */
public final class Main {

  private Main() {}

  /** Takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) {
    String location = args.length == 0 ? "lmdb:data/jobs" : args[0];
    try (JobEngine engine = JobEngine.open(location)) {
      JobQueue mail = engine.queue("mail");
      mail.enqueue("Hello, Ada".getBytes(UTF_8));
      for (Lease lease : mail.claim(ClaimOptions.by("worker-1").max(10))) {
        System.out.println(new String(lease.payload(), UTF_8) + ": " + lease.complete());
      }
    }
  }
}
