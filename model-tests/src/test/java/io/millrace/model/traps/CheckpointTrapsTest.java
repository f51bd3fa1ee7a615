package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.RedriveResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a checkpoint kept is there for the next attempt, beside the payload, and goes with the job.
 */
class CheckpointTrapsTest extends TrapTest {

  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT
          .backoff(Backoff.fixed(ofSeconds(1)))
          .maxAttempts(3)
          .header("trace", "7f");
  private static final String PAYLOAD = "as it was asked for";

  /** Both sides of where a row begins to be stored apart, and far beyond. */
  private static final List<Integer> SIZES = List.of(0, 1, 1_024, 1_025, 1 << 20);

  private static final EnumSet<Keyspace> OF_NO_JOB =
      EnumSet.of(
          Keyspace.META,
          Keyspace.QUEUE,
          Keyspace.QUEUE_NAME,
          Keyspace.COUNTERS,
          Keyspace.AGENDA,
          Keyspace.TABLE);

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Ways in which an attempt ends so that another follows. */
  enum Onward {
    FAILED((harness, lease) -> lease.fail("broken").orThrow()),
    CLOSED((harness, lease) -> lease.close()),
    RELEASED((harness, lease) -> lease.release().orThrow()),
    SNOOZED((harness, lease) -> lease.snooze(ofSeconds(1)).orThrow()),
    EXPIRED((harness, lease) -> advance(harness, LEASE_OVER)),
    CRASHED((harness, lease) -> harness.crash()),
    STOPPED((harness, lease) -> harness.restartCleanly());

    final BiConsumer<EngineHarness, Lease> act;

    Onward(BiConsumer<EngineHarness, Lease> act) {
      this.act = act;
    }
  }

  static Stream<Arguments> storesAndOnward() {
    return Stream.of(StoreKind.values())
        .flatMap(kind -> Stream.of(Onward.values()).map(onward -> Arguments.of(kind, onward)));
  }

