package io.millrace.jmh.load;

import io.millrace.api.Batch;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.RateLimit;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** The engine as a target of callers. */
public final class EngineTarget implements Target {

  /** The delay of jobs of {@link Workload#DELAYED}. */
  static final Duration DELAY = Duration.ofMillis(100);

  static final String QUEUE = "load";
  private static final int QUEUES_AT_ONCE = 1_000;
  private static final int TABLE_COUNT = 10;
  private static final Duration LEASE = Duration.ofMinutes(5);

  /** The queues that callers call: those of the engine, or of a server of it. */
  private final JobQueues queues;

  private final Runnable closing;
  private final JobQueue queue;
  private final LoadOptions options;
  private final Mix mix;
  private long rowCount;
  private int tableTurn;
  private final ClaimOptions claim =
      ClaimOptions.by("load").leaseDuration(LEASE).waiting(CLAIM_WAIT);

  private EngineTarget(
      JobQueues queues, Runnable closing, LoadOptions options, Optional<Mix> earlier) {
    this.queues = queues;
    this.closing = closing;
    this.queue = queues.queue(QUEUE);
    if (options.workload() == Workload.LIMITED) {
      RateLimit limit = RateLimit.of(1_000_000, Duration.ofSeconds(1)).burst(1_000_000);
      queue.configure(settings -> settings.rateLimit(limit).rateLimitPerKey(limit));
    }
    this.options = options;
    this.mix = earlier.orElseGet(() -> mix(queues, options));
  }

  private static Mix mix(JobQueues queues, LoadOptions options) {
    boolean isOneBatch = options.workload() == Workload.ONE_BATCH;
    return new Mix(
        options, isOneBatch ? Optional.of(Batch.of("load").open(queues)) : Optional.empty());
  }

  /** Returns the mix of the load's jobs. */
  Mix mix() {
    return mix;
  }

  /** Opens an engine, and a server of it if callers are to call one. */
  static EngineTarget open(StoreFactory factory, Path folder, LoadOptions options) {
    return open(factory, folder, options, Optional.empty());
  }

  /**
   * Opens an engine; see {@link #open(StoreFactory, Path, LoadOptions)}.
   *
   * @param earlier the mix of an engine that was open on the same store; empty if it is new
   */
  static EngineTarget open(
      StoreFactory factory, Path folder, LoadOptions options, Optional<Mix> earlier) {
    StoreOptions store = StoreOptions.of(folder);
    EngineOptions asked = EngineOptions.DEFAULT.durability(options.durability());
    if (!options.callers().isRemote()) {
      JobEngine engine = JobEngine.open(factory, store, asked);
      return new EngineTarget(engine, engine::close, options, earlier);
    }
    JobEngine engine =
        JobEngine.open(factory, store, asked.leasesAtOpen(EngineOptions.LeasesAtOpen.HONOUR));
    Server server = Server.on(engine).listen("127.0.0.1:0");
    RemoteQueues client = RemoteQueues.connect("millrace://127.0.0.1:" + server.port());
    return new EngineTarget(
        client,
        () -> {
          client.close();
          server.close();
          engine.close();
        },
        options,
        earlier);
  }

  /** Returns the engine behind a client of a server; the client is closed with it. */
  public static EngineTarget behind(RemoteQueues client, LoadOptions options) {
    return new EngineTarget(client, client::close, options, Optional.empty());
  }

  /**
   * Makes the queues. Those that only have to exist keep a job; those that the load is spread over
   * have let one pass.
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
    return queues.queue("other-" + number);
  }

  /** Returns one of the queues that a load is spread over. */
  JobQueue spreadQueue(long number) {
    return options.queues().areTenants()
        ? queues.queue(QUEUE, "tenant-" + number)
        : queues.queue("spread-" + number);
  }

  private static CompletableFuture<?> put(JobQueue into, byte[] payload) {
    return into.enqueueAsync(payload, EnqueueOptions.DEFAULT);
  }

  private CompletableFuture<?> pass(JobQueue through, byte[] payload) {
    return put(through, payload)
        .thenCompose(id -> through.claimAsync(claim))
        .thenCompose(leases -> queues.completeAllAsync(leases));
  }

  /** Puts rows into the tables in turn, under rising numbers. */
  CompletableFuture<?> putRows(List<byte[]> values) {
    List<TableRow<Long, byte[]>> rows = new ArrayList<>(values.size());
    for (byte[] value : values) {
      rows.add(new TableRow<>(rowCount++, value));
    }
    String table = "table-" + tableTurn++ % TABLE_COUNT;
    return queues.table(table, Codec.LONG, Codec.BYTES).putAllAsync(rows);
  }

