package io.millrace.model.outage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.RateLimit;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.testkit.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Rate limits on a store that fails and loses power as a seed says: between two starts of the
 * process nobody is ever told of more leases, of the queue or of one key, than the limit allows in
 * the time between them, whatever became of the batches; and no token is lost, for in the end each
 * job is served in the time that the limits need.
 */
class RateCrashModelTest extends FaultyCalls {

  private static final int SEED_COUNT = Trials.count("rateSeeds", 12, 100, 2_000);
  private static final int KEY_COUNT = 3;
  private static final RateLimit OF_QUEUE = RateLimit.of(3, Duration.ofSeconds(10)).burst(4);
  private static final RateLimit PER_KEY = RateLimit.of(1, Duration.ofSeconds(8)).burst(2);

  /** Of all jobs that have a concurrency key. */
  private static final RateLimit OF_ENGINE = RateLimit.of(2, Duration.ofSeconds(10)).burst(3);

  private final List<Start> starts = new ArrayList<>();
  private final List<Start> releases = new ArrayList<>();

  /** A lease that somebody was told of, or that was handed back then. */
  private record Start(Lease lease, String key, long atNs) {}

  private JobQueue queue() {
    return harness.engine().queue("mail");
  }

  @Test
  void claims_storeFailsAndPowerGoes_areNeverMoreThanTheLimits() {
    run(SEED_COUNT);
  }

  @Override
  void begin() {
    forgetLeases();
    queue()
        .configure(settings -> settings.perKey(100).rateLimit(OF_QUEUE).rateLimitPerKey(PER_KEY));
  }

  @Override
  void forgetLeases() {
    starts.clear();
    releases.clear();
  }

  @Override
  void call(int number) {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> enqueue(number);
      case 4, 5, 6, 7, 8 -> claim();
      case 9, 10 -> finish();
      case 11, 12, 13 -> pass(Duration.ofMillis(random.nextInt(4_000)));
      case 14 -> pass(Duration.ofMillis(random.nextInt(40_000)));
      default -> {
        if (random.nextInt(3) == 0) {
          stop();
        }
      }
    }
  }

  private void enqueue(int number) {
    EnqueueOptions options =
        random.nextInt(3) == 0
            ? EnqueueOptions.DEFAULT
            : EnqueueOptions.DEFAULT
                .concurrencyKey("key-" + random.nextInt(KEY_COUNT))
                .engineRateLimit("relay", OF_ENGINE);
    queue().enqueue(("job " + number).getBytes(UTF_8), options);
  }

  private void claim() {
    for (Lease lease : queue().claim(ClaimOptions.by("worker").max(1 + random.nextInt(5)))) {
      String key =
          harness.engine().get(lease.jobId()).flatMap(it -> it.concurrencyKey()).orElse("");
      starts.add(new Start(lease, key, harness.clock().monotonicNs()));
    }
    checkLimit(OF_QUEUE, starts, releases);
    checkLimit(OF_ENGINE, keyed(starts), keyed(releases));
    for (int i = 0; i < KEY_COUNT; i++) {
      String key = "key-" + i;
      checkLimit(PER_KEY, of(key, starts), of(key, releases));
    }
  }

  private static List<Start> keyed(List<Start> all) {
    return all.stream().filter(start -> !start.key().isEmpty()).toList();
  }

  private static List<Start> of(String key, List<Start> all) {
    return all.stream().filter(start -> start.key().equals(key)).toList();
  }

  /**
   * In the span from each start until now there are no more than the burst and what came since, and
   * what was handed back.
   */
  private void checkLimit(RateLimit limit, List<Start> told, List<Start> handedBack) {
    for (int i = 0; i < told.size(); i++) {
      long passedNs = harness.clock().monotonicNs() - told.get(i).atNs();
      long passedMs = TimeUnit.NANOSECONDS.toMillis(passedNs);
      long most = limit.burst() + (limit.count() * passedMs) / limit.per().toMillis();
      long startNs = told.get(i).atNs();
      long backCount = handedBack.stream().filter(it -> it.atNs() - startNs >= 0).count();
      assertThat(told.size() - i - backCount)
          .as("starts in %d ms", passedMs)
          .isLessThanOrEqualTo(most);
    }
  }

  private void finish() {
    if (starts.isEmpty()) {
      return;
    }
    Start start = starts.get(random.nextInt(starts.size()));
    switch (random.nextInt(4)) {
      case 0 -> Dropped.result(start.lease().fail("broken"));
      case 1 -> {
        // If this fails nobody knows whether it was.
        releases.add(new Start(start.lease(), start.key(), harness.clock().monotonicNs()));
        if (!start.lease().release().isDone()) {
          releases.remove(releases.size() - 1);
        }
      }
      case 2 -> Dropped.result(start.lease().snooze(Duration.ofSeconds(random.nextInt(3))));
      default -> Dropped.result(start.lease().complete());
    }
  }

  /** Leases run out, and then a token of the slowest key is enough for each that is left. */
  @Override
  void serveAll() {
    pass(Duration.ofHours(1));
    long jobCount = waiting();
    for (long i = 0; i <= 2 * jobCount; i++) {
      queue()
          .claim(ClaimOptions.by("worker").max(100))
          .forEach(lease -> lease.complete().orThrow());
      pass(PER_KEY.per());
    }
    assertThat(waiting()).isZero();
  }

  private long waiting() {
    return queue()
        .stats()
        .map(
            stats ->
                stats.count(JobState.READY)
                    + stats.count(JobState.DELAYED)
                    + stats.count(JobState.LEASED))
        .orElse(0L);
  }
}
