package io.millrace.model.outage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs with concurrency keys of the engine, and some of their queues', in several queues on a store
 * that fails and loses power as a seed says: whatever becomes of a call, each slot is held by a job
 * that is ready or leased, each blocked job has its turn, no key is idle while the job whose turn
 * it is may go on, and in the end every job is served. Queues are purged and deleted meanwhile.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class EngineKeyedCrashModelTest {

  private static final int SEED_COUNT = Trials.count("engineKeyedSeeds", 12, 200, 2_000);
  private static final int STEP_COUNT = 400;
  private static final int KEY_COUNT = 4;
  private static final int MOST_MAX = 3;
  private static final List<String> QUEUES = List.of("mail", "sms", "web", "fax");
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);

  @TempDir private Path folder;

  private SplittableRandom random;
  private EngineHarness harness;
  private final List<JobId> ids = new ArrayList<>();
  private final Map<JobId, Lease> held = new HashMap<>();

  private JobQueue queue() {
    return harness.engine().queue(QUEUES.get(random.nextInt(QUEUES.size())));
  }

  @Test
  void calls_storeFailsAndPowerGoes_everySlotIsAccountedFor() {
    long first = Trials.seedOfChanges();
    for (long seed = first; seed < first + SEED_COUNT; seed++) {
      try {
        run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    Trials.report(getClass(), "%d seeds from %d".formatted(SEED_COUNT, first));
  }

  private void run(long seed) {
    random = new SplittableRandom(seed);
    ids.clear();
    held.clear();
    try (EngineHarness started =
        new EngineHarness(StoreKind.FAULTY, folder.resolve("store-" + seed), Setup.DEFAULT)) {
      harness = started;
      harness.machine().plan(FaultPlan.random(seed, RATES));
      for (int i = 0; i < STEP_COUNT; i++) {
        step(i);
        if (random.nextInt(40) == 0) {
          check();
        }
      }
      harness.machine().plan(FaultPlan.none());
      recover();
      check();
      serveAll();
    }
  }

  private void step(int number) {
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> ids.add(enqueue(number));
        case 6, 7, 8, 9 -> claim();
        case 10, 11, 12 -> finish();
        case 13 -> harness.engine().cancel(anyJob());
        case 14 -> harness.engine().reschedule(anyJob(), soon());
        case 15 ->
            harness.engine().update(anyJob(), UpdateOptions.NOTHING.priority(random.nextInt(3)));
        case 16 -> configureOrDelete();
        case 17 ->
            queue().purge(EnumSet.of(random.nextBoolean() ? JobState.READY : JobState.BLOCKED));
        case 18 -> pass(Duration.ofSeconds(1 + random.nextInt(40)));
        default -> stop();
      }
    } catch (MillraceException told) {
      recover();
    }
  }

  private JobId enqueue(int number) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(random.nextInt(2))
            .delay(Duration.ofSeconds(random.nextInt(4) == 0 ? 5 : 0));
    String key = "key-" + random.nextInt(KEY_COUNT);
    options =
        random.nextInt(5) == 0
            ? options.concurrencyKey(key)
            : options.engineConcurrencyKey(key, 1 + random.nextInt(MOST_MAX));
    return queue().enqueue(("job " + number).getBytes(UTF_8), options).jobId();
  }

  private JobId anyJob() {
    return ids.isEmpty() ? new JobId(1, 1) : ids.get(random.nextInt(ids.size()));
  }

  private Instant soon() {
    return Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(random.nextInt(5));
  }

  private void claim() {
    for (Lease lease : queue().claim(ClaimOptions.by("worker").max(5))) {
      held.put(lease.jobId(), lease);
    }
  }

  private void finish() {
    if (held.isEmpty()) {
      return;
    }
    Lease lease = held.remove(held.keySet().iterator().next());
    switch (random.nextInt(5)) {
      case 0 -> lease.fail("broken");
      case 1 -> lease.release();
      case 2 -> lease.snooze(Duration.ofSeconds(random.nextInt(3)));
      default -> lease.complete();
    }
  }

  private void configureOrDelete() {
    if (random.nextInt(4) == 0) {
      queue().delete();
    } else {
      int perKey = 1 + random.nextInt(MOST_MAX);
      queue().configure(settings -> settings.perKey(perKey));
    }
  }

  private void pass(Duration time) {
    harness.clock().advanceMs(time.toMillis());
    harness.awaitNothingDue();
  }

  private void stop() {
    held.clear();
    harness.machine().plan(FaultPlan.none());
    recover();
    switch (random.nextInt(3)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      default -> harness.losePower();
    }
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  private void recover() {
    harness.clock().advanceMs(1_000);
    while (harness.engine().poison().isPresent()) {
      try {
        harness.engine().reopen();
      } catch (MillraceException again) {
        // Opening writes too, and may meet the next fault.
      }
    }
  }

  /** What is stored agrees: slots with holders, and no key is idle. */
  private void check() {
    assertThat(harness.engine().verify().problems()).isEmpty();
  }

  /** Nothing is left behind in BLOCKED: each job is served when those before it are done. */
  private void serveAll() {
    while (hasWork()) {
      for (String name : QUEUES) {
        JobQueue queue = harness.engine().queue(name);
        for (Lease lease : queue.claim(ClaimOptions.by("worker").max(100))) {
          lease.complete().orThrow();
        }
      }
      pass(Duration.ofSeconds(31));
    }
    for (String name : QUEUES) {
      JobQueue queue = harness.engine().queue(name);
      assertThat(queue.peek(JobState.BLOCKED, PageRequest.first(1)).items()).isEmpty();
    }
    assertThat(harness.engine().verify().problems()).isEmpty();
    try (ReadView view = harness.store().read()) {
      int rows =
          view.scan(
              Keyspace.SLOT.start(), Keyspace.SLOT.end(), Integer.MAX_VALUE, (key, value) -> true);
      assertThat(rows).as("rows of keys that nobody has").isZero();
    }
  }

  private boolean hasWork() {
    return QUEUES.stream()
        .map(name -> harness.engine().queue(name).stats())
        .flatMap(Optional::stream)
        .anyMatch(
            stats ->
                stats.count(JobState.READY)
                        + stats.count(JobState.DELAYED)
                        + stats.count(JobState.LEASED)
                        + stats.count(JobState.BLOCKED)
                    > 0);
  }
}
