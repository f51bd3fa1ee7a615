package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A process that holds leases and is stopped and continued by whoever started it.
 *
 * <p>Commands on standard input: {@code claim MS} takes a lease on a job for that long and answers
 * {@code held}; {@code complete} ends it and answers what it was told, and whether another worker,
 * who waits for it all the while, had the job; {@code load LEASE_MS} keeps the engine busy until
 * the end of input, when it says what it found.
 */
final class StoppedWorker {

  private final JobEngine engine;
  private final Ledger ledger = new Ledger();
  private Optional<Load> load = Optional.empty();
  private Optional<Lease> held = Optional.empty();
  private CompletableFuture<List<Lease>> other = new CompletableFuture<>();

  private StoppedWorker(JobEngine engine) {
    this.engine = engine;
  }

  /** Argument: store's location. */
  public static void main(String[] args) throws IOException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (JobEngine engine = JobEngine.open(args[0])) {
      StoppedWorker worker = new StoppedWorker(engine);
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        worker.obey(line.split(" "));
      }
      worker.end();
    }
    System.out.println("done");
  }

  private void obey(String[] words) {
    switch (words[0]) {
      case "claim" -> System.out.println(claim(Duration.ofMillis(Long.parseLong(words[1]))));
      case "complete" -> System.out.println(complete());
      case "load" -> load(Duration.ofMillis(Long.parseLong(words[1])));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    }
  }

  private String claim(Duration duration) {
    JobQueue queue = engine.queue("held");
    queue.enqueue(new byte[10]);
    ClaimOptions claim = ClaimOptions.by("holder").leaseDuration(duration);
    held = Optional.of(queue.claim(claim).get(0));
    other = queue.claimAsync(ClaimOptions.by("other").waiting(Duration.ofMinutes(10)));
    return "held";
  }

  private String complete() {
    String told = held.orElseThrow().complete().name();
    String others = other.isDone() ? ", another had it" : "";
    other.cancel(false);
    return told + others;
  }

  private void load(Duration lease) {
    Load.Shape shape = new Load.Shape(2, 8, lease, lease.dividedBy(2), 60, 50);
    Load started = new Load(engine, ledger, shape, System.nanoTime());
    started.start();
    load = Optional.of(started);
    System.out.println("working");
  }

  private void end() {
    load.ifPresent(Load::stop);
    load.ifPresent(Load::drain);
    ledger.check(engine);
    System.out.println("tried: " + ledger.summary());
    ledger.violations().forEach(violation -> System.out.println("violation: " + violation));
  }
}
