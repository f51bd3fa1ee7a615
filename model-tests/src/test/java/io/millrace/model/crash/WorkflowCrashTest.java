package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that work on durable workflows are killed at random moments: each step of each has its
 * effect once, and each that fails is undone.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("thorough")
class WorkflowCrashTest {

  private static final List<String> SCHEMES = List.of("lmdb", "rocksdb");
  private static final int LIVES_PER_ROUND = 20;
  private static final int LIFE_US_MAX = 100_000;
  private static final int OPENING_US_MAX = 500_000;
  private static final int WORKED_COUNT_LEAST = 20;
  private static final int DAYS_MAX = 400;
  private static final ClaimOptions LAST = ClaimOptions.by("last");

  @TempDir private Path folder;

  /** A store of some lives. */
  private record Place(String scheme, int round) {}

  @Test
  void kill_atAnyMoment_eachStepHasItsEffectOnce() throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    int killCount = Trials.count("workflow.kills", 6, 18, 1_000);
    Set<Place> places = new LinkedHashSet<>();
    long doneCount = 0;
    Victim spare = Victim.start(OrderWorker.class);
    try {
      for (int i = 1; i <= killCount; i++) {
        Place place = new Place(SCHEMES.get(i % SCHEMES.size()), (i - 1) / LIVES_PER_ROUND);
        places.add(place);
        try (Victim victim = spare) {
          // The next one starts while this one works: most of its time is spent on that.
          spare = Victim.start(OrderWorker.class);
          victim.tell(task(place, random).text());
          live(victim, random);
        }
        if (i % LIVES_PER_ROUND == 0 || i == killCount) {
          for (Place each : places) {
            String when = "seed %d, after %d kills, %s".formatted(seed, i, each);
            doneCount += finish(task(each, random), when);
          }
          places.clear();
        }
      }
    } finally {
      spare.close();
    }
    assertThat(doneCount).isPositive();
    Trials.report(
        getClass(),
        "%d kills of %s in turn, %d workflows, seed %d"
            .formatted(killCount, SCHEMES, doneCount, seed));
  }

  private OrderWorker.Task task(Place place, Random random) throws IOException {
    Path own = Files.createDirectories(folder.resolve(place.scheme() + place.round()));
    String location = place.scheme() + ":" + own.resolve("store");
    return new OrderWorker.Task(
        location, own, random.nextLong(), 1 + random.nextInt(WORKED_COUNT_LEAST));
  }

  /** Ends with its death. */
  private static void live(Victim victim, Random random) throws Exception {
    if (random.nextInt(8) == 0) {
      // It may be opening its store, or not even that.
      victim.leaveAlone(random.nextInt(OPENING_US_MAX));
    } else {
      assertThat(victim.answer()).isEqualTo("working");
      victim.leaveAlone(random.nextInt(LIFE_US_MAX));
    }
    victim.kill();
  }

  /** Lets all that is left come to its end; how many orders there were. */
  private static long finish(OrderWorker.Task task, String when) throws IOException {
    LeapingClock clock = task.clock();
    try (JobEngine engine = task.open(clock)) {
      Orders orders = task.orders(engine, new Random(task.seed()));
      assertThat(orders.flaws()).as(when).isEmpty();
      for (int day = 0; day < DAYS_MAX && orders.openCount() > 0; day++) {
        while (orders.workNext(LAST) | orders.answerNext()) {
          // Until nothing is to be done before another day.
        }
        clock.leap();
      }
      while (orders.answerNext()) {
        // Of orders that are done.
      }
      assertThat(orders.flawsAtTheEnd()).as(when + ", at the end").isEmpty();
      return orders.issuedCount();
    }
  }
}
