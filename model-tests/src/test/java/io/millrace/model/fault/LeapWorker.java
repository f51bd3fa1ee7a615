package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A process whose wall clock is set, again and again, by whoever started it.
 *
 * <p>Commands on standard input: {@code load} keeps the engine busy until the end of input, when it
 * says what it found; {@code arm} waits until the clock is believed, takes a lease and enqueues
 * jobs that come due soon, and answers {@code armed}; {@code look MS} says by how much the clock
 * was set since then, waits until all of that has come, and answers {@code seen}; {@code line N}
 * enqueues jobs number N and on; {@code serve N} takes those out that there are: all below N, in
 * order.
 */
final class LeapWorker {

  static final int LINE_COUNT = 20;

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String LINE = "line";

  /** How far engine time may be from a wall clock that it follows. */
  private static final Duration NEAR = Duration.ofSeconds(2);

  private static final Duration BELIEVED_MOST = Duration.ofSeconds(60);
  private static final long PAUSE_NS = 1_000_000;

  private final JobEngine engine;
  private final Ledger ledger = new Ledger();
  private Optional<Load> load = Optional.empty();
  private Optional<LeapProbe> probe = Optional.empty();
  private int probeCount;

  private LeapWorker(JobEngine engine) {
    this.engine = engine;
  }

  /** Argument: store's location. */
  public static void main(String[] args) throws IOException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (JobEngine engine = JobEngine.open(args[0])) {
      LeapWorker worker = new LeapWorker(engine);
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        System.out.println(worker.obey(line.split(" ")));
      }
      worker.end();
    }
    System.out.println("done");
  }

  private String obey(String[] words) {
    switch (words[0]) {
      case "load" -> load();
      case "arm" -> arm();
      case "look" -> probe.orElseThrow().look(Long.parseLong(words[1]));
      case "line" -> line(Integer.parseInt(words[1]));
      case "serve" -> serve(Integer.parseInt(words[1]));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    }
    return words[0] + " done";
  }

  /** Once engine time is where the clock was set to. */
  private void arm() {
    long endNs = System.nanoTime() + BELIEVED_MOST.toNanos();
    while (engine.health().clockDivergence().abs().compareTo(NEAR) > 0) {
      if (System.nanoTime() - endNs > 0) {
        ledger.wrong("the clock is not believed after " + BELIEVED_MOST);
        break;
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
    probe = Optional.of(new LeapProbe(engine, ledger, probeCount++));
  }

  private void load() {
    Load.Shape shape = new Load.Shape(2, 4, LEASE, Duration.ofMillis(20), 60, 50);
    Load started = new Load(engine, ledger, shape, System.nanoTime());
    started.start();
    load = Optional.of(started);
  }

  private void line(int first) {
    JobQueue line = engine.queue(LINE);
    for (int i = first; i < first + LINE_COUNT; i++) {
      line.enqueue(Integer.toString(i).getBytes(UTF_8));
    }
  }

  private void serve(int end) {
    ClaimOptions claim = ClaimOptions.by("line").waiting(Duration.ofSeconds(1));
    for (int i = 0; i < end; i++) {
      Optional<Lease> next = engine.queue(LINE).claim(claim).stream().findFirst();
      String number = next.map(lease -> new String(lease.payload(), UTF_8)).orElse("none");
      if (!number.equals(Integer.toString(i))) {
        ledger.wrong("served " + number + " in place of " + i);
      }
      next.ifPresent(lease -> Dropped.result(lease.complete()));
    }
  }

  private void end() {
    load.ifPresent(Load::stop);
    load.ifPresent(Load::drain);
    ledger.check(engine);
    System.out.println("tried: " + ledger.summary());
    ledger.violations().forEach(violation -> System.out.println("violation: " + violation));
  }
}
