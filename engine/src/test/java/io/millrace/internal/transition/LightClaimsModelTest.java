package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.queue.Configure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Claims by workers of little capacity on backlogs of jobs of all weights, beside the rule itself:
 * a walk over all rows for each job.
 */
@Tag("slow")
class LightClaimsModelTest {

  private static final QueueName MAIL = TransitionRig.MAIL;
  private static final QueueName PRINT = QueueName.of("print");
  private static final int STEPS = 500;

  /** More than it takes to walk over all jobs of both queues for both weights. */
  private static final int BATCHES_MAX = 50;

  private static final NewJob HEAVY =
      new NewJob(new byte[8], EnqueueOptions.DEFAULT.weight(55).priority(0));
  private static final int LEASES_MAX = 300;
  private static final int KEY_COUNT = 12;
  private static final RateLimit PER_KEY = RateLimit.of(1, Duration.ofSeconds(20)).burst(3);
  private static final RateLimit OF_QUEUE = RateLimit.of(1, Duration.ofSeconds(2)).burst(20);
  private static final int[] BOUNDS = {1, 2, 3, 5, 9, 10, 15, 20, 49, 60, 1_000};

  private TransitionRig rig = new TransitionRig();
  private final List<Grant> held = new ArrayList<>();
  private final Map<List<Object>, Pass> passes = new HashMap<>();
  private final Set<QueueName> paused = new HashSet<>();
  private final Map<List<Object>, Double> owed = new HashMap<>();

  /** Until when what a lease took of a bucket is owed. */
  private final Map<List<Object>, Double> owedUntilMs = new HashMap<>();

  private long owedAtMs;
  private boolean isLimited;
  private int grantCount;
  private int cutCount;

  /** What a worker's claims took lighter jobs in place of, and how often. */
  private record Pass(long birth, int count) {}

  /** A ready job as the store has it. */
  private record Row(QueueName queue, int priority, long sequence, JobId id, JobRecord job) {}