  /** Enqueues jobs that stay there for the whole run: far-off ones. */
  CompletableFuture<?> enqueueFarOff(List<byte[]> payloads) {
    return queue.enqueueAllAsync(
        payloads.stream().map(payload -> new NewJob(payload, mix.farOff())).toList());
  }

  @Override
  public void enqueue(List<byte[]> payloads) {
    if (options.workload() == Workload.OWN_BATCHES) {
      startBatch(payloads);
    } else if (payloads.size() == 1) {
      queue.enqueue(payloads.get(0), mix.of(payloads.get(0)));
    } else {
      queue.enqueueAll(jobs(payloads));
    }
  }

  private void startBatch(List<byte[]> payloads) {
    Batch batch = Batch.of("load").retention(Duration.ZERO);
    jobs(payloads).forEach(job -> batch.add(queue.name(), job));
    batch.start(queues);
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

  @Override
  public Optional<JobQueues> forWorkers() {
    return Optional.of(queues);
  }

  /** Claims jobs across all tenants that a load is spread over. */
  Leases claimAcrossTenants(int max) {
    return new Leases(queues.claimAcrossTenants(QUEUE, claim.max(max)));
  }

  /** Claims jobs across all tenants by future; see {@link #claimAcrossTenants}. */
  CompletableFuture<Leases> claimAcrossTenantsAsync(int max) {
    return queues.claimAcrossTenantsAsync(QUEUE, claim.max(max)).thenApply(Leases::new);
  }

  /** Returns the result of a claim that found nothing. */
  Leases none() {
    return new Leases(List.of());
  }

  /** Returns the number of jobs in the queue, whatever their state. */
  long waitingCount() {
    return queue
        .stats()
        .map(stats -> stats.counts().values().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }

  /** Returns the number of far-off jobs that are still there. */
  long delayedCount() {
    return queue.stats().map(stats -> stats.count(JobState.DELAYED)).orElse(0L);
  }

  VerifyReport verify() {
    return queues.verify();
  }

  @Override
  public void close() {
    closing.run();
  }

  /** A leased job and what its payload says, which is read once, as by a worker. */
  private record Job(Lease lease, long number, long dueNs) {

    static Job of(Lease lease) {
      byte[] payload = lease.payload();
      return new Job(lease, Payloads.number(payload), Payloads.dueNs(payload));
    }

    static List<Lease> leases(List<Job> jobs) {
      List<Lease> leases = new ArrayList<>(jobs.size());
      jobs.forEach(job -> leases.add(job.lease()));
      return leases;
    }
  }

  /** Jobs leased by the engine. */
  public final class Leases implements Claimed {

    private final List<Job> jobs;

    Leases(List<Lease> leases) {
      jobs = new ArrayList<>(leases.size());
      leases.forEach(lease -> jobs.add(Job.of(lease)));
    }

    @Override
    public int size() {
      return jobs.size();
    }

    @Override
    public long dueNs(int index) {
      return jobs.get(index).dueNs();
    }

    @Override
    public void complete(LongConsumer completed) {
      List<Job> good = good();
      if (good.size() == 1) {
        told(good.get(0), good.get(0).lease().complete(), completed);
      } else if (!good.isEmpty()) {
        told(good, queues.completeAll(Job.leases(good)), completed);
      }
    }

    @Override
    public CompletableFuture<?> completeAsync(LongConsumer completed) {
      List<Job> good = good();
      if (good.size() == 1) {
        Job only = good.get(0);
        return only.lease().completeAsync().thenAccept(result -> told(only, result, completed));
      }
      return good.isEmpty()
          ? CompletableFuture.completedFuture(null)
          : queues
              .completeAllAsync(Job.leases(good))
              .thenAccept(results -> told(good, results, completed));
    }

    /** Fails the jobs that are to fail, and returns the others. */
    private List<Job> good() {
      if (!mix.hasFailures()) {
        return jobs;
      }
      List<Job> bad = jobs.stream().filter(this::isToFail).toList();
      if (bad.isEmpty()) {
        return jobs;
      }
      queues
          .failAllAsync(Job.leases(bad), "failed on purpose", FailOptions.RETRY)
          .thenAccept(failed -> failed.forEach(FailResult::orThrow));
      return jobs.stream().filter(job -> !isToFail(job)).toList();
    }

    private boolean isToFail(Job job) {
      return job.lease().attempt() == 1 && mix.isToFail(job.number());
    }

    private void told(List<Job> good, List<CompleteResult> results, LongConsumer completed) {
      for (int i = 0; i < good.size(); i++) {
        told(good.get(i), results.get(i), completed);
      }
    }

    private void told(Job job, CompleteResult result, LongConsumer completed) {
      if (result != CompleteResult.COMPLETED) {
        throw new IllegalStateException(
            "a held job could not be completed: lease=" + job.lease() + ", result=" + result);
      }
      completed.accept(job.number());
    }
  }
}
