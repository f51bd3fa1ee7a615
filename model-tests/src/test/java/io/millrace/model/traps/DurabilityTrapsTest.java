package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each level of durability promises, by engine and by call, and what it costs in syncs. */
class DurabilityTrapsTest extends TrapTest {

  private static final EnqueueOptions URGENT = EnqueueOptions.DEFAULT.priority(9);

  /** Every call that changes something, made through a view of a level. */
  enum Call {
    ENQUEUE((world, level) -> world.queue(level).enqueue("new".getBytes(UTF_8))),
    ENQUEUE_ASYNC(
        (world, level) ->
            join(world.queue(level).enqueueAsync("new".getBytes(UTF_8), EnqueueOptions.DEFAULT))),
    ENQUEUE_ALL((world, level) -> world.queue(level).enqueueAll(List.of(NewJob.of(new byte[3])))),
    COMPLETE((world, level) -> world.lease.with(level).complete().orThrow()),
    COMPLETE_CLAIMED_THROUGH_THE_VIEW(
        (world, level) -> claim(world.queue(level)).complete().orThrow()),
    COMPLETE_ALL(
        (world, level) ->
            Dropped.result(
                world
                    .harness
                    .queues()
                    .with(level)
                    .completeAll(List.of(world.lease, world.second)))),
    FAIL((world, level) -> world.lease.with(level).fail("broken").orThrow()),
    FAIL_ALL(
        (world, level) ->
            Dropped.result(
                world
                    .harness
                    .queues()
                    .with(level)
                    .failAll(List.of(world.lease), "broken", FailOptions.PERMANENT))),
    RELEASE((world, level) -> world.lease.with(level).release().orThrow()),
    CLOSE((world, level) -> world.lease.with(level).close()),
    SNOOZE((world, level) -> world.lease.with(level).snooze(ofSeconds(9)).orThrow()),
    EXTEND_BY_MORE_THAN_GRANTED(
        (world, level) -> world.lease.with(level).extend(ofMinutes(9)).orThrow()),
    CHECKPOINT(
        (world, level) -> world.lease.with(level).checkpoint("half".getBytes(UTF_8)).orThrow()),
    CANCEL(
        (world, level) ->
            world.harness.queues().with(level).cancelIfWaiting(world.waiting).orThrow()),
    REDRIVE((world, level) -> world.queue(level).deadLetters().redrive(world.dead).orThrow()),
    REDRIVE_ALL((world, level) -> world.queue(level).deadLetters().redriveAll(DeadFilter.ALL)),
    DELETE_DEAD((world, level) -> world.queue(level).deadLetters().delete(world.dead)),
    CONFIGURE((world, level) -> world.queue(level).configure(held -> QueueSettings.DEFAULT)),
    PAUSE((world, level) -> world.queue(level).pause());

    private final BiConsumer<World, Durability> made;

    Call(BiConsumer<World, Durability> made) {
      this.made = made;
    }
  }

  /** A queue with jobs in several states, all of it synced. */
  private static final class World {
    private final EngineHarness harness;
    private final JobId dead;
    private final JobId waiting;
    private final Lease lease;
    private final Lease second;

    World(EngineHarness harness) {
      this.harness = harness;
      JobQueue queue = queue(Durability.SYNCED);
      dead = enqueue(queue, "dead", URGENT);
      claim(queue).fail("broken", FailOptions.PERMANENT).orThrow();
      enqueue(queue, "leased", URGENT);
      enqueue(queue, "leased, too", URGENT);
      lease = claim(queue);
      second = claim(queue);
      waiting = enqueue(queue, "waiting");
      assertThat(unsyncedCount(harness)).isZero();
    }

    JobQueue queue(Durability level) {
      return mail(harness).with(level);
    }
  }

  private static long syncCount(EngineHarness harness) {
    return harness.machine().callCount(StoreCall.SYNC);
  }