  private record Choice(Row row, Row heavy) {}

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 115})
  void claim_anyHistory_isWhatAWalkOverAllJobsFinds(long seed) {
    rig.close();
    // Little memory for windows in half of the histories: they are cut and evicted all the time.
    rig = new TransitionRig(seed % 2 == 0 ? 1 << 20 : 100_000);
    SplittableRandom random = new SplittableRandom(seed);
    if (isLimited) {
      rig.configure(
          QueueSettings.DEFAULT.perKey(1_000).rateLimit(OF_QUEUE).rateLimitPerKey(PER_KEY));
    }
    rig.apply(new Enqueue(MAIL, Collections.nCopies(3_000, HEAVY)));
    for (int i = 0; i < STEPS; i++) {
      step(random);
    }

    assertThat(grantCount).as("jobs claimed").isGreaterThan(STEPS / 8);
    assertThat(cutCount).as("claims that took more than one batch").isPositive();
  }

  /** The same beside rate limits of the queue and of its concurrency keys. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 203})
  void claim_anyHistoryWithLimits_isWhatAWalkOverAllJobsFinds(long seed) {
    isLimited = true;
    owedAtMs = rig.nowMs;
    claim_anyHistory_isWhatAWalkOverAllJobsFinds(seed);
  }

  private void step(SplittableRandom random) {
    pass(random);
    switch (random.nextInt(16)) {
      case 0 -> enqueue(random, 1 + random.nextInt(400));
      case 1, 2 -> enqueue(random, 1 + random.nextInt(3));
      case 3, 4 -> finish(random);
      case 5, 6 -> update(random);
      case 7 -> change(random);
      default -> claim(random);
    }
  }

  /** Time passes, and what is owed gets less. */
  private void pass(SplittableRandom random) {
    if (isLimited) {
      rig.nowMs += random.nextInt(4) * 1_000;
      double passedMs = rig.nowMs - owedAtMs;
      owedAtMs = rig.nowMs;
      owed.replaceAll((name, tokens) -> Math.max(0, tokens - passedMs / perMs(name)));
    }
  }

  private static double perMs(List<Object> bucket) {
    return bucket.size() == 1 ? 2_000 : 20_000;
  }

  /** What was taken for the lease comes back as far as it is still owed. */
  private void giveBack(Grant grant) {
    for (List<Object> name : buckets(grant.queue(), grant.job())) {
      double leftMs = owedUntilMs.get(List.of(name, grant.lease().token())) - rig.nowMs;
      double back = Math.min(1, Math.max(0, leftMs / perMs(name)));
      owed.computeIfPresent(name, (it, tokens) -> Math.max(0, tokens - back));
    }
  }

  /** Whose tokens a job needs. */
  private List<List<Object>> buckets(QueueName queue, JobRecord job) {
    if (!isLimited || !queue.equals(MAIL)) {
      return List.of();
    }
    byte[] key = job.concurrencyKey();
    return key == null
        ? List.of(List.of(queue))
        : List.of(List.of(queue), List.of(queue, new String(key, UTF_8)));
  }

  private static boolean hasTokens(Map<List<Object>, Double> known, List<List<Object>> buckets) {
    return buckets.stream()
        .allMatch(name -> known.getOrDefault(name, 0.0) + 1 <= (name.size() == 1 ? 20 : 3) + 1e-6);
  }

  private QueueName queue(SplittableRandom random) {
    return random.nextInt(4) == 0 ? PRINT : MAIL;
  }

  private void enqueue(SplittableRandom random, int count) {
    rig.apply(new Enqueue(queue(random), jobs(random, count)));
  }

  /** Most are heavy. */
  private List<NewJob> jobs(SplittableRandom random, int count) {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EnqueueOptions options =
          EnqueueOptions.DEFAULT
              .weight(weight(random))
              .priority(random.nextInt(8) == 0 ? random.nextInt(-1, 2) : 0)
              .backoff(Backoff.fixed(Duration.ZERO));
      if (isLimited && random.nextInt(3) > 0) {
        options = options.concurrencyKey("key " + random.nextInt(KEY_COUNT));
      }
      jobs.add(new NewJob(new byte[8], options));
    }
    return jobs;
  }

  private static int weight(SplittableRandom random) {
    return switch (random.nextInt(40)) {
      case 0 -> 1 + random.nextInt(4);
      case 1, 2 -> 5 + random.nextInt(15);
      default -> 50 + random.nextInt(10);
    };
  }

  private void finish(SplittableRandom random) {
    for (int i = random.nextInt(8); i > 0 && !held.isEmpty(); i--) {
      Grant grant = held.remove(random.nextInt(held.size()));
      List<NamedLease> lease = List.of(new NamedLease(grant));
      switch (random.nextInt(3)) {
        case 0 -> rig.apply(new Complete(lease));
        case 1 -> rig.apply(new Fail(lease, "broken", FailOptions.RETRY));
        default -> {
          rig.apply(new Release(lease));
          giveBack(grant);
        }
      }
    }
  }

  private void update(SplittableRandom random) {
    List<Row> rows = rows(queue(random));
    if (rows.isEmpty()) {
      return;
    }
    JobId id = rows.get(random.nextInt(rows.size())).id();
    switch (random.nextInt(4)) {
      case 0 -> rig.apply(Cancel.ifWaiting(id));
      case 1 -> rig.apply(new Update(id, UpdateOptions.NOTHING.priority(random.nextInt(-1, 2))));
      default -> rig.apply(new Update(id, UpdateOptions.NOTHING.weight(weight(random))));
    }
  }

  private void change(SplittableRandom random) {
    int kind = random.nextInt(8);
    if (kind < 6) {
      QueueName queue = queue(random);
      boolean wasPaused = paused.remove(queue);
      if (!wasPaused) {
        paused.add(queue);
      }
      rig.apply(wasPaused ? Configure.resumed(queue) : Configure.paused(queue));
      return;
    }
    if (kind == 6) {
      rig.unload();
    } else {
      rig.applyInVain(new Enqueue(MAIL, jobs(random, 5)));
    }
    // Memory is empty, and with it goes what was passed over how often.
    passes.clear();
  }

  private void claim(SplittableRandom random) {
    List<QueueName> queues = random.nextInt(3) == 0 ? List.of(MAIL, PRINT) : List.of(queue(random));
    int room = LEASES_MAX - held.size();
    if (room < 1) {
      finish(random);
      return;
    }
    ClaimSpec spec =
        new ClaimSpec(
            queues,
            "w" + random.nextInt(3),
            random.nextInt(4) == 0 ? 1 + random.nextInt(Math.min(room, 30)) : 1,
            30_000,
            random.nextBoolean() ? 65_535 : BOUNDS[random.nextInt(BOUNDS.length)],
            BOUNDS[random.nextInt(BOUNDS.length)],
            Integer.MAX_VALUE,
            Map.of(),
            0,
            List.of());
    List<Long> expected = expected(spec);

    List<Grant> grants = rig.apply(new Claim(spec));
    for (int batches = 1; grants == Claim.UNFINISHED; batches++) {
      assertThat(batches).as("batches of one claim: %s", spec).isLessThan(BATCHES_MAX);
      cutCount++;
      grants = rig.apply(new Claim(spec));
    }

    // A claim that was cut short may hold fewer, in order; that it is not empty is the promise.
    List<Long> births = grants.stream().map(grant -> grant.lease().birth()).toList();
    assertThat(births).as("%s", spec).isEqualTo(expected.subList(0, births.size()));
    assertThat(births.isEmpty()).as("%s", spec).isEqualTo(expected.isEmpty());
    take(spec, grants);
  }

  private void take(ClaimSpec spec, List<Grant> grants) {
    grantCount += grants.size();
    for (Grant grant : grants) {
      for (List<Object> name : buckets(grant.queue(), grant.job())) {
        double tokens = owed.merge(name, 1.0, Double::sum);
        owedUntilMs.put(List.of(name, grant.lease().token()), rig.nowMs + tokens * perMs(name));
      }
      rig.state.leases().start(grant.lease(), Long.MAX_VALUE / 4);
      held.add(grant);
    }
    passes
        .keySet()
        .removeIf(key -> key.get(0).equals(spec.worker()) && spec.queues().contains(key.get(1)));
    passes.putAll(passesAfter.get(grants.size()));
  }

  /** What is passed over after so many grants of the claim that was expected last. */
  private final List<Map<List<Object>, Pass>> passesAfter = new ArrayList<>();

  private List<Long> expected(ClaimSpec spec) {
    Map<QueueName, List<Row>> rows = new HashMap<>();
    spec.queues()
        .forEach(queue -> rows.put(queue, paused.contains(queue) ? List.of() : rows(queue)));
    Map<List<Object>, Pass> known = new HashMap<>();
    for (QueueName queue : spec.queues()) {
      List<Object> key = List.of(spec.worker(), queue);
      if (passes.containsKey(key)) {
        known.put(key, passes.get(key));
      }
    }
    passesAfter.clear();
    passesAfter.add(Map.copyOf(known));
    List<Long> taken = new ArrayList<>();
    Map<List<Object>, Double> owedThen = new HashMap<>(owed);
    int free = spec.maxWeight();
    while (taken.size() < spec.max()) {
      int freeNow = free;
      Choice best =
          spec.queues().stream()
              .map(queue -> choice(eligible(rows.get(queue), owedThen), spec, freeNow, known))
              .filter(choice -> choice != null)
              .min(
                  Comparator.comparingInt((Choice choice) -> -choice.row().priority())
                      .thenComparingLong(choice -> choice.row().sequence()))
              .orElse(null);
      if (best == null) {
        break;
      }
      free -= best.row().job().weight();
      rows.get(best.row().queue()).remove(best.row());
      taken.add(best.row().job().birth());
      buckets(best.row().queue(), best.row().job())
          .forEach(name -> owedThen.merge(name, 1.0, Double::sum));
      if (best.heavy() != null) {
        List<Object> key = List.of(spec.worker(), best.row().queue());
        long birth = best.heavy().job().birth();
        known.put(key, new Pass(birth, passCount(known.get(key), birth) + 1));
      }
      passesAfter.add(Map.copyOf(known));
    }
    return taken;
  }

  private List<Row> eligible(List<Row> rows, Map<List<Object>, Double> owedThen) {
    return rows.stream()
        .filter(row -> hasTokens(owedThen, buckets(row.queue(), row.job())))
        .toList();
  }

  private static int passCount(Pass known, long birth) {
    return known != null && known.birth() == birth ? known.count() : 0;
  }

  /** The rule: the first that fits, unless the first that does not was passed over too often. */
  private static Choice choice(
      List<Row> rows, ClaimSpec spec, int free, Map<List<Object>, Pass> known) {
    Row heavy = null;
    for (Row row : rows) {
      int weight = row.job().weight();
      if (weight <= Math.min(free, spec.capacity())) {
        return new Choice(row, heavy);
      }
      if (weight <= spec.capacity() && heavy == null) {
        heavy = row;
        Pass pass = known.get(List.of(spec.worker(), row.queue()));
        if (passCount(pass, row.job().birth()) >= ClaimOptions.PASSES_MAX) {
          return null;
        }
      }
    }
    return null;
  }

  /** The ready jobs of a queue that are not leased, in the order of their keys. */
  private List<Row> rows(QueueName queue) {
    List<Row> rows = new ArrayList<>();
    int number = rig.number(queue);
    rig.visitReady(
        (key, value) -> {
          if (ReadyKeys.queue(key) == number) {
            JobRecord job = JobRecord.decode(key, value);
            if (!rig.state.leases().isLeased(job.birth())) {
              rows.add(
                  new Row(queue, job.priority(), ReadyKeys.sequence(key), job.jobId(number), job));
            }
          }
          return true;
        });
    return rows;
  }
}
