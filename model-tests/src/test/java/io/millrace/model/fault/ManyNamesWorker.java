package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * A process that uses a queue of its own for each of many customers, as soon as it can, and none of
 * them again for long. Its heap is too small for all of them.
 *
 * <p>Each queue gets two jobs, of which one is worked off, or stays leased for each hundredth
 * queue. It says what it found ({@code violation: …}), and how many queues there were.
 */
final class ManyNamesWorker {

  private static final int IN_FLIGHT_MAX = 200;
  private static final int LEASED_EVERY = 100;
  private static final int SAMPLE_COUNT = 1_000;
  private static final ClaimOptions CLAIM = ClaimOptions.by("worker");

  private final JobEngine engine;
  private final int count;
  private final List<Lease> held = new ArrayList<>();

  private ManyNamesWorker(JobEngine engine, int count) {
    this.engine = engine;
    this.count = count;
  }

  /** Arguments: store's location, and how many queues. */
  public static void main(String[] args) throws Exception {
    EngineOptions options = EngineOptions.DEFAULT.durability(Durability.BUFFERED);
    try (JobEngine engine = JobEngine.open(args[0], options)) {
      new ManyNamesWorker(engine, Integer.parseInt(args[1])).run();
    } catch (Throwable e) {
      System.out.println("violation: " + e);
    }
    System.out.println("done");
  }

  private void run() throws Exception {
    Deque<CompletableFuture<?>> calls = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      calls.add(use(i));
      while (calls.size() > IN_FLIGHT_MAX) {
        calls.remove().get();
      }
    }
    for (CompletableFuture<?> call : calls) {
      call.get();
    }
    check("health", "UP", engine.health().status().toString());
    check("queues", count, listed());
    for (Lease lease : held) {
      check("lease of " + lease.queue(), true, lease.complete().isDone());
    }
    new Random(count).ints(SAMPLE_COUNT, 0, count).distinct().forEach(this::checkLeft);
    System.out.println("tried: " + count + " queues, " + held.size() + " of them with a lease");
  }

  private JobQueue queue(int number) {
    return engine.queue("customer-" + number);
  }

  private CompletableFuture<?> use(int number) {
    JobQueue queue = queue(number);
    return queue
        .enqueueAsync(text("first", number), EnqueueOptions.DEFAULT)
        .thenCompose(first -> queue.enqueueAsync(text("second", number), EnqueueOptions.DEFAULT))
        .thenCompose(second -> queue.claimAsync(CLAIM))
        .thenCompose(leases -> end(number, leases.get(0)));
  }

  private CompletableFuture<?> end(int number, Lease lease) {
    if (number % LEASED_EVERY != 0) {
      return lease.completeAsync();
    }
    synchronized (held) {
      held.add(lease);
    }
    return CompletableFuture.completedFuture(null);
  }

  private int listed() {
    int listed = 0;
    Optional<String> cursor = Optional.empty();
    do {
      Page<?> page = engine.queues(new PageRequest(1_000, cursor));
      listed += page.items().size();
      cursor = page.next();
    } while (cursor.isPresent());
    return listed;
  }

  private void checkLeft(int number) {
    List<Lease> leases = queue(number).claim(CLAIM.max(2));
    check("jobs left of " + number, 1, leases.size());
    String payload = new String(leases.get(0).payload(), UTF_8);
    check("job left of " + number, new String(text("second", number), UTF_8), payload);
    check("end of " + number, true, leases.get(0).complete().isDone());
  }

  private static void check(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      System.out.println("violation: " + what + ": expected=" + expected + ", found=" + found);
    }
  }

  private static byte[] text(String which, int number) {
    return (which + " of " + number).getBytes(UTF_8);
  }
}
