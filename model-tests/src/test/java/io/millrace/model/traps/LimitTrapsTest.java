package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that would not fit into one batch, or into the limits, is done in several. */
@Tag("slow")
class LimitTrapsTest extends TrapTest {

  /**
   * The number of queues of a thousand due jobs each, which two batches of due work do not empty.
   */
  private static final int PAUSED_COUNT = 149;

  @Test
  void leaseLimit_reachedWhileClaimsWait_theyAreServedAsLeasesEnd() {
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).leaseCountMax(2));
    JobQueue mail = mail(harness);
    for (int i = 0; i < 4; i++) {
      enqueue(mail, "job " + i);
    }
    List<Lease> held = claim(mail, 10);
    CompletableFuture<List<Lease>> inVain = claimAsync(harness.queues().queue("empty"));
    harness.poke();
    CompletableFuture<List<Lease>> first = claimAsync(mail);
    CompletableFuture<List<Lease>> second = claimAsync(mail);
    harness.poke();

    held.get(0).complete().orThrow();
    List<Lease> third = join(first);
    held.get(1).complete().orThrow();
    List<Lease> fourth = join(second);

    assertNotAnswered(harness, inVain);
    assertThat(payloads(held)).containsExactly("job 0", "job 1");
    assertThat(payloads(third)).containsExactly("job 2");
    assertThat(payloads(fourth)).containsExactly("job 3");
    assertThat(harness.engine().poison()).isEmpty();
  }

  private static CompletableFuture<List<Lease>> claimAsync(JobQueue queue) {
    return queue.claimAsync(ClaimOptions.by("worker").waiting(ofMinutes(1)));
  }

  @Test
  void resume_moreWaitingForThanOneBatchHolds_servesAllInSeveral() {
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).windowBytesMax(32 << 20));
    JobQueue mail = mail(harness);
    mail.pause();
    List<NewJob> jobs = Collections.nCopies(10_000, NewJob.of(new byte[1]));
    List<CompletableFuture<List<Lease>>> waiting = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      mail.enqueueAll(jobs);
      waiting.add(
          mail.claimAsync(
              ClaimOptions.by("worker")
                  .max(10_000)
                  .leaseDuration(ofDays(1))
                  .waiting(ofMinutes(9))));
    }
    harness.poke();

    mail.resume();

    for (CompletableFuture<List<Lease>> claim : waiting) {
      assertThat(join(claim)).hasSize(10_000);
    }
    enqueue(mail, "after");
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(140_000);
  }

  @Test
  void claims_answeredAndTheirBatchIsRefused_allLeasesHoldThoughTheirRowsFillABatch()
      throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).windowBytesMax(32 << 20));
    JobQueue mail = mail(harness);
    List<NewJob> jobs = Collections.nCopies(10_000, NewJob.of(new byte[1]));
    for (int i = 0; i < 4; i++) {
      mail.enqueueAll(jobs);
    }
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      claims.add(mail.claimAsync(ClaimOptions.by("worker").max(10_000)));
    }
    CompletableFuture<?> growing = mail.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);

    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    harness.machine().room(FaultyStore.Room.FOR_RESERVE_USERS);
    harness.store().letGo();

    join(held);
    assertThatThrownBy(() -> join(growing)).isInstanceOf(StoreFullException.class);
    List<Lease> leases = new ArrayList<>();
    claims.forEach(claim -> leases.addAll(join(claim)));
    assertThat(leases).hasSize(40_000);
    harness.storeLeases();
    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(40_000);
    assertThat(harness.queues().completeAll(leases.subList(0, 10_000)))
        .containsOnly(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void claim_manyQueuesWithManyDueJobs_movesWhatFitsAndTheRestSoonAfter() {
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).windowBytesMax(32 << 20));
    List<QueueName> names = new ArrayList<>();
    NewJob later = new NewJob(new byte[1], EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    for (int i = 0; i < 50; i++) {
      names.add(QueueName.of("queue " + i));
      harness.queues().queue(names.get(i)).enqueueAll(Collections.nCopies(1_000, later));
    }
    harness.restartCleanly();
    harness.clock().advanceMs(10_000);

    List<Lease> leases =
        harness.queues().claim(names, ClaimOptions.by("worker").max(10_000).waiting(ofMinutes(1)));

    assertThat(leases).hasSize(10_000);
    assertThat(harness.engine().poison()).isEmpty();
    await(
        "all are moved",
        () ->
            harness.queues().queue(names.get(49)).stats().orElseThrow().count(JobState.DELAYED)
                == 0);
  }

  @Test
  void claim_whatIsDueInPausedQueuesFillsTheBatch_isServedByALaterOne()
      throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).windowBytesMax(32 << 20));
    List<QueueName> names = new ArrayList<>();
    NewJob later = new NewJob(new byte[1], EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    for (int i = 0; i < PAUSED_COUNT; i++) {
      names.add(QueueName.of("paused " + i));
      harness.queues().queue(names.get(i)).enqueueAll(Collections.nCopies(1_000, later));
      harness.queues().queue(names.get(i)).pause();
    }
    names.add(QueueName.of("served"));
    harness.queues().queue(names.get(PAUSED_COUNT)).enqueueAll(List.of(later));
    harness.store().holdNextWrite();
    harness.clock().advanceMs(10_000);
    harness.store().awaitHeld();
    // They fill the batch that has due work in it, so that the claim begins the next.
    NewJob large = NewJob.of(new byte[Limits.CALL_BYTES_MAX / 2 - (1 << 19)]);
    CompletableFuture<?> first = enqueueTwice(harness, large);
    CompletableFuture<?> second = enqueueTwice(harness, large);
    CompletableFuture<List<Lease>> claim =
        harness.queues().claimAsync(names, ClaimOptions.by("worker").max(10_000));

    harness.store().letGo();
    join(first);
    join(second);

    assertThat(join(claim)).hasSize(1);
    assertThat(harness.engine().poison()).isEmpty();
  }

  private static CompletableFuture<?> enqueueTwice(EngineHarness harness, NewJob job) {
    return harness.queues().queue("large").enqueueAllAsync(List.of(job, job));
  }
}
