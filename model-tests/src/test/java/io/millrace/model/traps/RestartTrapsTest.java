package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreLockedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a restart of any kind must neither lose nor repeat, and what it must not wait for. */
class RestartTrapsTest extends TrapTest {

  /** The ways to stop. */
  enum Stop {
    CLEAN,
    CRASH;

    void on(EngineHarness harness) {
      if (this == CLEAN) {
        harness.restartCleanly();
      } else {
        harness.crash();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void restart_readyAndDelayedJobs_areAllThereInTheirOrder(Stop stop) {
    EngineHarness harness = start(StoreKind.LMDB);
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(20)));
    enqueue(mail(harness), "low", EnqueueOptions.DEFAULT.priority(-1));
    enqueue(mail(harness), "first");
    enqueue(mail(harness), "soon", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    enqueue(mail(harness), "second");

    stop.on(harness);
    stop.on(harness);

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first", "second", "low");
    assertThat(peek(mail(harness), JobState.DELAYED)).containsExactly("soon", "later");
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("first", "second", "low");
    advance(harness, ofSeconds(20));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("soon", "later");
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void restart_jobWasMovedReleasedRetriedRedriven_isFoundByItsId(Stop stop) {
    EngineHarness harness = start(StoreKind.LMDB);
    JobId id = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    stop.on(harness);
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DELAYED);
    advance(harness, ofSeconds(1));
    claim(mail(harness)).release().orThrow();
    stop.on(harness);
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    stop.on(harness);
    assertThat(job(harness.queues(), id).lastError()).contains("broken");
    mail(harness).deadLetters().redrive(id).orThrow();
    stop.on(harness);
    Lease lease = claim(mail(harness));
    assertThat(lease.jobId()).isEqualTo(id);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    stop.on(harness);
    assertThat(harness.queues().get(id)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void close_leases_goBackToTheirOldPlacesUncounted(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (String payload : List.of("a", "b", "c", "d")) {
      enqueue(mail(harness), payload);
    }
    assertThat(claim(mail(harness), 3)).hasSize(3);

    harness.restartCleanly();

    List<Lease> leases = claim(mail(harness), 10);
    assertThat(payloads(leases)).containsExactly("a", "b", "c", "d");
    assertThat(leases).extracting(Lease::attempt).containsOnly(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_leases_areReclaimedAtTheBackAndCounted(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    claim(mail(harness));
    enqueue(mail(harness), "c");

    harness.crash();

    List<Lease> leases = claim(mail(harness), 10);
    assertThat(payloads(leases)).containsExactly("b", "c", "a");
    assertThat(leases).extracting(Lease::attempt).containsExactly(1, 1, 2);
    assertThat(leases.get(2).lastError().orElseThrow()).isNotBlank();
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_queueSetToBackoff_jobThatRanWaits(StoreKind kind) {
    EngineHarness harness = start(kind);
    mail(harness).configure(settings -> settings.expiry(QueueSettings.Expiry.BACKOFF));
    Backoff backoff = Backoff.fixed(ofSeconds(7));
    JobId id = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.backoff(backoff));
    claim(mail(harness));
    harness.storeLeases();

    harness.crash();

    awaitJob(harness, id, JobState.DELAYED, 1);
    assertThat(claim(mail(harness), 1)).isEmpty();
    advance(harness, ofSeconds(7));
    assertThat(claim(mail(harness)).attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_leasesHonoured_getTheirFullDurationAgainAndThenExpire(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    advance(harness, ofSeconds(25));

    harness.crash();
    advance(harness, ofSeconds(29));

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    assertThat(claim(mail(harness), 1)).isEmpty();
    advance(harness, ofMillis(1_001));
    awaitJob(harness, id, JobState.READY, 1);
    assertThat(claim(mail(harness)).attempt()).isEqualTo(2);
  }

  @Test
  void crash_leasesHonouredWithGrace_holdThatMuchLonger() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock ->
                Setup.DEFAULT
                    .withLeasesAtOpen(LeasesAtOpen.HONOUR)
                    .options(clock)
                    .honourGrace(ofSeconds(10)));
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.crash();

    advance(harness, ofSeconds(39));
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    advance(harness, ofMillis(1_001));
    awaitJob(harness, id, JobState.READY, 1);
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void restart_settingsPauseAndTotals_areKept(Stop stop) {
    EngineHarness harness = start(StoreKind.LMDB);
    QueueSettings settings =
        QueueSettings.DEFAULT
            .depthMax(7)
            .leaseDuration(ofSeconds(3))
            .expiry(QueueSettings.Expiry.BACKOFF);
    mail(harness).configure(held -> settings);
    enqueue(mail(harness), "a");
    claim(mail(harness)).complete().orThrow();
    enqueue(mail(harness), "b");
    mail(harness).pause();

    stop.on(harness);

    assertThat(mail(harness).settings()).isEqualTo(settings);
    assertThat(claim(mail(harness), 1)).isEmpty();
    QueueStats stats = mail(harness).stats().orElseThrow();
    assertThat(stats.serving()).isEqualTo(QueueStats.Serving.PAUSED);
    assertThat(stats.total(Total.ENQUEUED)).isEqualTo(2);
    assertThat(stats.total(Total.COMPLETED)).isEqualTo(1);
    mail(harness).resume();
    assertThat(claim(mail(harness)).remaining()).isEqualTo(ofSeconds(3));
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_buffered_keepsEveryCallThatReturned(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    for (int round = 0; round < 5; round++) {
      JobId done = enqueue(mail(harness), "done", EnqueueOptions.DEFAULT.priority(1));
      JobId waiting = enqueue(mail(harness), "waiting");
      assertThat(claim(mail(harness)).complete()).isEqualTo(CompleteResult.COMPLETED);

      harness.crash();

      assertThat(harness.queues().get(done)).isEmpty();
      assertThat(state(harness.queues(), waiting)).isEqualTo(JobState.READY);
      assertClean(harness);
    }
  }

  @Test
  void losePower_synced_keepsEveryCallThatReturned() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Set<JobId> waiting = new HashSet<>();
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 5; i++) {
        waiting.add(enqueue(mail(harness), "job " + round + "." + i));
      }
      Lease done = claim(mail(harness));
      assertThat(done.complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(waiting.remove(done.jobId())).isTrue();

      harness.losePower();

      for (JobId id : waiting) {
        assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
      }
      assertThat(harness.queues().get(done.jobId())).isEmpty();
      assertClean(harness);
    }
  }

  @Test
  void losePower_buffered_idsAndTokensAreNeverGivenTwice() {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    Set<JobId> given = new HashSet<>();
    long newest = 0;
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 10; i++) {
        assertThat(given.add(enqueue(mail(harness), "job " + round + "." + i)))
            .as("ids are given once")
            .isTrue();
        Lease lease = claim(mail(harness));
        assertThat(lease.token()).isGreaterThan(newest);
        newest = lease.token();
        if (i % 2 == 0) {
          lease.complete().orThrow();
        }
      }
      harness.losePower();
      assertClean(harness);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void losePower_buffered_whatIsLeftIsAPrefixOfWhatHappened(int jobCount) {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 3 * jobCount; i++) {
      ids.add(enqueue(mail(harness), "job " + i));
    }

    harness.losePower();

    List<JobId> kept = ids.stream().filter(id -> harness.queues().get(id).isPresent()).toList();
    assertThat(kept).isEqualTo(ids.subList(0, kept.size()));
    assertThat(claim(mail(harness), 100)).extracting(Lease::jobId).containsExactlyElementsOf(kept);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_longBacklog_readsNoMoreThanOfAShortOne(StoreKind kind) {
    EngineHarness harness = start(kind);
    long readAtStart = rowsReadByReopening(harness);
    for (int i = 0; i < 20; i++) {
      List<NewJob> jobs = new ArrayList<>();
      for (int j = 0; j < 500; j++) {
        jobs.add(NewJob.of(("ready " + j).getBytes(UTF_8)));
        jobs.add(
            new NewJob(
                "delayed".getBytes(UTF_8), EnqueueOptions.DEFAULT.delay(ofSeconds(3_600 + j))));
      }
      mail(harness).enqueueAll(jobs);
    }

    long readWithBacklog = rowsReadByReopening(harness);

    assertThat(readWithBacklog - readAtStart).isLessThan(100);
    assertThat(payload(claim(mail(harness)))).isEqualTo("ready 0");
  }

  private static long rowsReadByReopening(EngineHarness harness) {
    harness.restartCleanly();
    harness.poke();
    return harness.store().rowsVisited();
  }

  @Test
  void open_storeHeldByThisProcess_isRefusedWithItsPid() {
    EngineHarness harness = start(StoreKind.LMDB);
    String location = "lmdb:" + folder.resolve("store");

    assertThatThrownBy(() -> JobEngine.open(location, EngineOptions.DEFAULT))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(folder.resolve("store").toString())
        .hasMessageContaining("pid=" + ProcessHandle.current().pid());
    assertThat(enqueue(mail(harness), "a")).isNotNull();
  }

  @Test
  void restart_readyAndDelayedJobs_delayedOnesBecomeReadyWithoutAnybodyAsking() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (String queue : List.of("mail", "post", "news")) {
      enqueue(harness.queues().queue(queue), "ready");
    }
    enqueue(
        harness.queues().queue("post"), "soon", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));
    enqueue(mail(harness), "late", EnqueueOptions.DEFAULT.delay(Duration.ofHours(2)));
    harness.restartCleanly();

    harness.clock().advanceMs(Duration.ofHours(1).toMillis());
    harness.awaitNothingDue();

    assertThat(peek(harness.queues().queue("post"), JobState.READY))
        .containsExactly("ready", "soon");
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("ready");
    harness.clock().advanceMs(Duration.ofHours(1).toMillis());
    harness.awaitNothingDue();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("ready", "late");
  }

  @Test
  void idleQueue_readyAndDelayedJobs_delayedOnesBecomeReadyWithoutAnybodyAsking() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock -> Setup.DEFAULT.options(clock).queueIdle(Duration.ofSeconds(2)));
    enqueue(mail(harness), "ready");
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));

