package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A worker of little capacity before a backlog of jobs that are too heavy for it. */
@InProcess("how much the engine reads or writes, whoever calls")
class HeavyBacklogTrapsTest extends TrapTest {

  /** So many that a claim looks for a light one in several batches. */
  private static final int HEAVY_COUNT = 10_000;

  private static final ClaimOptions SMALL = ClaimOptions.by("worker").maxWeight(9);

  private static JobQueue heavy(EngineHarness harness) {
    JobQueue mail = mail(harness);
    NewJob job = new NewJob("heavy".getBytes(UTF_8), EnqueueOptions.DEFAULT.weight(10));
    mail.enqueueAll(Collections.nCopies(HEAVY_COUNT, job));
    return mail;
  }

  private static List<Lease> claimed(CompletableFuture<List<Lease>> claim) {
    return join(claim);
  }

  @Test
  void claim_backlogIsWalkedOver_othersAreServedMeanwhile() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = heavy(harness);
    enqueue(mail, "light");
    JobQueue print = harness.queues().queue("print");
    List<String> order = new CopyOnWriteArrayList<>();
    harness.store().holdNextWrite();
    CompletableFuture<?> first = print.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    CompletableFuture<List<Lease>> claim = mail.claimAsync(SMALL);
    CompletableFuture<?> other = print.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    CompletableFuture<Void> claimNoted = claim.thenRun(() -> order.add("claim"));
    CompletableFuture<Void> otherNoted = other.thenRun(() -> order.add("other"));
    harness.store().letGo();

    join(first);
    // Whoever waits for a future may be back before what depends on it has run.
    join(claimNoted);
    join(otherNoted);
    assertThat(payloads(claimed(claim))).containsExactly("light");
    assertThat(order).containsExactly("other", "claim");
  }

  @Test
  void claim_nothingFitsAndNoWait_answersEmptyWhenAllWasLookedAt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = heavy(harness);

    assertThat(mail.claim(SMALL)).isEmpty();
    enqueue(mail, "light");
    assertThat(payloads(mail.claim(SMALL))).containsExactly("light");
    assertThat(mail.claim(SMALL)).isEmpty();
    assertThat(payloads(mail.claim(ClaimOptions.by("worker")))).containsExactly("heavy");
  }

  @Test
  void claim_manyBoundsAtOnce_allAreAnswered() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    for (int weight = 100; weight > 10; weight--) {
      NewJob job =
          new NewJob(("w" + weight).getBytes(UTF_8), EnqueueOptions.DEFAULT.weight(weight));
      mail.enqueueAll(Collections.nCopies(100, job));
    }
    List<CompletableFuture<List<Lease>>> claims =
        IntStream.rangeClosed(5, 100)
            .mapToObj(bound -> mail.claimAsync(ClaimOptions.by("worker" + bound).capacity(bound)))
            .toList();

    for (int i = 0; i < claims.size(); i++) {
      int bound = 5 + i;
      assertThat(payloads(claimed(claims.get(i))))
          .as("bound %s", bound)
          .isEqualTo(bound > 10 ? List.of("w" + bound) : List.of());
    }
  }

  @Test
  void claim_waitsBehindTheBacklog_isServedWhenALightJobComes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = heavy(harness);
    CompletableFuture<List<Lease>> waiting = mail.claimAsync(SMALL.waiting(ofSeconds(60)));
    CompletableFuture<List<Lease>> over = mail.claimAsync(SMALL.waiting(ofSeconds(5)));
    advance(harness, ofSeconds(6));
    assertThat(claimed(over)).isEmpty();
    assertNotAnswered(harness, waiting);

    enqueue(mail, "light");

    assertThat(payloads(claimed(waiting))).containsExactly("light");
  }

  @Test
  void claim_callerGivesUpDuringTheWalk_leavesNoLeaseBehind() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = heavy(harness);
    enqueue(mail, "light");
    harness.store().holdNextWrite();
    CompletableFuture<?> first = mail.enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim = mail.claimAsync(SMALL);

    claim.cancel(true);
    harness.store().letGo();
    join(first);
    pokeTwice(harness);

    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertThat(payloads(mail.claim(SMALL.max(2)))).containsExactly("light", "a");
  }

  @Test
  void claim_batchesOfTheWalkAreRefusedAsFull_goesOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = heavy(harness);
    enqueue(mail, "light");
    harness.machine().room(Room.FOR_RESERVE_USERS);
    CompletableFuture<?> refused = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    CompletableFuture<List<Lease>> claim = mail.claimAsync(SMALL);

    assertThat(payloads(claimed(claim))).containsExactly("light");
    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);
  }
}
