package io.millrace.model.fault;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers that keep an engine busy, in every way that there is to call it, whatever it answers, and
 * write down what they were told. Threads of its own; started and stopped by one.
 */
final class Load {

  /** The queue that the load works on. */
  static final QueueName QUEUE = QueueName.of("mail");

  private static final long JOIN_SECONDS_MAX = 60;
  private static final Duration CLAIM_WAIT = Duration.ofMillis(20);
  private static final int CALL_OF_MANY = 3;

  private final JobEngine engine;
  private final Ledger ledger;
  private final Shape shape;
  private final long seed;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong waiting = new AtomicLong();
  private volatile boolean areProducersStopping;
  private volatile boolean isStopping;

  /**
   * How many callers there are, and what they do.
   *
   * @param lease how long leases last
   * @param holdMax how long a consumer works on a job at the most
   * @param payloadBytes length of most payloads; every tenth is longer than what a record holds
   * @param backlogMax how many jobs may wait before producers wait
   */
  record Shape(
      int producers,
      int consumers,
      Duration lease,
      Duration holdMax,
      int payloadBytes,
      int backlogMax) {

    static final Shape DEFAULT =
        new Shape(3, 3, Duration.ofMinutes(5), Duration.ofMillis(2), 60, 500);

    Shape payloads(int bytes, int backlog) {
      return new Shape(producers, consumers, lease, holdMax, bytes, backlog);
    }
  }

  Load(JobEngine engine, Ledger ledger, Shape shape, long seed) {
    this.engine = engine;
    this.ledger = ledger;
    this.shape = shape;
    this.seed = seed;
  }

  void start() {
    for (int i = 0; i < shape.producers(); i++) {
      String name = "p" + i;
      begin(name, () -> produce(name));
    }
    for (int i = 0; i < shape.consumers(); i++) {
      String name = "c" + i;
      begin(name, () -> consume(name));
    }
  }

  private void begin(String name, Runnable work) {
    Thread thread = new Thread(() -> watch(name, work), "load-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void watch(String name, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      ledger.wrong(name + " was told what is not documented: " + e + " at " + e.getStackTrace()[0]);
    }
  }

  /** Enqueues no more; the others go on. */
  void stopProducers() {
    areProducersStopping = true;
  }

