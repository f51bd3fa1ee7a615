package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A claim is answered before its lease is stored: when that is, and what is seen until then. */
class StoredLeaseTrapsTest extends TrapTest {

  @ParameterizedTest
  @EachStoreKind
  void claim_crashBeforeTheNextCommit_givesTheJobBackUncounted(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));

    harness.crash();

    awaitJob(harness, id, JobState.READY, 0);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_nothingElseToStore_isStoredFiveMillisecondsLater(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    long before = harness.store().lastCommit();
    claim(mail(harness));
    pokeTwice(harness);
    assertThat(harness.store().lastCommit()).isEqualTo(before);

    harness.storeLeases();

    assertThat(harness.store().lastCommit()).isEqualTo(before + 1);
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    harness.crash();
    awaitJob(harness, id, JobState.READY, 1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void complete_beforeTheLeaseIsStored_isOneCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    long before = harness.store().lastCommit();

    Lease lease = claim(mail(harness));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);

    assertThat(harness.store().lastCommit()).isEqualTo(before + 1);
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    QueueStats stats = mail(harness).stats().orElseThrow();
    assertThat(stats.total(Total.CLAIMED)).isEqualTo(1);
    assertThat(stats.total(Total.COMPLETED)).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void claim_ofAQueueAtItsDepthLimit_nobodySeesMoreJobsWaitThanMay() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.depthMax(1));
    enqueue(mail, "a");
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        harness.queues().queue("other").enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    CompletableFuture<List<Lease>> claim = mail.claimAsync(ClaimOptions.by("worker"));
    CompletableFuture<Enqueued> enqueue = mail.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().letGo();

    join(blocker);
    assertThat(join(claim)).hasSize(1);
    join(enqueue);
    QueueStats stats = mail.stats().orElseThrow();
    assertThat(stats.count(JobState.READY)).isEqualTo(1);
    assertThat(stats.count(JobState.LEASED)).isEqualTo(1);
  }
}