    harness.clock().advanceMs(10_000);
    harness.awaitNothingDue();
    harness.clock().advanceMs(Duration.ofHours(1).toMillis() - 10_000);
    harness.awaitNothingDue();

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("ready", "later");
  }

  @Test
  void idleQueue_delayedJobsOnly_becomeReadyWithoutAnybodyAsking() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock -> Setup.DEFAULT.options(clock).queueIdle(Duration.ofSeconds(2)));
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));

    harness.clock().advanceMs(10_000);
    harness.awaitNothingDue();
    harness.clock().advanceMs(Duration.ofHours(1).toMillis() - 10_000);
    harness.awaitNothingDue();

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("later");
  }

  @Test
  void cancel_dueJobOfAQueueThatIsNotInMemory_isCancelled() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 40; i++) {
      enqueue(harness.queues().queue("left alone " + i), "ready");
    }
    JobQueue first = harness.queues().queue("left alone 0");
    enqueue(first, "first", EnqueueOptions.DEFAULT.delay(Duration.ofMillis(1_000)));
    JobQueue second = harness.queues().queue("left alone 1");
    JobId due = enqueue(second, "second", EnqueueOptions.DEFAULT.delay(Duration.ofMillis(1_001)));
    harness.restartCleanly();
    harness.awaitNothingDue();
    harness.clock().advanceMs(1_000);
    harness.awaitNothingDue();
    harness.clock().advanceMs(1);
    harness.awaitNothingDue();
    assertThat(state(harness.queues(), due)).isEqualTo(JobState.DELAYED);

    CancelResult result = harness.queues().cancelIfWaiting(due);

    assertThat(result).isEqualTo(CancelResult.CANCELLED);
    assertThat(harness.queues().get(due)).isEmpty();
    assertClean(harness);
  }

  @Test
  void restart_oldHandlesStillAround_areRefusedAndChangeNothing() {
    EngineHarness harness = start(StoreKind.LMDB);
    JobQueue oldQueue = mail(harness);
    JobId id = enqueue(oldQueue, "a");
    Lease oldLease = claim(oldQueue);

    harness.restartCleanly();
    Lease newLease = claim(mail(harness));

    assertThatThrownBy(oldLease::complete).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> oldQueue.enqueue(new byte[0]))
        .isInstanceOf(EngineClosedException.class);
    oldLease.close();
    enqueue(mail(harness), "flush");
    Job job = job(harness.queues(), id);
    assertThat(job.lease().orElseThrow().token()).isEqualTo(newLease.token());
    assertThat(newLease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void inspect_storeThatNobodyHolds_showsItAndChangesNothing() {
    EngineHarness harness = start(StoreKind.LMDB);
    JobId id = enqueue(mail(harness), "a");
    harness.engine().close();

    try (JobReader reader = JobEngine.inspect("lmdb:" + folder.resolve("store"))) {
      assertThat(reader.get(id)).map(job -> new String(job.payload(), UTF_8)).contains("a");
      assertThat(reader.stats(mail(harness).name()).orElseThrow().count(JobState.READY))
          .isEqualTo(1);
      assertThat(reader.verify().isClean()).isTrue();
    }
    harness.restartCleanly();
    assertThat(claim(mail(harness)).attempt()).isEqualTo(1);
  }
}
