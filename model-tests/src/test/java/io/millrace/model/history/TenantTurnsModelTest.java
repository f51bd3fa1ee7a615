package io.millrace.model.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueLease;
import io.millrace.model.ModelTurns;
import io.millrace.model.ModelTurns.Item;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Random histories of tenants that come and go, with shares, priorities, weights, pauses, leases on
 * queues, deletions, restarts and several who claim: each job is served in the very turn in which
 * the plain model serves it.
 */
@Tag("slow")
class TenantTurnsModelTest {

  private static final String NAME = "mail";
  private static final int CAPACITY = 5;

  /** So that queues leave memory when they were not used for two advances. */
  private static final Duration IDLE = Duration.ofSeconds(2);

  private static final Duration ADVANCE = Duration.ofMillis(1_500);

  enum Kind {
    ENQUEUE,
    ENQUEUE_MANY,
    ENQUEUE_HEAVY,
    CLAIM,
    CLAIM_LIGHT,
    CLAIM_MANY,
    CLAIM_OF_ONE,
    PARK,
    COMPLETE,
    RELEASE,
    PAUSE,
    RESUME,
    LEASE_QUEUE,
    END_QUEUE_LEASE,
    SHARE,
    DELETE,
    ADVANCE,
    RESTART
  }

  record Step(Kind kind, int tenant, int number) {}

  @Property
  void claims_anySteps_areServedInTurns(@ForAll("histories") List<Step> steps) throws IOException {
    run(StoreKind.MEMORY, steps);
  }

  @Property(tries = 20)
  void claims_onDisk_areServedInTurns(@ForAll("histories") List<Step> steps) throws IOException {
    run(StoreKind.LMDB, steps);
  }

