package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.ExtendResult.Extended;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.ReleaseResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease that is named by its job and token is as good as the one that was granted. */
@Tag("calls")
class ToldLeaseTrapsTest extends TrapTest {

  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT
          .backoff(Backoff.fixed(ofSeconds(9)))
          .maxAttempts(5)
          .resultRetention(Duration.ofHours(1));

  private static Lease told(EngineHarness harness, Lease granted) {
    return harness.queues().lease(granted.jobId(), granted.token());
  }

  private static Lease claimNew(EngineHarness harness) {
    enqueue(mail(harness), "payload", OPTIONS);
    return claim(mail(harness));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /**
   * Everything that can be asked of a lease, with the answers to a current, a stale, a gone one.
   */
  enum Ask {
    COMPLETE(Lease::complete, CompleteResult.COMPLETED, JobState.DONE, Stale.COMPLETE),
    COMPLETE_RESULT(
        lease -> lease.complete(bytes("r")),
        CompleteResult.COMPLETED,
        JobState.DONE,
        Stale.COMPLETE),
    COMPLETE_ASYNC(
        lease -> join(lease.completeAsync()),
        CompleteResult.COMPLETED,
        JobState.DONE,
        Stale.COMPLETE),
    COMPLETE_RESULT_ASYNC(
        lease -> join(lease.completeAsync(bytes("r"))),
        CompleteResult.COMPLETED,
        JobState.DONE,
        Stale.COMPLETE),
    FAIL(
        lease -> lease.fail("broken").getClass(),
        FailResult.Retried.class,
        JobState.DELAYED,
        Stale.FAIL),
    FAIL_PERMANENT(
        lease -> lease.fail("broken", FailOptions.PERMANENT).getClass(),
        FailResult.Died.class,
        JobState.DEAD,
        Stale.FAIL),
    FAIL_ASYNC(
        lease -> join(lease.failAsync("broken", FailOptions.RETRY)).getClass(),
        FailResult.Retried.class,
        JobState.DELAYED,
        Stale.FAIL),
    RELEASE(Lease::release, ReleaseResult.RELEASED, JobState.READY, Stale.RELEASE),
    RELEASE_ASYNC(
        lease -> join(lease.releaseAsync()), ReleaseResult.RELEASED, JobState.READY, Stale.RELEASE),
    SNOOZE(
        lease -> lease.snooze(ofSeconds(9)),
        ReleaseResult.RELEASED,
        JobState.DELAYED,
        Stale.RELEASE),
    SNOOZE_UNTIL(
        lease -> lease.snooze(Instant.parse("2100-01-01T00:00:00Z")),
        ReleaseResult.RELEASED,
        JobState.DELAYED,
        Stale.RELEASE),
    SNOOZE_ASYNC(
        lease -> join(lease.snoozeAsync(ofSeconds(9))),
        ReleaseResult.RELEASED,
        JobState.DELAYED,
        Stale.RELEASE),
    SNOOZE_UNTIL_ASYNC(
        lease -> join(lease.snoozeAsync(Instant.parse("2100-01-01T00:00:00Z"))),
        ReleaseResult.RELEASED,
        JobState.DELAYED,
        Stale.RELEASE),
    EXTEND(
        lease -> lease.extend(ofSeconds(60)),
        new Extended(ofSeconds(60)),
        JobState.LEASED,
        Stale.EXTEND),
    EXTEND_ASYNC(
        lease -> join(lease.extendAsync(ofSeconds(60))),
        new Extended(ofSeconds(60)),
        JobState.LEASED,
        Stale.EXTEND),
    CHECKPOINT(
        lease -> lease.checkpoint(bytes("state")),
        new Extended(ofSeconds(30)),
        JobState.LEASED,
        Stale.EXTEND),
    CHECKPOINT_ASYNC(
        lease -> join(lease.checkpointAsync(bytes("state"))),
        new Extended(ofSeconds(30)),
        JobState.LEASED,
        Stale.EXTEND);

    final Function<Lease, Object> call;
    final Object answer;
    final JobState after;
    final Stale stale;

    Ask(Function<Lease, Object> call, Object answer, JobState after, Stale stale) {
      this.call = call;
      this.answer = answer;
      this.after = after;
      this.stale = stale;
    }
  }

  /** What is answered for leases that are not current. */
  enum Stale {
    COMPLETE(CompleteResult.STALE_LEASE, CompleteResult.GONE),
    FAIL(FailResult.StaleLease.class, FailResult.Gone.class),
    RELEASE(ReleaseResult.STALE_LEASE, ReleaseResult.GONE),
    EXTEND(new ExtendResult.StaleLease(), new ExtendResult.Gone());

    final Object stale;
    final Object gone;

    Stale(Object stale, Object gone) {
      this.stale = stale;
      this.gone = gone;
    }
  }

  @ParameterizedTest
  @EnumSource(Ask.class)
  void ask_currentOne_isDoneAsByTheHolder(Ask ask) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease granted = claimNew(harness);

    Object answer = ask.call.apply(told(harness, granted));

    assertThat(answer).isEqualTo(ask.answer);
    pokeTwice(harness);
    assertThat(state(harness.queues(), granted.jobId())).isEqualTo(ask.after);
    granted.close();
    pokeTwice(harness);
    assertThat(state(harness.queues(), granted.jobId()))
        .as("closed once more by its holder")
        .isEqualTo(ask.after == JobState.LEASED ? JobState.DELAYED : ask.after);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Ask.class)
  void ask_staleAndGoneOnes_areToldSoAndTheNextHolderIsLeftAlone(Ask ask) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease first = claimNew(harness);
    final Lease never = harness.queues().lease(first.jobId(), first.token() + 1_000);
    assertThat(ask.call.apply(never)).isEqualTo(ask.stale.stale);
    advance(harness, LEASE_OVER);
    assertThat(ask.call.apply(told(harness, first))).isEqualTo(ask.stale.stale);
    Lease next = claim(mail(harness));

