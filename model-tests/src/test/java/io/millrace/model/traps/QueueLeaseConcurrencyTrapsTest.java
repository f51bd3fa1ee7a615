package io.millrace.model.traps;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineClosedException;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Threads that lease a queue again and again, beside others that wait for its jobs. */
@Tag("calls")
class QueueLeaseConcurrencyTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final int JOB_COUNT = 600;
  private static final int HOLDER_COUNT = 3;
  private static final int OTHER_COUNT = 3;
  private static final int ROUND_COUNT = 40;

  /** Tokens of leases on jobs that others were granted. */
  private final Queue<Long> others = new ConcurrentLinkedQueue<>();

  /** What each holder was granted from the lease on the queue to its last claim through it. */
  private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();

  private record Turn(long queueToken, List<Long> jobTokens) {

    boolean hasBetween(long token) {
      return token > queueToken && jobTokens.stream().anyMatch(own -> own > token);
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void claims_ofHoldersAndOfOthersWhoWait_neverMixAndNobodyIsForgotten(StoreKind kind) {
    EngineHarness harness = start(kind, unused -> Setup.DEFAULT.options(EngineClock.SYSTEM));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      for (int i = 0; i < OTHER_COUNT; i++) {
        waiting.add(CompletableFuture.runAsync(() -> waitForJobs(harness), threads));
      }
      List<CompletableFuture<?>> holders = new ArrayList<>();
      for (int i = 0; i < HOLDER_COUNT; i++) {
        Random random = new Random(i);
        holders.add(CompletableFuture.runAsync(() -> takeTurns(harness, random), threads));
      }
      for (int i = 0; i < JOB_COUNT; i += 10) {
        mail(harness).enqueueAll(Collections.nCopies(10, NewJob.of(new byte[8])));
      }
      holders.forEach(TrapTest::join);
      await("the last jobs go to those who wait", () -> grantedCount() == JOB_COUNT);
      harness.queues().close();
      waiting.forEach(TrapTest::join);
    } finally {
      threads.shutdownNow();
    }

    assertThat(new HashSet<>(others)).hasSameSizeAs(others);
    for (Turn turn : turns) {
      assertThat(others).as("of others within %s", turn).noneMatch(turn::hasBetween);
    }
  }

  private int grantedCount() {
    return others.size() + turns.stream().mapToInt(turn -> turn.jobTokens().size()).sum();
  }

  private void waitForJobs(EngineHarness harness) {
    ClaimOptions next = ClaimOptions.by("other").max(3).waiting(ofMinutes(10));
    try {
      while (true) {
        for (Lease lease : mail(harness).claim(next)) {
          others.add(lease.token());
        }
      }
    } catch (EngineClosedException e) {
      // All is done.
      return;
    }
  }

  private void takeTurns(EngineHarness harness, Random random) {
    for (int i = 0; i < ROUND_COUNT; i++) {
      Optional<QueueLease> mine =
          harness.queues().leaseQueue(MAIL, "holder", ofMillis(100)).lease();
      if (mine.isPresent()) {
        takeTurn(mine.get(), random);
      }
    }
  }

  /** Some turns end by themselves, most by their holders. */
  private void takeTurn(QueueLease lease, Random random) {
    List<Long> tokens = new ArrayList<>();
    boolean isLeftToEnd = random.nextInt(8) == 0;
    int claimCount = 1 + random.nextInt(4);
    while (isLeftToEnd || tokens.size() < claimCount) {
      QueueClaimResult result = lease.claim(1, isLeftToEnd ? ofMillis(40) : ZERO);
      if (!(result instanceof QueueClaimResult.Claimed claimed)) {
        break;
      }
      if (claimed.leases().isEmpty() && !isLeftToEnd) {
        break;
      }
      claimed.leases().forEach(job -> tokens.add(job.token()));
    }
    turns.add(new Turn(lease.token(), tokens));
    if (!isLeftToEnd) {
      lease.close();
    }
  }
}