  /** The bound itself, whatever the others have waiting and how far their turns are. */
  @Property(tries = 100)
  void quietTenant_anyBacklogs_isServedWithinTheSumOfTheShares(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 20) Integer> shares,
      @ForAll @IntRange(max = 40) int servedBefore,
      @ForAll @IntRange(min = 1, max = 7) int max,
      @ForAll @IntRange(min = 1, max = 20) int ownShare)
      throws IOException {
    Path folder = Files.createTempDirectory("millrace-tenants");
    try (EngineHarness harness =
        new EngineHarness(StoreKind.MEMORY, folder, TenantTurnsModelTest::options)) {
      NewJob job = NewJob.of(new byte[1]);
      for (int i = 0; i < shares.size(); i++) {
        int share = shares.get(i);
        JobQueue busy = harness.engine().queue(NAME, "busy-" + i);
        busy.configure(settings -> settings.share(share));
        assertThat(busy.enqueueAll(Collections.nCopies(200, job))).hasSize(200);
      }
      ClaimOptions one = ClaimOptions.by("worker");
      for (int i = 0; i < servedBefore; i++) {
        assertThat(harness.engine().claimAcrossTenants(NAME, one)).hasSize(1);
      }

      JobQueue quiet = harness.engine().queue(NAME, "quiet");
      quiet.configure(settings -> settings.share(ownShare));
      quiet.enqueue(new byte[1]);

      List<Lease> served = new ArrayList<>();
      while (served.stream().noneMatch(lease -> lease.queue().equals(quiet.name()))) {
        served.addAll(harness.engine().claimAcrossTenants(NAME, one.max(max)));
      }
      int position = 0;
      while (!served.get(position).queue().equals(quiet.name())) {
        position++;
      }
      assertThat(position).isLessThanOrEqualTo(shares.stream().mapToInt(share -> share).sum());
    } finally {
      HistoryModelTest.delete(folder);
    }
  }

  private static void run(StoreKind kind, List<Step> steps) throws IOException {
    Path folder = Files.createTempDirectory("millrace-tenants");
    try (Run run = new Run(kind, folder)) {
      steps.forEach(run::step);
      run.drain();
    } finally {
      HistoryModelTest.delete(folder);
    }
  }

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(24, Kind.ENQUEUE),
            Tuple.of(3, Kind.ENQUEUE_MANY),
            Tuple.of(4, Kind.ENQUEUE_HEAVY),
            Tuple.of(14, Kind.CLAIM),
            Tuple.of(6, Kind.CLAIM_LIGHT),
            Tuple.of(5, Kind.CLAIM_MANY),
            Tuple.of(5, Kind.CLAIM_OF_ONE),
            Tuple.of(4, Kind.PARK),
            Tuple.of(5, Kind.COMPLETE),
            Tuple.of(5, Kind.RELEASE),
            Tuple.of(3, Kind.PAUSE),
            Tuple.of(4, Kind.RESUME),
            Tuple.of(3, Kind.LEASE_QUEUE),
            Tuple.of(4, Kind.END_QUEUE_LEASE),
            Tuple.of(4, Kind.SHARE),
            Tuple.of(1, Kind.DELETE),
            Tuple.of(5, Kind.ADVANCE),
            Tuple.of(1, Kind.RESTART));
    Arbitrary<Integer> tenants = Arbitraries.integers().between(0, 5);
    Arbitrary<Integer> numbers = Arbitraries.integers().between(0, 9);
    return Combinators.combine(kinds, tenants, numbers).as(Step::new).list().ofMaxSize(120);
  }

  private static EngineOptions options(ManualClock clock) {
    return Setup.DEFAULT.options(clock).queueIdle(IDLE);
  }

  /** A history under way. */
  private static final class Run implements AutoCloseable {
    private final EngineHarness harness;
    private final ModelTurns model = new ModelTurns();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private final List<Item> leased = new ArrayList<>();
    private final Map<String, QueueLease> queueLeases = new HashMap<>();
    private Optional<CompletableFuture<List<Lease>>> parked = Optional.empty();
    private int parkedCapacity;

    Run(StoreKind kind, Path folder) {
      harness = new EngineHarness(kind, folder, TenantTurnsModelTest::options);
    }

    private JobQueue queue(String tenant) {
      return harness.engine().queue(NAME, tenant);
    }

    void step(Step step) {
      String tenant = "t" + step.tenant;
      int number = step.number;
      switch (step.kind) {
        case ENQUEUE -> enqueue(tenant, number % 3, 1);
        case ENQUEUE_MANY -> enqueueMany(tenant, number + 1);
        case ENQUEUE_HEAVY -> enqueue(tenant, number % 3, 9);
        case CLAIM -> claim(1, 9);
        case CLAIM_LIGHT -> claim(1, CAPACITY);
        case CLAIM_MANY -> claim(number + 2, number % 2 == 0 ? 9 : CAPACITY);
        case CLAIM_OF_ONE -> claimOf(tenant);
        case PARK -> park(number % 2 == 0 ? 9 : CAPACITY);
        case COMPLETE -> leased(number).ifPresent(item -> complete(item));
        case RELEASE -> leased(number).ifPresent(item -> release(item));
        case PAUSE -> {
          queue(tenant).pause();
          model.setPaused(tenant, true);
        }
        case RESUME -> {
          queue(tenant).resume();
          model.setPaused(tenant, false);
        }
        case LEASE_QUEUE -> leaseQueue(tenant);
        case END_QUEUE_LEASE -> endQueueLease(tenant);
        case SHARE -> {
          queue(tenant).configure(settings -> settings.share(1 + number % 4));
          model.setShare(tenant, 1 + number % 4);
        }
        case DELETE -> delete(tenant);
        case ADVANCE -> advance();
        case RESTART -> restart();
      }
      serveParked();
    }

    private void enqueue(String tenant, int priority, int weight) {
      Item item = model.enqueue(tenant, priority, weight);
      queue(tenant).enqueue(payload(item), options(item));
    }

    /** In one step, so that a claim which waits may get the first of them only. */
    private void enqueueMany(String tenant, int count) {
      cancelParked();
      for (int i = 0; i < count; i++) {
        enqueue(tenant, 0, 1);
      }
    }

    private static EnqueueOptions options(Item item) {
      return EnqueueOptions.DEFAULT.priority(item.priority()).weight(item.weight());
    }

    private static byte[] payload(Item item) {
      return Integer.toString(item.number()).getBytes(UTF_8);
    }

    private static ClaimOptions by(int max, int capacity) {
      return ClaimOptions.by("worker")
          .max(max)
          .capacity(capacity)
          .leaseDuration(Duration.ofDays(1));
    }

    private void claim(int max, int capacity) {
      List<Item> expected = model.claim(max, capacity);
      hold(expected, harness.engine().claimAcrossTenants(NAME, by(max, capacity)));
    }

    private void claimOf(String tenant) {
      List<Item> expected = model.claim(tenant).stream().toList();
      hold(expected, queue(tenant).claim(by(1, 9)));
    }

    private void hold(List<Item> expected, List<Lease> granted) {
      assertThat(granted.stream().map(lease -> new String(lease.payload(), UTF_8)).toList())
          .isEqualTo(expected.stream().map(item -> Integer.toString(item.number())).toList());
      for (int i = 0; i < granted.size(); i++) {
        leases.put(expected.get(i).number(), granted.get(i));
        leased.add(expected.get(i));
      }
    }

    private void park(int capacity) {
      cancelParked();
      assertThat(model.claim(0, capacity)).isEmpty();
      ClaimOptions waiting = by(1, capacity).waiting(Duration.ofDays(100));
      parked = Optional.of(harness.engine().claimAcrossTenantsAsync(NAME, waiting));
      parkedCapacity = capacity;
    }

    private void serveParked() {
      harness.poke();
      parked.ifPresent(
          future -> {
            if (model.hasAny(parkedCapacity)) {
              parked = Optional.empty();
              hold(model.claim(1, parkedCapacity), join(future));
            } else {
              assertThat(future).isNotDone();
            }
          });
    }

    private static List<Lease> join(CompletableFuture<List<Lease>> future) {
      return future.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private void cancelParked() {
      parked.ifPresent(future -> future.cancel(true));
      parked = Optional.empty();
      harness.poke();
    }

    private Optional<Item> leased(int number) {
      return leased.isEmpty()
          ? Optional.empty()
          : Optional.of(leased.remove(number % leased.size()));
    }

    private void complete(Item item) {
      leases.remove(item.number()).complete().orThrow();
    }

    private void release(Item item) {
      leases.remove(item.number()).release().orThrow();
      model.giveBack(item);
    }

    private void leaseQueue(String tenant) {
      if (model.isLeased(tenant)) {
        return;
      }
      QueueLease lease =
          harness.engine().leaseQueue(queue(tenant).name(), "holder", Duration.ofDays(1)).orThrow();
      queueLeases.put(tenant, lease);
      model.setLeased(tenant, true);
    }

    private void endQueueLease(String tenant) {
      Optional.ofNullable(queueLeases.remove(tenant)).ifPresent(QueueLease::close);
      model.setLeased(tenant, false);
    }

    private void delete(String tenant) {
      queue(tenant).delete();
      model.delete(tenant);
      leased.removeIf(item -> item.tenant().equals(tenant) && leases.remove(item.number()) != null);
    }

    /** Somebody claims, so that it is not forgotten whose turn it is. */
    private void advance() {
      harness.clock().advanceMs(ADVANCE.toMillis());
      harness.poke();
      claim(1, 9);
    }

    private void restart() {
      cancelParked();
      harness.restartCleanly();
      model.restart();
      leased.forEach(model::giveBack);
      leased.clear();
      leases.clear();
      queueLeases.clear();
    }

    /** All that is left, to the last job. */
    void drain() {
      cancelParked();
      claim(1_000, 9);
      assertThat(harness.engine().verify().isClean()).isTrue();
    }

    @Override
    public void close() {
      cancelParked();
      harness.close();
    }
  }
}
