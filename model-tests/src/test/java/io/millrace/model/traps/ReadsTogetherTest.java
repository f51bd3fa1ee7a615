package io.millrace.model.traps;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the commit loop reads, it reads together: the number of reads does not grow with the rows.
 * Each is a round trip to a store that is remote, in which the loop does nothing else.
 */
@InProcess("how much the engine reads or writes, whoever calls")
class ReadsTogetherTest extends TrapTest {

  private static final int LEASE_COUNT = 10_000;
  private static final int QUEUE_COUNT = 5_000;
  private static final int KEYED_COUNT = 500;
  private static final byte[] PAYLOAD = {1};

  private static List<Lease> lease(JobQueue queue) {
    queue.enqueueAll(Collections.nCopies(LEASE_COUNT, NewJob.of(PAYLOAD)));
    List<Lease> leases = claim(queue, LEASE_COUNT);
    assertThat(leases).hasSize(LEASE_COUNT);
    return leases;
  }

  /** Leases of which the store knows. */
  private static List<Lease> storedLeases(EngineHarness harness) {
    List<Lease> leases = lease(mail(harness));
    harness.storeLeases();
    return leases;
  }

  private static JobQueue queue(EngineHarness harness, int index) {
    return harness.queues().queue("queue-" + index);
  }

  /** What the jobs of many queues have. */
  private enum Jobs {
    PLAIN(EnqueueOptions.DEFAULT),
    WITH_A_KEY(EnqueueOptions.DEFAULT.concurrencyKey("key"));

    private final EnqueueOptions options;

    Jobs(EnqueueOptions options) {
      this.options = options;
    }
  }

  /** A job in each of many queues, all of them asked for in one group. */
  private static List<JobId> enqueueIntoMany(EngineHarness harness, Jobs jobs)
      throws InterruptedException {
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> first = mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    List<CompletableFuture<Enqueued>> futures = new ArrayList<>();
    for (int i = 0; i < QUEUE_COUNT; i++) {
      futures.add(queue(harness, i).enqueueAsync(PAYLOAD, jobs.options));
    }
    awaitRingDepth(harness, QUEUE_COUNT);
    harness.store().letGo();
    join(first);
    return futures.stream().map(future -> join(future).jobId()).toList();
  }

  /** A lease in each of many queues; answers the last one. */
  private static Lease leaseInMany(EngineHarness harness, Jobs jobs) throws InterruptedException {
    enqueueIntoMany(harness, jobs);
    Lease last = null;
    for (int i = 0; i < QUEUE_COUNT; i++) {
      last = queue(harness, i).claim(ClaimOptions.by("worker")).get(0);
    }
    return Objects.requireNonNull(last);
  }

  @ParameterizedTest
  @EnumSource(LeasesAtOpen.class)
  void open_manyLeases_readsThemTogether(LeasesAtOpen leasesAtOpen) {
    EngineHarness harness = start(StoreKind.MEMORY, Setup.DEFAULT.withLeasesAtOpen(leasesAtOpen));
    storedLeases(harness);

    harness.crash();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(40);
    boolean isHonouring = leasesAtOpen == LeasesAtOpen.HONOUR;
    assertThat(mail(harness).stats().orElseThrow().count(JobState.LEASED))
        .isEqualTo(isHonouring ? LEASE_COUNT : 0);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Jobs.class)
  void open_leasesInManyQueues_readsThemTogether(Jobs jobs) throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    leaseInMany(harness, jobs);
    harness.storeLeases();