  @Test
  void checkpointAsync_stateIsKept_theLeaseKnowsItWhenTheFutureDoes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), PAYLOAD, OPTIONS);
    Lease lease = claim(mail(harness));
    byte[] state = bytes(3_000);

    CompletableFuture<Optional<byte[]>> known =
        lease.checkpointAsync(state).thenApply(kept -> lease.checkpointed());
    state[0]++;

    assertThat(known.join()).contains(bytes(3_000));
    lease.release().orThrow();
    assertThat(claim(mail(harness)).checkpointed()).contains(bytes(3_000));
  }

  @ParameterizedTest
  @MethodSource("storesAndOnward")
  void state_ofEverySize_isThereForTheNextAttempt(StoreKind kind, Onward onward) {
    EngineHarness harness = start(kind);
    for (int size : SIZES) {
      JobId id = enqueue(mail(harness), PAYLOAD, OPTIONS);
      Lease first = claim(mail(harness));
      assertThat(first.checkpointed()).isEmpty();
      assertThat(first.checkpoint(bytes(size)).isDone()).isTrue();
      assertThat(first.checkpointed().orElseThrow()).isEqualTo(bytes(size));

      onward.act.accept(harness, first);
      advance(harness, ofSeconds(2));

      Lease next = claim(mail(harness));
      assertThat(next.jobId()).isEqualTo(id);
      assertThat(next.checkpointed().orElseThrow()).isEqualTo(bytes(size));
      assertThat(payload(next)).isEqualTo(PAYLOAD);
      assertThat(next.headers()).isEqualTo(Map.of("trace", "7f"));
      assertThat(job(harness.queues(), id).checkpointed().orElseThrow()).isEqualTo(bytes(size));
      assertThat(job(harness.queues(), id).payload()).isEqualTo(PAYLOAD.getBytes(UTF_8));
      assertClean(harness);
      next.complete().orThrow();
    }
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void state_ofEverySizeAfterEveryOther_isTheNewestAndLeavesNoRowBehind(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int payloadSize : List.of(10, 3_000)) {
      mail(harness).enqueue(bytes(payloadSize), OPTIONS);
      for (int before : SIZES) {
        for (int after : SIZES) {
          Lease lease = claim(mail(harness));
          lease.checkpoint(bytes(before)).orThrow();
          lease.checkpoint(bytes(after)).orThrow();
          lease.release().orThrow();

          Job job = mail(harness).peek(JobState.READY, PageRequest.first(1)).items().get(0);
          assertThat(job.checkpointed().orElseThrow()).isEqualTo(bytes(after));
          assertThat(job.payload()).isEqualTo(bytes(payloadSize));
        }
      }
      assertClean(harness);
      claim(mail(harness)).complete().orThrow();
    }

    assertThat(jobRowCount(harness)).isZero();
    assertClean(harness);
  }

  /** Ways in which a job with a state ends for good. */
  enum End {
    COMPLETED((harness, lease) -> lease.complete().orThrow()),
    COMPLETED_WITH_RESULT((harness, lease) -> lease.complete(bytes(2_000)).orThrow()),
    CANCELLED_WHILE_LEASED(
        (harness, lease) -> {
          harness.queues().cancel(lease.jobId()).orThrow();
          lease.release().orThrow();
        }),
    CANCELLED_WHILE_DELAYED(
        (harness, lease) -> {
          lease.fail("broken").orThrow();
          assertThat(harness.queues().cancelIfWaiting(lease.jobId()))
              .isEqualTo(CancelResult.CANCELLED);
        }),
    DELETED_WHILE_DEAD(
        (harness, lease) -> {
          lease.fail("broken", FailOptions.PERMANENT).orThrow();
          assertThat(mail(harness).deadLetters().delete(lease.jobId())).isTrue();
        }),
    ALL_DEAD_DELETED(
        (harness, lease) -> {
          lease.fail("broken", FailOptions.PERMANENT).orThrow();
          assertThat(mail(harness).deadLetters().deleteAll(DeadFilter.ALL)).isEqualTo(1);
        }),
    PURGED(
        (harness, lease) -> {
          lease.release().orThrow();
          assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(1);
        }),
    DEAD_AND_RETENTION_OVER(
        (harness, lease) -> {
          lease.fail("broken", FailOptions.PERMANENT).orThrow();
          advance(harness, Duration.ofHours(1).plusMillis(1));
          await("it is swept", () -> harness.queues().get(lease.jobId()).isEmpty());
        }),
    REDRIVEN_CLEARED_AND_COMPLETED(
        (harness, lease) -> {
          lease.fail("broken", FailOptions.PERMANENT).orThrow();
          mail(harness).deadLetters().redrive(lease.jobId(), Checkpointed.CLEAR).orThrow();
          claim(mail(harness)).complete().orThrow();
        });

    final BiConsumer<EngineHarness, Lease> act;

    End(BiConsumer<EngineHarness, Lease> act) {
      this.act = act;
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void job_endsInAnyWay_noRowIsLeftBehind(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.deadRetention(Duration.ofHours(1)));

    for (int payloadSize : List.of(10, 3_000)) {
      for (int size : SIZES) {
        endOne(harness, end, payloadSize, size);
      }
    }
    assertThat(jobRowCount(harness)).isZero();
    assertThat(mail(harness).stats().orElseThrow().counts().values()).containsOnly(0L);
    assertClean(harness);
  }

  /** How many rows there are that belong to jobs. */
  private static long jobRowCount(EngineHarness harness) {
    pokeTwice(harness);
    try (ReadView view = harness.store().read()) {
      long count = 0;
      for (Keyspace keyspace : EnumSet.complementOf(OF_NO_JOB)) {
        count +=
            view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> true);
      }
      return count;
    }
  }

  private static void endOne(EngineHarness harness, End end, int payloadSize, int stateSize) {
    JobId id = mail(harness).enqueue(bytes(payloadSize), OPTIONS).jobId();
    Lease lease = claim(mail(harness));
    lease.checkpoint(bytes(stateSize)).orThrow();
    end.act.accept(harness, lease);
    pokeTwice(harness);
    assertThat(harness.queues().get(id)).isEmpty();
  }

  @Test
  void queue_deletedWithJobsThatHaveStates_noRowIsLeftBehind() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue doomed = harness.queues().queue("doomed");
    List<Lease> leases = new ArrayList<>();
    for (int size : SIZES) {
      enqueue(doomed, "doomed", OPTIONS);
      Lease lease = claim(doomed);
      lease.checkpoint(bytes(size)).orThrow();
      leases.add(lease);
    }
    leases.get(0).fail("broken").orThrow();
    leases.get(3).fail("broken", FailOptions.PERMANENT).orThrow();

    assertThat(doomed.delete()).isTrue();
    await("its rows are removed", () -> jobRowCount(harness) == 0);

    assertThat(leases.get(4).checkpoint(bytes(1))).isEqualTo(new ExtendResult.Gone());
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Checkpointed.class)
  void redrive_stateIsKeptOrCleared_asAsked(Checkpointed asked) {
    EngineHarness harness = start(StoreKind.LMDB);
    List<JobId> dead = new ArrayList<>();
    for (int size : SIZES) {
      dead.add(enqueue(mail(harness), PAYLOAD, OPTIONS));
      Lease lease = claim(mail(harness));
      lease.checkpoint(bytes(size)).orThrow();
      lease.fail("broken", FailOptions.PERMANENT).orThrow();
    }
    assertThat(mail(harness).deadLetters().get(dead.get(1)).flatMap(Job::checkpointed))
        .hasValueSatisfying(state -> assertThat(state).isEqualTo(bytes(1)));

    assertThat(mail(harness).deadLetters().redrive(dead.get(0), asked))
        .isEqualTo(new RedriveResult.Redriven());
    assertThat(mail(harness).deadLetters().redriveAll(DeadFilter.ALL, asked))
        .isEqualTo(SIZES.size() - 1);
    harness.crash();

    for (int i = 0; i < SIZES.size(); i++) {
      Lease lease = claim(mail(harness));
      assertThat(lease.jobId()).isEqualTo(dead.get(i));
      assertThat(lease.attempt()).isEqualTo(1);
      assertThat(payload(lease)).isEqualTo(PAYLOAD);
      Optional<byte[]> state = lease.checkpointed();
      if (asked == Checkpointed.KEEP) {
        assertThat(state.orElseThrow()).isEqualTo(bytes(SIZES.get(i)));
      } else {
        assertThat(state).isEmpty();
      }
    }
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void update_ofThePayload_keepsTheState(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), PAYLOAD, OPTIONS);
    for (int stateSize : SIZES) {
      for (int payloadSize : List.of(10, 3_000, 5)) {
        Lease lease = claim(mail(harness));
        lease.checkpoint(bytes(stateSize)).orThrow();
        lease.release().orThrow();

        UpdateResult result =
            harness.queues().update(id, UpdateOptions.NOTHING.payload(bytes(payloadSize)));

        assertThat(result).isEqualTo(UpdateResult.UPDATED);
        Job job = job(harness.queues(), id);
        assertThat(job.payload()).isEqualTo(bytes(payloadSize));
        assertThat(job.checkpointed().orElseThrow()).isEqualTo(bytes(stateSize));
      }
    }
    harness.crash();
    assertThat(claim(mail(harness)).checkpointed().orElseThrow()).isEqualTo(bytes(1 << 20));
    assertClean(harness);
  }

  @Test
  void checkpoint_lengthensTheLeaseByItsDuration() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    advance(harness, ofSeconds(20));

    ExtendResult result = lease.checkpoint(bytes(5));

    assertThat(result.orThrow().remaining()).isEqualTo(ofSeconds(30));
    advance(harness, ofSeconds(29));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void checkpoint_withAStaleToken_isRefusedAndChangesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), PAYLOAD, OPTIONS);
    Lease late = claim(mail(harness));
    late.checkpoint(bytes(1)).orThrow();
    advance(harness, LEASE_OVER);
    assertThat(late.checkpoint(bytes(2_000))).isEqualTo(new ExtendResult.StaleLease());
    Lease next = claim(mail(harness));

    assertThat(late.checkpoint(bytes(3_000))).isEqualTo(new ExtendResult.StaleLease());

    assertThat(next.checkpointed().orElseThrow()).isEqualTo(bytes(1));
    next.release().orThrow();
    assertThat(next.checkpoint(bytes(7))).isEqualTo(new ExtendResult.StaleLease());
    Lease last = claim(mail(harness));
    assertThat(last.checkpointed().orElseThrow()).isEqualTo(bytes(1));
    last.complete().orThrow();
    assertThat(last.checkpoint(bytes(7))).isEqualTo(new ExtendResult.Gone());
    assertClean(harness);
  }

  @Test
  void checkpoint_tooLargeOrNone_isRefusedWithTheLimit() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.checkpoint(new byte[Limits.CHECKPOINT_BYTES_MAX + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "state length in bytes is out of range: value=16777217, least=0, most=16777216");

    assertThat(lease.checkpointed()).isEmpty();
    assertThat(lease.checkpoint(new byte[Limits.CHECKPOINT_BYTES_MAX]).isDone()).isTrue();
    assertThat(lease.checkpointed().orElseThrow()).hasSize(Limits.CHECKPOINT_BYTES_MAX);
  }

  @Test
  void state_ofACompletedJob_isKeptWithItsResult() {
    EngineHarness harness = start(StoreKind.LMDB);
    JobId id = enqueue(mail(harness), PAYLOAD, OPTIONS.resultRetention(Duration.ofHours(1)));
    Lease lease = claim(mail(harness));
    lease.checkpoint(bytes(1_025)).orThrow();

    lease.complete(bytes(7)).orThrow();

    Job job = job(harness.queues(), id);
    assertThat(job.state()).isEqualTo(JobState.DONE);
    assertThat(job.checkpointed().orElseThrow()).isEqualTo(bytes(1_025));
    assertThat(job.result().orElseThrow()).isEqualTo(bytes(7));
    assertThat(job.payload()).isEqualTo(PAYLOAD.getBytes(UTF_8));
    advance(harness, Duration.ofHours(1).plusMillis(1));
    await("it is swept", () -> harness.queues().get(id).isEmpty());
    assertClean(harness);
  }

  @Test
  void state_synced_survivesPowerLoss() {
    EngineHarness harness = start(StoreKind.FAULTY);
    for (int size : SIZES) {
      enqueue(mail(harness), PAYLOAD, OPTIONS.maxAttempts(9));
      claim(mail(harness)).checkpoint(bytes(size)).orThrow();

      harness.losePower();

      Lease next = claim(mail(harness));
      assertThat(next.checkpointed().orElseThrow()).isEqualTo(bytes(size));
      next.complete().orThrow();
    }
    assertClean(harness);
  }
}
