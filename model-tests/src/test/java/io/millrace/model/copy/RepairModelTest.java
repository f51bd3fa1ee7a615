package io.millrace.model.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.RepairReport;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.api.UniqueKey;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.TallyKeys;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import net.jqwik.api.statistics.StatisticsReport;
import net.jqwik.api.statistics.StatisticsReport.StatisticsReportMode;

/** Stores of random engine histories, damaged at random, then repaired. */
@Tag("slow")
class RepairModelTest {

  private static final Path FOLDER = Path.of("damaged");

  @Property(tries = 300)
  @StatisticsReport(StatisticsReportMode.OFF)
  void repair_anyDamage_isCleanAndHasEveryIntactJob(@ForAll long seed) {
    FaultyStore machine = new FaultyStore(seed);
    StorePlace damaged = place(machine, "damaged");
    SplittableRandom random = new SplittableRandom(seed);
    live(damaged, machine, random);
    StoreDamage damage = new StoreDamage(machine, damaged, seed);
    for (int i = random.nextInt(12); i >= 0; i--) {
      damage.doOne();
    }
    damage.damaged().forEach(RepairModelTest::note);
    Map<JobId, byte[]> intact = StoreDamage.intactJobs(damaged);
    Map<byte[], byte[]> rows = StoreDamage.intactRows(damaged, intact.keySet());
    Set<JobId> followers = StoreDamage.followers(damaged);
    StorePlace repaired = place(machine, "repaired");

    List<RepairReport.Finding> findings = new ArrayList<>();
    RepairReport report = Stores.repair(damaged, repaired, findings::add);

    assertThat(report.findingCount()).isEqualTo(findings.size());
    assertThat(report.jobCount()).isEqualTo(intact.size());
    assertSound(machine, repaired, report);
    Map<byte[], byte[]> rowsAfter = StoreCopyTest.rows(repaired);
    rows.forEach((key, value) -> assertThat(rowsAfter.get(key)).isEqualTo(value));
    try (JobEngine engine = open(repaired)) {
      assertThat(engine.verify().problems()).isEmpty();
      assertThat(engine.verify().quarantinedCount()).isGreaterThanOrEqualTo(report.setAsideCount());
      intact.keySet().removeAll(followers);
      intact.forEach(
          (id, payload) ->
              assertThat(engine.get(id)).get().extracting(job -> job.payload()).isEqualTo(payload));
      drain(engine);
      assertThat(engine.verify().problems()).isEmpty();
    }
    assertThat(StoreCopyTest.rows(repaired).keySet()).noneMatch(RepairModelTest::isRecount);
    Statistics.coverage(RepairModelTest::checkDamaged);
  }

  /** Rows of concurrency keys are among what is damaged: of those of queues and of the engine. */
  private static void checkDamaged(StatisticsCoverage damaged) {
    for (boolean isOfEngine : List.of(false, true)) {
      damaged.check(Keyspace.SLOT, isOfEngine).count(count -> count > 0);
      damaged.check(Keyspace.BLOCKED, isOfEngine).count(count -> count > 0);
    }
  }

  private static void note(byte[] key) {
    switch (Keyspace.ofKey(key)) {
      case SLOT -> Statistics.collect(Keyspace.SLOT, SlotKeys.isOfEngine(key));
      case BLOCKED -> Statistics.collect(Keyspace.BLOCKED, BlockedKeys.isOfEngine(key));
      default -> {}
    }
  }

  /** Whether the row says that batches have yet to be counted, which verification passes over. */
  private static boolean isRecount(byte[] key) {
    return Arrays.compareUnsigned(key, TallyKeys.dueStart()) >= 0
        && Arrays.compareUnsigned(key, TallyKeys.recountEnd()) < 0;
  }

  @Property(tries = 100)
  void repair_nothingDamaged_findsNothing(@ForAll long seed) {
    FaultyStore machine = new FaultyStore(seed);
    StorePlace sound = place(machine, "sound");
    live(sound, machine, new SplittableRandom(seed));
    long jobCount = StoreDamage.intactJobs(sound).size();

    List<RepairReport.Finding> findings = new ArrayList<>();
    RepairReport report = Stores.repair(sound, place(machine, "repaired"), findings::add);

    assertThat(findings).isEmpty();
    assertThat(report.isSound()).isTrue();
    assertThat(report.jobCount()).isEqualTo(jobCount);
  }

  /** Repairing what was repaired finds nothing more. */
  private static void assertSound(FaultyStore machine, StorePlace repaired, RepairReport report) {
    List<RepairReport.Finding> findings = new ArrayList<>();

    RepairReport again = Stores.repair(repaired, place(machine, "again"), findings::add);

    assertThat(findings).isEmpty();
    assertThat(again.jobCount()).isEqualTo(report.jobCount());
    assertThat(again.queueCount()).isEqualTo(report.queueCount());
  }

  /** Lets an engine do something of everything, and die or stop. */
  private static void live(StorePlace place, FaultyStore machine, SplittableRandom random) {
    JobEngine engine = open(place);
    if (random.nextBoolean()) {
      engine.admin().configure("q0", settings -> settings.perKey(2).keyOrder(KeyOrder.STRICT));
    }
    List<Lease> held = new ArrayList<>();
    List<JobId> known = new ArrayList<>();
    for (int i = random.nextInt(90); i >= 0; i--) {
      JobQueue queue = engine.queue("q" + random.nextInt(3), random.nextBoolean() ? "" : "t");
      if (random.nextInt(8) == 0) {
        begin(engine, queue.name(), random);
      } else if (random.nextInt(3) == 0) {
        wait(engine, queue.name(), held, known, random);
      } else {
        step(queue, held, random);
      }
    }
    if (random.nextBoolean()) {
      machine.crash();
    }
    try {
      engine.close();
    } catch (MillraceException expected) {
      // The power was cut under it.
    }
  }

