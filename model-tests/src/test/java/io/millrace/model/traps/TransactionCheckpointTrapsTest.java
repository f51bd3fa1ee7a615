package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.StaleLease;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** A transaction that keeps a job's state, with what the state tells of. */
@Tag("calls")
class TransactionCheckpointTrapsTest extends TrapTest {

  /** In the job's record. */
  private static final byte[] SHORT = "packed".getBytes(UTF_8);

  /** In a row of its own. */
  private static final byte[] LONG = "packed".repeat(2_000).getBytes(UTF_8);

  private static Table<String, Long> steps(EngineHarness harness) {
    return harness.queues().table("steps", Codec.TEXT, Codec.LONG);
  }

  private static String text(Optional<byte[]> state) {
    return state.map(bytes -> new String(bytes, UTF_8)).orElse("");
  }

  private static void commit(EngineHarness harness, Consumer<Transaction> work) {
    assertThat(harness.queues().inTransaction(work).orThrow()).isTrue();
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_withARow_bothHappen(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));
    byte[] state = SHORT.clone();

    AfterCommit<ExtendResult.Extended> kept =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.put(steps(harness), "packed", 1L);
                  AfterCommit<ExtendResult.Extended> answer = tx.checkpoint(lease, state);
                  state[0] = 0;
                  return answer;
                })
            .orThrow();

    assertThat(kept.get().cancelRequested()).isFalse();
    assertThat(text(lease.checkpointed())).isEqualTo("packed");
    harness.crash();
    assertThat(steps(harness).get("packed")).contains(1L);
    Lease next = claim(mail(harness));
    assertThat(text(next.checkpointed())).isEqualTo("packed");
    assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_leaseIsOver_nothingHappens(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "pack");
    Lease late = claim(mail(harness));
    advance(harness, LEASE_OVER);

    TransactionResult<Boolean> result =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  tx.put(steps(harness), "packed", 1L);
                  tx.checkpoint(late, LONG);
                });

    assertThat(result).isEqualTo(new StaleLease<Boolean>(id));
    assertThat(steps(harness).get("packed")).isEmpty();
    assertThat(late.checkpointed()).isEmpty();
    assertThat(claim(mail(harness)).checkpointed()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_functionThrows_nothingIsKept(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          tx.checkpoint(lease, SHORT);
                          throw new IllegalStateException("no tape");
                        }))
        .hasMessage("no tape");

    assertThat(lease.checkpointed()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andSnooze_theNextAttemptHasTheState(StoreKind kind) {
    nextAttempt_hasTheState(
        kind,
        (tx, lease) -> tx.snooze(lease, Duration.ofMinutes(1)),
        (harness, id) -> advance(harness, Duration.ofMinutes(1)),
        new Wake.Slept());
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andWait_theNextAttemptHasTheState(StoreKind kind) {
    nextAttempt_hasTheState(
        kind,
        (tx, lease) -> tx.waitFor(lease, "paid", Duration.ofDays(1)),
        (harness, id) -> harness.queues().signal(id, "paid", SHORT).orThrow(),
        new Wake.Signalled("paid", SHORT));
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andWaitForWhatHasCome_theNextAttemptHasTheState(StoreKind kind) {
    nextAttempt_hasTheState(
        kind,
        (tx, lease) -> {
          tx.signal(lease.jobId(), "paid", SHORT);
          tx.waitFor(lease, "paid", Duration.ofDays(1));
        },
        (harness, id) -> {},
        new Wake.Signalled("paid", SHORT));
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andFail_theNextAttemptHasTheState(StoreKind kind) {
    nextAttempt_hasTheState(
        kind,
        (tx, lease) -> tx.fail(lease, "no tape"),
        (harness, id) -> advance(harness, Duration.ofHours(1)),
        new Wake.Retry(Optional.empty()));
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andRelease_theNextAttemptHasTheState(StoreKind kind) {
    nextAttempt_hasTheState(
        kind, (tx, lease) -> tx.release(lease), (harness, id) -> {}, new Wake.First());
  }

  /** What ends a lease. */
  private interface End {
    void of(Transaction tx, Lease lease);
  }

  /** What makes the job go on. */
  private interface Between {
    void act(EngineHarness harness, JobId job);
  }

  private void nextAttempt_hasTheState(StoreKind kind, End end, Between between, Wake wake) {
    EngineHarness harness = start(kind);
    for (byte[] state : new byte[][] {SHORT, LONG, SHORT}) {
      JobId id = enqueue(mail(harness), "pack");
      Lease lease = claim(mail(harness));
      assertThat(lease.checkpoint(LONG).isDone()).isTrue();

      commit(
          harness,
          tx -> {
            tx.checkpoint(lease, "on the way".getBytes(UTF_8));
            tx.checkpoint(lease, state);
            end.of(tx, lease);
          });
      harness.crash();
      between.act(harness, id);

      Lease next = claim(mail(harness));
      assertThat(next.jobId()).isEqualTo(id);
      assertThat(next.wake()).isEqualTo(wake);
      assertThat(next.checkpointed()).hasValue(state);
      assertThat(harness.queues().verify().problems()).isEmpty();
      assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andComplete_leavesNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));
    assertThat(lease.checkpoint(LONG).isDone()).isTrue();

    commit(
        harness,
        tx -> {
          tx.checkpoint(lease, LONG);
          tx.complete(lease);
        });

    harness.crash();
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(mail(harness).claim("w1", Duration.ofSeconds(30))).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_andSnoozeOfAJobThatIsToGo_leavesNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    commit(
        harness,
        tx -> {
          tx.cancel(id);
          tx.checkpoint(lease, LONG);
          tx.snooze(lease, Duration.ofMinutes(1));
        });

    harness.crash();
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_leaseThatIsEndedBeforeIt_isRefused(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          tx.complete(lease);
                          tx.checkpoint(lease, SHORT);
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a lease of the job is ended in this transaction already, it may be ended once: job="
                + id);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }
}
