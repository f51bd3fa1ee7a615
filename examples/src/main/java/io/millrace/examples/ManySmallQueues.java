package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/** Few workers for many small queues: each worker has the queue that it works at for itself. */
public final class ManySmallQueues {

  private ManySmallQueues() {}

  /** Runs the example for ever; takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) {
    try (JobEngine engine = JobEngine.open(args.length == 0 ? "lmdb:data/jobs" : args[0])) {
      while (true) {
        Instant next = round(engine, "worker-1", (queue, text) -> System.out.println(text));
        LockSupport.parkUntil(next.toEpochMilli());
      }
    }
  }

  /** Works at each queue that has jobs and that no other worker has; returns when to look next. */
  static Instant round(JobQueues engine, String worker, BiConsumer<QueueName, String> work) {
    // region many small queues
    Instant next = Instant.now().plusSeconds(1); // whatever is new is found by then
    List<QueueName> active =
        new ArrayList<>(engine.activeQueues(Instant.now(), PageRequest.first(100)).items());
    Collections.shuffle(active); // so that workers do not all try the same queue first
    for (QueueName name : active) {
      Optional<QueueLease> mine = engine.leaseQueue(name, worker).lease(); // for 5 s
      if (mine.isEmpty()) {
        continue; // another worker has it
      }
      try (QueueLease queue = mine.get()) {
        if (queue.claim(10, Duration.ZERO) instanceof QueueClaimResult.Claimed claimed) {
          for (Lease job : claimed.leases()) {
            try (job) {
              work.accept(name, new String(job.payload(), UTF_8));
              job.complete().orThrow();
            } catch (LeaseLostException e) { // took longer than its own lease of 30 s
              System.err.println(e.getMessage());
            }
          }
        }
      }
      Optional<Instant> again = engine.nextVisible(name);
      next = again.filter(next::isAfter).orElse(next);
    }
    // endregion
    return next;
  }
}
