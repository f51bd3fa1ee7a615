package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.NotDoneException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import io.millrace.worker.TicksByHand;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Recurring jobs on stores that fail, engines that crash, lose power and follow each other, and
 * clocks that are set, as a seed says: for each instant of a schedule there is one job at most, and
 * none is missing but those that its rule for missed instants leaves out.
 *
 * <p>No job is ever worked on, so that all that were made are there in the end. Some schedules stay
 * as they were put; others are put, changed, paused, resumed and removed all the time.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class ScheduleCrashModelTest {

  private static final int SEED_COUNT = Trials.count("scheduleSeeds", 12, 60, 2_000);
  private static final int DISK_SEED_COUNT = Trials.count("scheduleDiskSeeds", 2, 20, 200);
  private static final int STEP_COUNT = 250;
  private static final long LEASE_OVER_MS = 31_000;
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

  /** So long nothing may be run, or the schedule that makes up for all loses some. */
  private static final int HOURS_MAX = 60;

  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);
  private static final JobType<String> MADE = JobType.of("made", Codec.TEXT);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final List<String> CHANGING = List.of("a", "b", "c");

  @TempDir private Path folder;

  private StoreKind kind = StoreKind.MEMORY;
  private Random random;
  private EngineHarness harness;
  private Instant begin;
  private int hoursPassed;
  private int lives;
  private final List<Lease> held = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void schedules_anythingGoesWrong_makeOneJobForAnInstant(StoreKind store) {
    kind = store;
    boolean isOnDisk = store == StoreKind.LMDB || store == StoreKind.ROCKSDB;
    int count = isOnDisk ? DISK_SEED_COUNT : SEED_COUNT;
    long first = Trials.seedOfChanges();
    long made = 0;
    for (long seed = first; seed < first + count; seed++) {
      try {
        made += run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    assertThat(made).isGreaterThan(count);
    Trials.report(getClass(), "%s: %d seeds from %d, %d jobs".formatted(store, count, first, made));
  }

  private long run(long seed) {
    random = new Random(seed);
    held.clear();
    hoursPassed = 0;
    try (EngineHarness started =
        new EngineHarness(kind, folder.resolve("store-" + seed), Setup.DEFAULT)) {
      harness = started;
      begin = harness.engine().now();
      schedules().declare("test", hourly("all").missed(Missed.all(100)), hourly("once"));
      schedules().put(hourly("skip").missed(Missed.SKIP));
      schedules().put(hourly("alone").overlap(Overlap.SKIP));
      plan(seed);
      for (int i = 0; i < STEP_COUNT; i++) {
        step();
      }
      recover();
      harness.clock().advanceMs(LEASE_OVER_MS);
      harness.poke();
      TicksByHand.runDue(harness.engine());
      return check();
    }
  }

  private static Schedule hourly(String name) {
    return Schedule.cron(name, "0 * * * *", BERLIN).enqueue(MADE, name);
  }

  private Schedules schedules() {
    return Schedules.of(harness.engine());
  }

  private void plan(long seed) {
    if (kind == StoreKind.FAULTY) {
      harness.machine().plan(FaultPlan.random(seed, RATES));
    }
  }

  private void step() {
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> change(CHANGING.get(random.nextInt(CHANGING.size())));
        case 3 -> stop();
        case 4 -> held.addAll(TicksByHand.claim(harness.engine(), 1 + random.nextInt(4)));
        case 5, 6 -> runHeld();
        case 7 -> pass(random.nextInt(12));
        case 8 -> setClock();
        case 9, 10, 11, 12 -> pass(1);
        default -> TicksByHand.runDue(harness.engine());
      }
    } catch (NotDoneException told) {
      // A lease was over, as it should be.
    } catch (MillraceException told) {
      recover();
      plan(random.nextLong());
    }
  }

  /** What is removed is forgotten: what is put after that is another schedule, by its payload. */
  private void change(String name) {
    Schedule hourly = Schedule.cron(name, "0 * * * *", BERLIN).enqueue(MADE, name + lives);
    switch (random.nextInt(6)) {
      case 0 -> schedules().pause(name);
      case 1 -> schedules().resume(name);
      case 2 -> {
        lives++;
        schedules().remove(name);
      }
      case 3 ->
          schedules().put(Schedule.every(name, Duration.ofMinutes(40)).enqueue(MADE, name + lives));
      case 4 -> schedules().put(hourly.jitter(Duration.ofMinutes(5)));
      default -> schedules().put(hourly.missed(Missed.all(1 + random.nextInt(5))));
    }
  }

  /** Whoever held a tick for long: it may be another's by now. */
  private void runHeld() {
    while (!held.isEmpty()) {
      TicksByHand.run(harness.engine(), held.remove(random.nextInt(held.size())));
    }
  }

  private void pass(int hours) {
    keepUp(hours);
    harness.clock().advanceMs(hours * HOUR_MS + random.nextInt((int) LEASE_OVER_MS));
    harness.poke();
  }

  /** Forward or back by hours: an engine that is opened then goes by it. */
  private void setClock() {
    boolean isBack = random.nextBoolean();
    int minutes = random.nextInt(180);
    if (!isBack) {
      keepUp(3);
    }
    harness.clock().stepWallMs(TimeUnit.MINUTES.toMillis(isBack ? -minutes : minutes));
    harness.poke();
  }

  private void keepUp(int hours) {
    hoursPassed += hours + 1;
    if (hoursPassed > HOURS_MAX) {
      recover();
      harness.clock().advanceMs(LEASE_OVER_MS);
      harness.poke();
      TicksByHand.runDue(harness.engine());
      hoursPassed = hours + 1;
      plan(random.nextLong());
    }
  }

  private void stop() {
    recover();
    switch (random.nextInt(kind == StoreKind.FAULTY ? 3 : 2)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      default -> harness.losePower();
    }
    held.clear(); // Leases are of the engine that granted them.
    plan(random.nextLong());
  }

  private void recover() {
    if (kind == StoreKind.FAULTY) {
      harness.machine().plan(FaultPlan.none());
    }
    harness.recover();
  }

  /** Looks at all that was made; how much it is. */
  private long check() {
    Map<String, List<Instant>> made = new HashMap<>();
    long count = 0;
    for (JobState state : List.of(JobState.READY, JobState.DELAYED)) {
      for (Job job : jobs("made", state)) {
        Instant instant = Instant.parse(job.headers().get(Schedule.SCHEDULED_FOR));
        String name = Codec.TEXT.decode(job.payload());
        made.computeIfAbsent(name, key -> new ArrayList<>()).add(instant);
        boolean isLate = job.enqueuedAt().isAfter(instant.plus(Schedule.LATE_MOST));
        assertThat(isLate && name.equals("skip")).as("%s is late: %s", name, instant).isFalse();
        assertThat(instant).isBeforeOrEqualTo(job.enqueuedAt());
        count++;
      }
    }
    made.forEach((name, instants) -> assertThat(instants).as(name).doesNotHaveDuplicates());
    assertThat(made.get("alone")).hasSize(1);
    // Of a clock that was set back so far: what it comes to then is made, too.
    made.values().forEach(instants -> instants.removeIf(instant -> instant.isBefore(begin)));
    assertThat(made.get("all")).containsExactlyInAnyOrderElementsOf(hoursOf("all"));
    assertThat(hoursOf("once")).containsAll(made.get("once"));
    assertThat(made.get("once")).contains(last("once"));
    assertThat(hoursOf("skip")).containsAll(made.getOrDefault("skip", List.of()));
    List<ScheduleStatus> all = schedules().list(PageRequest.first(10)).items();
    assertThat(all.stream().filter(each -> !each.isPaused()).map(ScheduleStatus::name))
        .as("each that runs has one tick job")
        .containsExactlyInAnyOrderElementsOf(
            jobs(TicksByHand.QUEUE, JobState.DELAYED).stream()
                .map(job -> Codec.TEXT.decode(job.payload()))
                .toList());
    assertThat(jobs(TicksByHand.QUEUE, JobState.READY)).isEmpty();
    assertThat(jobs(TicksByHand.QUEUE, JobState.DEAD)).isEmpty();
    assertThat(harness.engine().verify().problems()).isEmpty();
    return count;
  }

  /**
   * All that have come. A clock that was set back may be behind the last of them, for an engine
   * that was opened meanwhile goes by it.
   */
  private List<Instant> hoursOf(String name) {
    Instant first = begin.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    Instant now = harness.engine().now();
    Instant end = now.isAfter(last(name)) ? now : last(name);
    return Stream.iterate(first, hour -> !hour.isAfter(end), hour -> hour.plus(1, ChronoUnit.HOURS))
        .toList();
  }

  private Instant last(String name) {
    return schedules().get(name).orElseThrow().last().orElseThrow();
  }

  private List<Job> jobs(String queue, JobState state) {
    List<Job> jobs = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<Job> page = harness.engine().queue(queue).peek(state, new PageRequest(1_000, cursor));
      jobs.addAll(page.items());
      cursor = page.next();
    } while (cursor.isPresent());
    return jobs;
  }
}