    assertThat(ask.call.apply(told(harness, first))).isEqualTo(ask.stale.stale);

    assertThat(next.checkpointed()).isEmpty();
    assertThat(next.fail("broken", FailOptions.PERMANENT).isDone()).isTrue();
    assertThat(mail(harness).deadLetters().delete(next.jobId())).isTrue();
    assertThat(ask.call.apply(told(harness, first))).isEqualTo(ask.stale.gone);
    assertThat(ask.call.apply(told(harness, next))).isEqualTo(ask.stale.gone);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void accessors_currentOne_tellWhatTheHoldersDo(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int length : List.of(10, 3_000)) {
      JobId id =
          mail(harness)
              .enqueue(
                  new byte[length],
                  OPTIONS.priority(3).weight(4).type("resize").header("a", "b").maxAttempts(2))
              .jobId();
      claim(mail(harness)).fail("broken").orThrow();
      advance(harness, ofSeconds(10));
      Lease granted = claim(mail(harness));
      granted.checkpoint(new byte[length]).orThrow();
      harness.queues().cancel(id).orThrow();

      assertTellsTheSame(told(harness, granted), granted);

      Lease told = told(harness, granted);
      told.payload()[0] = 9;
      told.checkpointed().orElseThrow()[0] = 9;
      assertTellsTheSame(told, granted);
      granted.complete().orThrow();
      assertTellsTheSame(told, granted, false);
    }
  }

  private static void assertTellsTheSame(Lease told, Lease granted) {
    assertTellsTheSame(told, granted, true);
    assertThat(told.cancelRequested()).isTrue();
    assertThat(told.remaining()).isEqualTo(granted.remaining()).isPositive();
  }

  private static void assertTellsTheSame(Lease told, Lease granted, boolean isCurrent) {
    assertThat(told.jobId()).isEqualTo(granted.jobId());
    assertThat(told.token()).isEqualTo(granted.token());
    assertThat(told.queue()).isEqualTo(granted.queue());
    assertThat(told.attempt()).isEqualTo(granted.attempt()).isEqualTo(2);
    assertThat(told.maxAttempts()).isEqualTo(granted.maxAttempts()).isEqualTo(2);
    assertThat(told.isLastAttempt()).isTrue();
    assertThat(told.type()).isEqualTo(granted.type()).isEqualTo("resize");
    assertThat(told.worker()).isEqualTo(granted.worker()).isEqualTo("worker");
    assertThat(told.priority()).isEqualTo(granted.priority()).isEqualTo(3);
    assertThat(told.weight()).isEqualTo(granted.weight()).isEqualTo(4);
    assertThat(told.payload()).isEqualTo(granted.payload());
    assertThat(told.checkpointed().orElseThrow()).isEqualTo(granted.checkpointed().orElseThrow());
    assertThat(told.headers()).isEqualTo(granted.headers()).isEqualTo(Map.of("a", "b"));
    assertThat(told.enqueuedAt()).isEqualTo(granted.enqueuedAt());
    assertThat(told.lastError()).isEqualTo(granted.lastError()).isEqualTo(Optional.of("broken"));
    assertThat(isCurrent || !told.complete().isDone()).isTrue();
  }

  /** What a lease tells of its job. */
  enum Tell {
    PAYLOAD(Lease::payload),
    CHECKPOINTED(Lease::checkpointed),
    HEADERS(Lease::headers),
    ATTEMPT(Lease::attempt),
    MAX_ATTEMPTS(Lease::maxAttempts),
    LAST_ATTEMPT(Lease::isLastAttempt),
    TYPE(Lease::type),
    WORKER(Lease::worker),
    PRIORITY(Lease::priority),
    WEIGHT(Lease::weight),
    QUEUE(Lease::queue),
    ENQUEUED_AT(Lease::enqueuedAt),
    LAST_ERROR(Lease::lastError);

    final Function<Lease, Object> look;

    Tell(Function<Lease, Object> look) {
      this.look = look;
    }
  }

  @ParameterizedTest
  @EnumSource(Tell.class)
  void accessors_lostOnes_throwLeaseLost(Tell tell) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease first = claimNew(harness);
    advance(harness, LEASE_OVER);
    Lease next = claim(mail(harness));
    final Lease stale = told(harness, first);

    assertThatThrownBy(() -> tell.look.apply(stale)).isInstanceOf(LeaseLostException.class);
    assertThat(stale.jobId()).isEqualTo(first.jobId());
    assertThat(stale.token()).isEqualTo(first.token());
    next.fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(mail(harness).deadLetters().delete(next.jobId())).isTrue();

    assertThatThrownBy(() -> tell.look.apply(told(harness, next)))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void close_unfinishedOne_failsTheAttempt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease granted = claimNew(harness);

    try (Lease told = told(harness, granted)) {
      assertThat(told.token()).isEqualTo(granted.token());
    }

    Job job = job(harness.queues(), granted.jobId());
    assertThat(job.state()).isEqualTo(JobState.DELAYED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).contains(Lease.CLOSED_ERROR);
    assertThat(granted.complete()).isEqualTo(CompleteResult.STALE_LEASE);
  }

  @Test
  void close_lostOrFinishedOne_changesAndThrowsNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease first = claimNew(harness);
    advance(harness, LEASE_OVER);
    Lease next = claim(mail(harness));

    told(harness, first).close();
    Lease told = told(harness, next);
    told.release().orThrow();
    told.close();

    assertThat(job(harness.queues(), next.jobId()).attempts()).isEqualTo(1);
    assertThat(claim(mail(harness)).complete()).isEqualTo(CompleteResult.COMPLETED);
    told(harness, first).close();
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void with_durability_isTheSameLease(Durability durability) {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease granted = claimNew(harness);
    Lease told = told(harness, granted).with(durability);

    assertThat(payload(told)).isEqualTo("payload");
    assertThat(told.checkpoint(bytes("state")).isDone()).isTrue();
    assertThat(told.complete()).isEqualTo(CompleteResult.COMPLETED);

    harness.crash();
    assertThat(state(harness.queues(), granted.jobId())).isEqualTo(JobState.DONE);
  }

  @Test
  void with_buffered_isAnsweredBeforeTheSync() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease granted = claimNew(harness);
    harness.store().holdNextSync();

    assertThat(told(harness, granted).with(Durability.BUFFERED).complete().isDone()).isTrue();

    harness.store().letGo();
    assertClean(harness);
  }

  /** Calls of many with what each answers for a current, a told, and a stale one. */
  enum All {
    COMPLETE(
        (harness, leases) -> harness.queues().completeAll(leases),
        CompleteResult.COMPLETED,
        CompleteResult.STALE_LEASE),
    COMPLETE_WITH_RESULTS(
        (harness, leases) ->
            harness
                .queues()
                .completeAllWithResults(
                    leases.stream().map(lease -> new Completion(lease, bytes("r"))).toList()),
        CompleteResult.COMPLETED,
        CompleteResult.STALE_LEASE),
    FAIL(
        (harness, leases) -> harness.queues().failAll(leases, "broken", FailOptions.PERMANENT),
        new FailResult.Died(),
        new FailResult.StaleLease()),
    RELEASE(
        (harness, leases) -> harness.queues().releaseAll(leases),
        ReleaseResult.RELEASED,
        ReleaseResult.STALE_LEASE),
    EXTEND(
        (harness, leases) -> harness.queues().extendAll(leases, ofSeconds(60)),
        new Extended(ofSeconds(60)),
        new ExtendResult.StaleLease());

    final BiFunction<EngineHarness, List<Lease>, List<?>> call;
    final Object done;
    final Object stale;

    All(BiFunction<EngineHarness, List<Lease>, List<?>> call, Object done, Object stale) {
      this.call = call;
      this.done = done;
      this.stale = stale;
    }
  }

  @ParameterizedTest
  @EnumSource(All.class)
  void all_toldOnesAmongGrantedOnes_areAnsweredInOrder(All all) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease lost = claimNew(harness);
    advance(harness, LEASE_OVER);
    claim(mail(harness));
    Lease one = claimNew(harness);
    Lease two = claimNew(harness);
    Lease three = claimNew(harness);
    List<Lease> leases =
        Arrays.asList(
            one,
            told(harness, lost),
            told(harness, two),
            told(harness, three).with(Durability.SYNCED));

    List<?> answers = all.call.apply(harness, leases);

    assertThat(answers).isEqualTo(List.of(all.done, all.stale, all.done, all.done));
    assertClean(harness);
  }

  @Test
  void all_sameLeaseToldTwice_isDoneOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "payload");
    Lease granted = claim(mail(harness));

    List<CompleteResult> answers =
        harness
            .queues()
            .completeAll(List.of(told(harness, granted), granted, told(harness, granted)));

    assertThat(answers)
        .containsExactly(CompleteResult.COMPLETED, CompleteResult.GONE, CompleteResult.GONE);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_leasesHonoured_holdersOfBeforeGoOnByTheirTokens(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    Lease completed = claimNew(harness);
    final Lease failed = claimNew(harness);
    final Lease kept = claimNew(harness);

    harness.crash();

    assertThat(payload(told(harness, completed))).isEqualTo("payload");
    assertThat(told(harness, completed).worker()).isEqualTo("worker");
    assertThat(told(harness, completed).attempt()).isEqualTo(1);
    assertThat(told(harness, completed).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(told(harness, failed).fail("broken").isDone()).isTrue();
    assertThat(told(harness, kept).remaining()).isEqualTo(ofSeconds(30));
    assertThat(told(harness, kept).checkpoint(bytes("state")).isDone()).isTrue();
    advance(harness, LEASE_OVER);
    awaitJob(harness, kept.jobId(), JobState.READY, 1);
    assertThat(told(harness, kept).complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertClean(harness);
  }

  @Test
  void restart_leasesTakenBack_tokensOfBeforeAreStale() {
    EngineHarness harness = start(StoreKind.LMDB);
    Lease first = claimNew(harness);
    harness.storeLeases();
    harness.crash();
    assertThat(told(harness, first).complete()).isEqualTo(CompleteResult.STALE_LEASE);
    Lease second = claim(mail(harness));

    harness.restartCleanly();

    assertThat(told(harness, second).complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(claim(mail(harness)).attempt()).isEqualTo(2);
    assertClean(harness);
  }

  @Test
  void lease_badInput_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");

    assertThatThrownBy(() -> harness.queues().lease(id, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token");
    assertThatThrownBy(() -> harness.queues().lease(id, -7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-7");
    assertThatThrownBy(() -> harness.queues().lease(new JobId(-1, -1), 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ffffffffffffffffffffffffffffffff");
    assertThat(harness.queues().lease(id, 7).complete()).isEqualTo(CompleteResult.STALE_LEASE);
  }
}