  private static void step(JobQueue queue, List<Lease> held, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> queue.enqueue(payload(random), options(random));
      case 3 -> queue.enqueue(payload(random), options(random).delay(Duration.ofHours(2)));
      case 4 -> held.addAll(queue.claim(ClaimOptions.by("w").max(2)));
      case 5 ->
          take(held, random)
              .ifPresent(lease -> Dropped.result(lease.fail("no luck", FailOptions.PERMANENT)));
      case 6 ->
          take(held, random)
              .ifPresent(lease -> Dropped.result(lease.fail("later", FailOptions.RETRY)));
      default -> take(held, random).ifPresent(RepairModelTest::finish);
    }
  }

  /** Begins a batch, which may be one job of another. */
  private static void begin(JobEngine engine, QueueName queue, SplittableRandom random) {
    Batch batch =
        Batch.of("batch")
            .whenDone(queue, job(random))
            .whenAllSucceeded(queue, job(random))
            .whenAnyDied(queue, job(random));
    if (random.nextInt(3) == 0) {
      batch.within(engine.batches().open(Batch.of("outer").whenDone(queue, job(random))));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      batch.add(queue, job(random));
    }
    BatchId id = engine.batches().start(batch);
    engine.batches().get(id).flatMap(BatchStats::outer).ifPresent(engine.batches()::seal);
  }

  private static NewJob job(SplittableRandom random) {
    return new NewJob(payload(random), keyed(EnqueueOptions.DEFAULT, random));
  }

  /** Has jobs wait for signals and be told of them, or changes tables. */
  private static void wait(
      JobEngine engine,
      QueueName queue,
      List<Lease> held,
      List<JobId> known,
      SplittableRandom random) {
    String name = "s" + random.nextInt(2);
    Table<String, byte[]> table = engine.table("t" + random.nextInt(2), Codec.TEXT, Codec.BYTES);
    switch (random.nextInt(9)) {
      case 0, 1 -> take(held, random).ifPresent(lease -> known.add(waiting(lease, name)));
      case 2 ->
          take(held, random)
              .ifPresent(lease -> Dropped.result(lease.waitFor(name, Duration.ofHours(2))));
      case 3, 4 ->
          known.add(
              engine
                  .transact(
                      tx -> {
                        tx.put(table, name, payload(random));
                        return tx.enqueue(queue, payload(random), options(random));
                      })
                  .orThrow());
      case 5, 6 -> {
        if (!known.isEmpty()) {
          JobId id = known.get(random.nextInt(known.size()));
          assertThat(engine.signal(id, name, payload(random))).isNotNull();
        }
      }
      case 7 -> engine.signals().broadcast(queue, name, payload(random));
      default -> {
        if (random.nextInt(3) == 0) {
          table.drop();
        }
        table.putAll(
            List.of(new TableRow<>("a", payload(random)), new TableRow<>("b", payload(random))));
      }
    }
  }

  private static JobId waiting(Lease lease, String signal) {
    assertThat(lease.waitFor(signal)).isNotNull();
    return lease.jobId();
  }

  private static void finish(Lease lease) {
    if (lease.attempt() % 2 == 0) {
      Dropped.result(lease.checkpoint(new byte[3_000]));
      Dropped.result(lease.release());
    } else {
      Dropped.result(lease.complete());
    }
  }

  private static Optional<Lease> take(List<Lease> held, SplittableRandom random) {
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(held.remove(random.nextInt(held.size())));
  }

  private static EnqueueOptions options(SplittableRandom random) {
    EnqueueOptions options =
        keyed(
            EnqueueOptions.DEFAULT.priority(random.nextInt(3) - 1).headers(Map.of("a", "b")),
            random);
    UniqueKey key = UniqueKey.of("key " + random.nextInt(4));
    return switch (random.nextInt(6)) {
      case 0 -> options.unique(key);
      case 1 -> options.unique(key.untilStarted().replace());
      case 2 -> options.unique(key.within(Duration.ofHours(1)));
      default -> options;
    };
  }

  /** Few keys, so that most of those who have one wait for it. */
  private static EnqueueOptions keyed(EnqueueOptions options, SplittableRandom random) {
    String key = "key " + random.nextInt(2);
    return switch (random.nextInt(4)) {
      case 0 -> options.concurrencyKey(key);
      case 1 -> options.engineConcurrencyKey(key, 1 + random.nextInt(2));
      default -> options;
    };
  }

  private static byte[] payload(SplittableRandom random) {
    byte[] payload = new byte[random.nextInt(4) == 0 ? 2_000 : 20];
    random.nextBytes(payload);
    return payload;
  }

  /** Claims and completes all that is ready. */
  private static void drain(JobEngine engine) {
    for (QueueName name : engine.queues(PageRequest.first(100)).items()) {
      List<Lease> leases = engine.queue(name).claim(ClaimOptions.by("w").max(1_000));
      while (!leases.isEmpty()) {
        Dropped.result(engine.completeAll(leases));
        leases = engine.queue(name).claim(ClaimOptions.by("w").max(1_000));
      }
    }
  }

  private static JobEngine open(StorePlace place) {
    return JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT);
  }

  private static StorePlace place(FaultyStore machine, String name) {
    return new StorePlace(machine, StoreOptions.of(FOLDER.resolve(name)));
  }
}
