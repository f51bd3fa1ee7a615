package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.fault.Ledger.Note;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes that take long: nobody is told before them, and nobody loses by it. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class SlowSyncTest {

  private static final int RING_SIZE = 8;
  private static final int CALLERS = 20;

  /** One whose sync takes long, and those in the ring. */
  private static final int TAKEN = 1 + RING_SIZE;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void sync_takesLong_nobodyIsToldBeforeItAndNoLeaseIsBurnt(String scheme) {
    long seed = Trials.seed();
    int seconds = Trials.count("slow.seconds", 1, 5, 60);
    int slowMsMax = Trials.count("slow.ms", 100, 500, 500);
    SlowFactory factory =
        new SlowFactory(
            StorePlace.of(scheme + ":" + folder).factory(), new Random(seed), slowMsMax);
    StoreOptions options = StoreOptions.of(folder.resolve("store"));
    EngineOptions stalling = EngineOptions.DEFAULT.stallThreshold(ofMillis(slowMsMax / 2));
    try (JobEngine engine = JobEngine.open(factory, options, stalling)) {
      Ledger ledger = new Ledger(factory.store());
      Duration lease = Duration.ofMillis(Math.max(100, slowMsMax * 3 / 5));
      Load.Shape shape = new Load.Shape(4, 8, lease, Duration.ofMillis(20), 60, 200);
      Load load = new Load(engine, ledger, shape, seed);
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      load.start();
      while (System.nanoTime() - endNs < 0 || ledger.counted(Note.COMPLETED) < 20) {
        Load.pause(1);
      }
      load.stop();
      load.drain();
      ledger.check(engine);

      assertThat(ledger.violations()).as("seed %d", seed).isEmpty();
      Trials.report(
          getClass(),
          "%s: %d flushes of %d to %d ms; %s"
              .formatted(
                  scheme,
                  factory.store().slowCount(),
                  slowMsMax / 10,
                  slowMsMax,
                  ledger.summary()));
    }
  }

  @Test
  void sync_takesLongAndManyCallersCome_ringFillsTheyWaitAndAreRefusedAndNothingOfTheirsHappened()
      throws InterruptedException {
    List<CompletableFuture<CallOutcome<Enqueued>>> told = new ArrayList<>();
    List<Thread> callers = new ArrayList<>();
    try (EngineHarness harness = harness(options -> options.ringSize(RING_SIZE))) {
      JobQueue queue = harness.engine().queue("mail");
      for (int i = 0; i < CALLERS; i++) {
        byte[] payload = ("job " + i).getBytes(UTF_8);
        CompletableFuture<CallOutcome<Enqueued>> answer = new CompletableFuture<>();
        told.add(answer);
        callers.add(
            new Thread(() -> answer.complete(CallOutcome.by(() -> queue.enqueue(payload)))));
      }
      harness.store().holdNextSync();
      callers.get(0).start();
      harness.store().awaitHeld();

      for (int i = 1; i < CALLERS; i++) {
        Thread caller = callers.get(i);
        int ringDepth = Math.min(i, RING_SIZE);
        caller.start();
        Await.until("the ring fills", () -> harness.engine().metrics().ringDepth() == ringDepth);
        Await.until("the caller waits", () -> caller.getState().name().endsWith("WAITING"));
      }
      assertThat(told).noneMatch(CompletableFuture::isDone);
      harness.clock().advanceMs(EngineOptions.DEFAULT.overloadWait().toMillis());
      assertThat(told.subList(TAKEN, CALLERS))
          .allSatisfy(
              one -> assertThat(one.join().thrown()).isInstanceOf(EngineOverloadedException.class));
      assertThat(told.subList(0, TAKEN)).noneMatch(CompletableFuture::isDone);
      harness.store().letGo();

      List<JobId> taken =
          told.subList(0, TAKEN).stream().map(one -> one.join().answer().jobId()).toList();
      assertThat(queue.claim(ClaimOptions.by("worker").max(CALLERS)))
          .extracting(Lease::jobId)
          .containsExactlyElementsOf(taken);
    }
  }

  @Test
  void sync_takesLongerThanLeases_theyGoOnAndWhoAskedMeanwhileIsInTime()
      throws InterruptedException {
    try (EngineHarness harness = harness(options -> options.stallThreshold(ofMillis(250)))) {
      JobQueue queue = harness.engine().queue("mail");
      queue.enqueueAll(List.of(NewJob.of(new byte[1]), NewJob.of(new byte[2])));
      List<Lease> leases =
          queue.claim(ClaimOptions.by("worker").max(2).leaseDuration(ofSeconds(5)));
      harness.store().holdNextSync();
      CompletableFuture<?> slow = queue.enqueueAsync(new byte[3], EnqueueOptions.DEFAULT);
      harness.store().awaitHeld();

      harness.clock().advanceMs(60_000);
      CompletableFuture<CompleteResult> meanwhile = leases.get(0).completeAsync();
      harness.store().letGo();

      assertThat(meanwhile.join()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(slow.join()).isNotNull();
      assertThat(leases.get(1).remaining()).isEqualTo(ofSeconds(5));
      assertThat(leases.get(1).complete()).isEqualTo(CompleteResult.COMPLETED);
    }
  }

  @Test
  void sync_takesLong_claimOfABacklogWaitsForNoOtherSync() throws InterruptedException {
    try (EngineHarness harness = harness(options -> options)) {
      JobQueue queue = harness.engine().queue("mail");
      JobId first = queue.enqueue(new byte[1]).jobId();
      harness.store().holdNextSync();
      CompletableFuture<?> slow = queue.enqueueAsync(new byte[2], EnqueueOptions.DEFAULT);
      harness.store().awaitHeld();
      CompletableFuture<List<Lease>> claim = queue.claimAsync(ClaimOptions.by("worker"));
      CompletableFuture<?> slower = queue.enqueueAsync(new byte[3], EnqueueOptions.DEFAULT);

      harness.store().letGoUntilSync();
      harness.store().awaitHeld();

      assertThat(claim.join()).extracting(Lease::jobId).containsExactly(first);
      assertThat(slow.join()).isNotNull();
      assertThat(slower).isNotDone();
      harness.store().letGo();
      assertThat(slower.join()).isNotNull();
    }
  }

  private EngineHarness harness(UnaryOperator<EngineOptions> change) {
    return new EngineHarness(
        StoreKind.FAULTY,
        folder.resolve("store"),
        clock -> change.apply(Setup.DEFAULT.options(clock)));
  }

  /** Makes what another factory opens slow. */
  private static final class SlowFactory implements StoreFactory {
    private final StoreFactory factory;
    private final Random random;
    private final long slowMsMax;
    private Optional<SlowStore> store = Optional.empty();

    SlowFactory(StoreFactory factory, Random random, long slowMsMax) {
      this.factory = factory;
      this.random = random;
      this.slowMsMax = slowMsMax;
    }

    SlowStore store() {
      return store.orElseThrow();
    }

    @Override
    public String scheme() {
      return factory.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      SlowStore opened = new SlowStore(factory.open(options), random, slowMsMax);
      store = Optional.of(opened);
      return opened;
    }
  }
}