  /** Lets every caller finish what it is at, and notes those who never get an answer. */
  void stop() {
    areProducersStopping = true;
    isStopping = true;
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_SECONDS_MAX);
    for (Thread thread : threads) {
      while (thread.isAlive() && System.nanoTime() - endNs < 0) {
        pause(1);
      }
      if (thread.isAlive()) {
        ledger.wrong("no answer: " + thread.getName() + " " + List.of(thread.getStackTrace()));
      }
    }
  }

  /** Takes out all that is left once the load has stopped; a lease that nobody holds stays. */
  void drain() {
    drain(QUEUE);
  }

  /** As {@link #drain()}, of this queue. */
  void drain(QueueName name) {
    JobQueue queue = engine.queue(name);
    Worker worker = new Worker(ledger, shape, new Random(seed));
    ClaimOptions claim = ClaimOptions.by("drain").max(500).waiting(CLAIM_WAIT);
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_SECONDS_MAX);
    while (unfinished(queue) != 0) {
      if (System.nanoTime() - endNs > 0) {
        ledger.wrong("jobs that nobody can have: " + queue.stats().orElseThrow());
        return;
      }
      CallOutcome<List<Lease>> told = CallOutcome.by(() -> queue.claim(claim));
      if (told.kind() == CallOutcome.Kind.ANSWER) {
        told.answer().forEach(ledger::leased);
        complete(told.answer(), worker);
      }
    }
  }

  /** In one call, and each for itself if what came of that is not known. */
  private void complete(List<Lease> leases, Worker worker) {
    CallOutcome<List<CompleteResult>> told = CallOutcome.by(() -> engine.completeAll(leases));
    if (told.kind() != CallOutcome.Kind.ANSWER) {
      leases.forEach(lease -> worker.complete(lease, told.kind()));
      return;
    }
    for (int i = 0; i < leases.size(); i++) {
      if (told.answer().get(i) == CompleteResult.COMPLETED) {
        ledger.completed(leases.get(i));
      } else {
        ledger.wrong("complete answered " + told.answer().get(i) + ": " + leases.get(i));
      }
    }
  }

  private static long unfinished(JobQueue queue) {
    CallOutcome<Optional<QueueStats>> stats;
    try {
      stats = CallOutcome.by(queue::stats);
    } catch (StoreException e) {
      // The disk may fail under a look, too.
      return Long.MAX_VALUE;
    }
    if (stats.kind() != CallOutcome.Kind.ANSWER) {
      return Long.MAX_VALUE;
    }
    return stats
        .answer()
        .map(
            known ->
                known.count(JobState.READY)
                    + known.count(JobState.DELAYED)
                    + known.count(JobState.LEASED))
        .orElse(0L);
  }

  static void pause(long ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private void produce(String producer) {
    Random random = new Random(seed ^ producer.hashCode());
    JobQueue queue = engine.queue(QUEUE);
    for (int number = 0; !areProducersStopping; number++) {
      if (waiting.get() > shape.backlogMax()) {
        pause(1);
        continue;
      }
      List<String> names = new ArrayList<>();
      List<NewJob> jobs = new ArrayList<>();
      int way = random.nextInt(4);
      for (int i = 0; i < (way == 0 ? CALL_OF_MANY : 1); i++) {
        names.add(producer + ":" + number + ":" + i);
        jobs.add(new NewJob(Ledger.payload(names.get(i), bytes(random)), options(random)));
      }
      names.forEach(ledger::asked);
      CallOutcome<?> told =
          switch (way) {
            case 0 -> CallOutcome.by(() -> queue.enqueueAll(jobs));
            case 1 ->
                CallOutcome.byFuture(
                    () -> queue.enqueueAsync(jobs.get(0).payload(), jobs.get(0).options()));
            default ->
                CallOutcome.by(() -> queue.enqueue(jobs.get(0).payload(), jobs.get(0).options()));
          };
      names.forEach(name -> note(name, told));
      if (told.isClosed()) {
        return;
      }
    }
  }

  private void note(String name, CallOutcome<?> told) {
    ledger.told(name, told.kind());
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      waiting.incrementAndGet();
    } else {
      pause(1);
    }
  }

  private int bytes(Random random) {
    return random.nextInt(10) == 0 ? 4_000 : shape.payloadBytes();
  }

  private EnqueueOptions options(Random random) {
    return EnqueueOptions.DEFAULT
        .priority(random.nextInt(3) - 1)
        .maxAttempts(1_000)
        .backoff(Backoff.fixed(Duration.ofMillis(5)));
  }

  private void consume(String consumer) {
    Random random = new Random(seed ^ consumer.hashCode());
    JobQueue queue = engine.queue(QUEUE);
    Worker worker = new Worker(ledger, shape, random);
    while (!isStopping) {
      ClaimOptions claim =
          ClaimOptions.by(consumer)
              .max(1 + random.nextInt(3))
              .leaseDuration(shape.lease())
              .waiting(CLAIM_WAIT);
      CallOutcome<List<Lease>> told =
          random.nextBoolean()
              ? CallOutcome.by(() -> queue.claim(claim))
              : CallOutcome.byFuture(() -> queue.claimAsync(claim));
      if (told.isClosed()) {
        return;
      }
      if (told.kind() != CallOutcome.Kind.ANSWER) {
        pause(1);
        continue;
      }
      told.answer().forEach(ledger::leased);
      for (Lease lease : told.answer()) {
        if (worker.work(lease) == Worker.End.COMPLETED) {
          waiting.decrementAndGet();
        }
      }
    }
  }
}
