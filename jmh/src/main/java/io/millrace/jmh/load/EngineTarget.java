package io.millrace.jmh.load;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** The engine under load. */
final class EngineTarget implements Target {

  /** When jobs of {@link Workload#DELAYED} become visible. */
  static final Duration DELAY = Duration.ofMillis(100);

  private static final String QUEUE = "load";
  private static final Duration FAR_OFF = Duration.ofDays(1);
  private static final int QUEUES_AT_ONCE = 1_000;
  private static final Duration LEASE = Duration.ofMinutes(5);

  private final JobEngine engine;
  private final JobQueue queue;
  private final LoadOptions options;
  private final Mix mix;
  private final ClaimOptions claim =
      ClaimOptions.by("load").leaseDuration(LEASE).waiting(CLAIM_WAIT);

  EngineTarget(StoreFactory factory, Path folder, LoadOptions options) {
    this.engine =
        JobEngine.open(
            factory,
            StoreOptions.of(folder),
            EngineOptions.DEFAULT.durability(options.durability()));
    this.queue = engine.queue(QUEUE);
    this.options = options;
    this.mix = new Mix(options.workload());
  }

  /**
   * Makes the queues: those that are only to be there keep a job, those that the load is spread
   * over have let one pass.
   */
  void fillQueues() {
    byte[] payload = new byte[options.payloadBytes()];
    boolean isSpread = options.queues().isSpread();
    List<CompletableFuture<?>> underWay = new ArrayList<>();
    for (int i = isSpread ? 0 : 1; i < options.queues().count(); i++) {
      underWay.add(isSpread ? pass(spreadQueue(i), payload) : put(otherQueue(i), payload));
      if (underWay.size() == QUEUES_AT_ONCE) {
        underWay.forEach(CompletableFuture::join);
        underWay.clear();
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  private JobQueue otherQueue(long number) {
    return engine.queue("other-" + number);
  }

  /** One of the queues that a load is spread over. */
  JobQueue spreadQueue(long number) {
    return engine.queue("spread-" + number);
  }

  private static CompletableFuture<?> put(JobQueue into, byte[] payload) {
    return into.enqueueAsync(payload, EnqueueOptions.DEFAULT);
  }

  private CompletableFuture<?> pass(JobQueue through, byte[] payload) {
    return put(through, payload)
        .thenCompose(id -> through.claimAsync(claim))
        .thenCompose(leases -> engine.completeAllAsync(leases));
  }

  /** Enqueues jobs that stay there for the whole run: far-off ones. */
  void enqueueFarOff(List<byte[]> payloads) {
    EnqueueOptions farOff = EnqueueOptions.DEFAULT.delay(FAR_OFF);
    queue.enqueueAll(payloads.stream().map(payload -> new NewJob(payload, farOff)).toList());
  }

  @Override
  public void enqueue(List<byte[]> payloads) {
    if (payloads.size() == 1) {
      queue.enqueue(payloads.get(0), mix.of(payloads.get(0)));
    } else {
      queue.enqueueAll(jobs(payloads));
    }
  }

  @Override
  public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
    return payloads.size() == 1
        ? queue.enqueueAsync(payloads.get(0), mix.of(payloads.get(0)))
        : queue.enqueueAllAsync(jobs(payloads));
  }

  private List<NewJob> jobs(List<byte[]> payloads) {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    for (byte[] payload : payloads) {
      jobs.add(new NewJob(payload, mix.of(payload)));
    }
    return jobs;
  }

  @Override
  public Claimed claim(int max) {
    return claim(queue, max);
  }

  @Override
  public CompletableFuture<Leases> claimAsync(int max) {
    return claimAsync(queue, max);
  }

  Leases claim(JobQueue from, int max) {
    return new Leases(from.claim(claim.max(max)));
  }

  CompletableFuture<Leases> claimAsync(JobQueue from, int max) {
    return from.claimAsync(claim.max(max)).thenApply(Leases::new);
  }

  /** What a claim has that found nothing. */
  Leases none() {
    return new Leases(List.of());
  }

  /** Jobs in the queue, whatever their state. */
  long waitingCount() {
    return queue
        .stats()
        .map(stats -> stats.counts().values().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }

  /** Far-off jobs that are still there. */
  long delayedCount() {
    return queue.stats().map(stats -> stats.count(JobState.DELAYED)).orElse(0L);
  }

  VerifyReport verify() {
    return engine.verify();
  }

  @Override
  public void close() {
    engine.close();
  }

  /** Jobs leased by the engine. */
  final class Leases implements Claimed {

    private final List<Lease> leases;

    Leases(List<Lease> leases) {
      this.leases = leases;
    }

    @Override
    public int size() {
      return leases.size();
    }

    @Override
    public long dueNs(int index) {
      return Payloads.dueNs(leases.get(index).payload());
    }

    @Override
    public void complete(LongConsumer completed) {
      List<Lease> good = good();
      if (good.size() == 1) {
        told(good.get(0), good.get(0).complete(), completed);
      } else if (!good.isEmpty()) {
        told(good, engine.completeAll(good), completed);
      }
    }

    @Override
    public CompletableFuture<?> completeAsync(LongConsumer completed) {
      List<Lease> good = good();
      if (good.size() == 1) {
        return good.get(0)
            .completeAsync()
            .thenAccept(result -> told(good.get(0), result, completed));
      }
      return good.isEmpty()
          ? CompletableFuture.completedFuture(null)
          : engine.completeAllAsync(good).thenAccept(results -> told(good, results, completed));
    }

    /** Those that are not to fail; the others fail at once. */
    private List<Lease> good() {
      if (!mix.hasFailures()) {
        return leases;
      }
      List<Lease> bad = leases.stream().filter(mix::isToFail).toList();
      if (bad.isEmpty()) {
        return leases;
      }
      engine
          .failAllAsync(bad, "failed on purpose", FailOptions.RETRY)
          .thenAccept(failed -> failed.forEach(FailResult::orThrow));
      return leases.stream().filter(lease -> !mix.isToFail(lease)).toList();
    }

    private void told(List<Lease> good, List<CompleteResult> results, LongConsumer completed) {
      for (int i = 0; i < good.size(); i++) {
        told(good.get(i), results.get(i), completed);
      }
    }

    private void told(Lease lease, CompleteResult result, LongConsumer completed) {
      if (result != CompleteResult.COMPLETED) {
        throw new IllegalStateException(
            "a held job could not be completed: lease=" + lease + ", result=" + result);
      }
      completed.accept(Payloads.number(lease.payload()));
    }
  }
}