  private static long unsyncedCount(EngineHarness harness) {
    return harness.store().lastCommit() - harness.store().syncedCommit();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void buffered_onSyncedEngine_isAnsweredBeforeAnySync(Call call) {
    World world = new World(start(StoreKind.FAULTY));
    long before = syncCount(world.harness);

    call.made.accept(world, Durability.BUFFERED);

    assertThat(syncCount(world.harness)).isEqualTo(before);
    assertThat(unsyncedCount(world.harness)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void synced_onBufferedEngine_isSyncedWhenAnswered(Call call) {
    World world =
        new World(start(StoreKind.FAULTY, Setup.DEFAULT.withDurability(Durability.BUFFERED)));

    call.made.accept(world, Durability.SYNCED);

    assertThat(unsyncedCount(world.harness)).isZero();
  }

  @Test
  void buffered_processDies_everyCallThatReturnedIsKept() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    for (int round = 0; round < 10; round++) {
      JobId done = enqueue(buffered, "done", URGENT);
      JobId waiting = enqueue(buffered, "waiting");
      assertThat(claim(buffered).complete()).isEqualTo(CompleteResult.COMPLETED);

      harness.crash();
      buffered = mail(harness).with(Durability.BUFFERED);

      assertThat(harness.queues().get(done)).isEmpty();
      assertThat(state(harness.queues(), waiting)).isEqualTo(JobState.READY);
      assertClean(harness);
    }
  }

  @Test
  void buffered_powerIsLost_onlyCallsAfterTheLastSyncedOneMayBeUndone() {
    EngineHarness harness = start(StoreKind.FAULTY);
    int lostCount = 0;
    int keptCount = 0;
    for (int round = 0; round < 40; round++) {
      JobId earlier = enqueue(mail(harness).with(Durability.BUFFERED), "earlier");
      JobId synced = enqueue(mail(harness), "synced");
      JobId later = enqueue(mail(harness).with(Durability.BUFFERED), "later");

      harness.losePower();

      assertThat(state(harness.queues(), earlier)).isEqualTo(JobState.READY);
      assertThat(state(harness.queues(), synced)).isEqualTo(JobState.READY);
      lostCount += harness.queues().get(later).isEmpty() ? 1 : 0;
      keptCount += harness.queues().get(later).isPresent() ? 1 : 0;
      assertClean(harness);
    }
    assertThat(lostCount).isPositive();
    assertThat(keptCount).isPositive();
  }

  @Test
  void synced_ofBufferedEngine_powerIsLost_isKeptWithAllBefore() {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    for (int round = 0; round < 20; round++) {
      JobId earlier = enqueue(mail(harness), "earlier");
      JobId synced = enqueue(mail(harness).with(Durability.SYNCED), "synced");

      harness.losePower();

      assertThat(state(harness.queues(), earlier)).isEqualTo(JobState.READY);
      assertThat(state(harness.queues(), synced)).isEqualTo(JobState.READY);
    }
  }

  @Test
  void buffered_inOneCommitWithSynced_isAnsweredBeforeTheirSync() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    enqueue(mail(harness), "first");
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> held = enqueueAsync(buffered);
    harness.store().awaitHeld();
    CompletableFuture<Enqueued> synced = enqueueAsync(mail(harness));
    CompletableFuture<Enqueued> quick = enqueueAsync(buffered);

    harness.store().letGoUntilSync();
    harness.store().awaitHeld();

    assertThat(join(held).jobId()).isNotNull();
    assertThat(join(quick).jobId()).isNotNull();
    assertNotAnswered(harness, synced);
    harness.store().letGo();
    assertThat(join(synced).jobId()).isNotNull();
  }

  @Test
  void buffered_thenNothingHappens_isSyncedOnceWithin50ms() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness).with(Durability.BUFFERED), "job");
    harness.poke();
    long before = syncCount(harness);

    harness.clock().advanceMs(49);
    harness.poke();
    assertThat(syncCount(harness)).isEqualTo(before);
    harness.clock().advanceMs(1);
    await("the idle engine has synced", () -> unsyncedCount(harness) == 0);

    assertThat(syncCount(harness)).isEqualTo(before + 1);
    for (int i = 0; i < 20; i++) {
      advance(harness, ofSeconds(1));
    }
    assertThat(syncCount(harness)).isEqualTo(before + 1);
  }

  @Test
  void buffered_oneAfterTheOther_areSyncedEvery50ms() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    long before = syncCount(harness);

    for (int i = 0; i < 200; i++) {
      enqueue(buffered, "job " + i);
      harness.clock().advanceMs(5);
    }

    assertThat(syncCount(harness) - before).isBetween(18L, 20L);
  }

  @Test
  void buffered_thenTheStoreIsFull_isSyncedWithin50msAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness).with(Durability.BUFFERED), "job");
    harness.machine().room(Room.FOR_RESERVE_USERS);
    assertThatThrownBy(() -> enqueue(mail(harness), "refused"))
        .isInstanceOf(StoreFullException.class);
    long before = syncCount(harness);

    harness.clock().advanceMs(50);

    await("the full engine syncs", () -> syncCount(harness) > before);
    harness.poke();
    assertThat(syncCount(harness)).isEqualTo(before + 1);
    assertThat(unsyncedCount(harness)).isZero();
  }

  @Test
  void claim_ofJobEnqueuedSynced_neverWaitsForAnotherSync() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "synced");
    enqueue(mail(harness).with(Durability.BUFFERED), "buffered");
    long before = syncCount(harness);

    List<Lease> leases = claim(mail(harness), 2);

    assertThat(payloads(leases)).containsExactly("synced", "buffered");
    assertThat(syncCount(harness)).isEqualTo(before);
  }

  @Test
  void claim_ofJobsReadFromTheStore_doesNotSyncWhatNobodyAskedToBe() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    for (int i = 0; i < 50; i++) {
      buffered.enqueue(new byte[900], EnqueueOptions.DEFAULT);
    }
    long before = syncCount(harness);

    List<Lease> leases = claim(buffered, 200);

    assertThat(leases).hasSize(50);
    assertThat(syncCount(harness)).isEqualTo(before);
  }

  @Test
  void claim_parkedOnBufferedView_waitsForTheSyncThatTheEnqueueAskedFor()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    CompletableFuture<List<Lease>> parked =
        mail(harness)
            .with(Durability.BUFFERED)
            .claimAsync(ClaimOptions.by("worker").waiting(ofMinutes(1)));
    harness.poke();
    harness.store().holdNextSync();

    CompletableFuture<Enqueued> synced = enqueueAsync(mail(harness));

    harness.store().awaitHeld();
    assertNotAnswered(harness, parked);
    assertNotAnswered(harness, synced);
    harness.store().letGo();
    assertThat(join(parked)).hasSize(1);
  }

  @Test
  void with_anyLevel_isTheSameQueueAndTheSameLease() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    enqueue(buffered, "job");
    Lease lease = claim(mail(harness));
    Lease view = lease.with(Durability.BUFFERED);

    view.checkpoint("half".getBytes(UTF_8)).orThrow();
    CompleteResult result = view.complete();
    lease.close();

    assertThat(buffered.name()).isEqualTo(QueueName.of("mail"));
    assertThat(payload(lease)).isEqualTo("job");
    assertThat(lease.checkpointed()).contains("half".getBytes(UTF_8));
    assertThat(result).isEqualTo(CompleteResult.COMPLETED);
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    assertThatThrownBy(() -> mail(harness).with(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("durability");
  }

  private static CompletableFuture<Enqueued> enqueueAsync(JobQueue queue) {
    return queue.enqueueAsync("job".getBytes(UTF_8), EnqueueOptions.DEFAULT);
  }
}