    harness.crash();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(50);
    assertThat(queue(harness, 7).stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void reopen_manyLeasesWithRows_readsThemTogether() {
    EngineHarness harness = start(StoreKind.FAULTY);
    List<Lease> leases = storedLeases(harness);
    poison(harness);

    harness.engine().reopen();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(60);
    assertThat(leases.get(LEASE_COUNT - 1).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_manyLeasesWithoutRows_readsThemTogether() {
    EngineHarness harness = start(StoreKind.FAULTY);
    List<Lease> leases = lease(mail(harness));
    poison(harness);

    harness.engine().reopen();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(60);
    assertThat(leases.get(LEASE_COUNT - 1).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_leasesInManyQueuesWithoutRows_readsThemTogether() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease lease = leaseInMany(harness, Jobs.PLAIN);
    poison(harness);

    harness.engine().reopen();
    harness.poke();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(60);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  private static void poison(EngineHarness harness) {
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    Dropped.result(mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT));
    await("the write fails", () -> harness.engine().poison().isPresent());
  }

  @Test
  void close_manyLeases_readsThemTogether() {
    EngineHarness harness = start(StoreKind.MEMORY);
    storedLeases(harness);
    long before = harness.store().readCount();

    harness.engine().close();

    assertThat(harness.store().readCount() - before).isLessThanOrEqualTo(40);
    harness.openAgain();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(LEASE_COUNT);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Jobs.class)
  void enqueue_manyNewQueuesInOneGroup_readsThemTogether(Jobs jobs) throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    long before = harness.store().readCount();

    enqueueIntoMany(harness, jobs);

    assertThat(harness.store().readCount() - before).isLessThanOrEqualTo(10);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Jobs.class)
  void enqueue_manyStoredQueuesInOneGroup_readsThemTogether(Jobs jobs) throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueueIntoMany(harness, jobs);
    harness.restartCleanly();
    harness.awaitNothingDue();
    long before = harness.store().readCount();

    enqueueIntoMany(harness, jobs);

    assertThat(harness.store().readCount() - before).isLessThanOrEqualTo(10);
    QueueStats stats = queue(harness, 7).stats().orElseThrow();
    assertThat(stats.count(JobState.READY) + stats.count(JobState.BLOCKED)).isEqualTo(2);
    assertClean(harness);
  }

  @Test
  void complete_manyJobsWithKeysAfterAReopening_readsTheirSlotsTogether() {
    EngineHarness harness = start(StoreKind.FAULTY);
    for (int i = 0; i < KEYED_COUNT; i++) {
      mail(harness).enqueue(PAYLOAD, EnqueueOptions.DEFAULT.concurrencyKey("key " + i));
    }
    List<Lease> leases = claim(mail(harness), KEYED_COUNT);
    poison(harness);
    harness.engine().reopen();
    harness.poke();
    long before = harness.store().readCount();

    assertThat(harness.queues().completeAll(leases)).containsOnly(CompleteResult.COMPLETED);

    assertThat(harness.store().readCount() - before).isLessThanOrEqualTo(20);
    assertClean(harness);
  }

  @Test
  void agenda_manyQueuesWithReadyJobs_readsThemTogether() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueueIntoMany(harness, Jobs.PLAIN);

    harness.restartCleanly();
    harness.awaitNothingDue();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(60);
  }

  @Test
  void agenda_manyEmptyQueues_readsThemTogether() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (JobId job : enqueueIntoMany(harness, Jobs.PLAIN)) {
      assertThat(harness.queues().cancel(job)).isEqualTo(CancelResult.CANCELLED);
    }

    harness.restartCleanly();
    harness.awaitNothingDue();

    assertThat(harness.store().readCount()).isLessThanOrEqualTo(60);
    assertClean(harness);
  }

  @Test
  void sweep_manyJobsThatWereNotStartedInTime_readsThemTogether() {
    EngineHarness harness = start(StoreKind.MEMORY);
    NewJob job = new NewJob(PAYLOAD, EnqueueOptions.DEFAULT.timeToLive(ofMinutes(1)));
    mail(harness).enqueueAll(Collections.nCopies(LEASE_COUNT, job));
    long before = harness.store().readCount();

    harness.clock().advanceMs(ofMinutes(1).toMillis() + 1);
    harness.awaitNothingDue();

    // A few for each step of 250 jobs.
    assertThat(harness.store().readCount() - before).isLessThanOrEqualTo(160);
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isZero();
    assertClean(harness);
  }
}
