package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Many tenants, one of which has many jobs waiting: each has its turn. */
public final class FairTenants {

  private FairTenants() {}

  /** Runs the example; takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) {
    run(args.length == 0 ? "lmdb:data/jobs" : args[0], System.out::println);
  }

  static void run(String location, Consumer<String> log) {
    try (JobEngine engine = JobEngine.open(location)) {
      // region tenants
      JobQueue busy = engine.queue("mail", "busy");
      for (int i = 0; i < 1_000; i++) {
        busy.enqueue("busy".getBytes(UTF_8));
      }
      engine.queue("mail", "paying").configure(settings -> settings.share(2)); // jobs in its turn
      engine.queue("mail", "paying").enqueueAll(Collections.nCopies(2, job("paying")));
      engine.queue("mail", "quiet").enqueue("quiet".getBytes(UTF_8));

      ClaimOptions claim = ClaimOptions.by("worker-1").max(5).waiting(Duration.ofSeconds(20));
      List<Lease> leases = engine.claimAcrossTenants("mail", claim);
      leases.forEach(lease -> log.accept(text(lease))); // each has its turn, busy a second one
      // endregion
    }
  }

  private static NewJob job(String text) {
    return NewJob.of(text.getBytes(UTF_8));
  }

  private static String text(Lease lease) {
    return new String(lease.payload(), UTF_8);
  }
}
