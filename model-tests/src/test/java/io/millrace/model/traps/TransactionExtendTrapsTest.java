package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.StaleLease;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** A transaction that goes by a lease and does not end it. */
@Tag("calls")
class TransactionExtendTrapsTest extends TrapTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private static Table<String, Long> steps(EngineHarness harness) {
    return harness.queues().table("steps", Codec.TEXT, Codec.LONG);
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_withARow_bothHappen(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));
    advance(harness, Duration.ofSeconds(20));

    AfterCommit<ExtendResult.Extended> extended =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.put(steps(harness), "packed", 1L);
                  return tx.extend(lease, LEASE);
                })
            .orThrow();
    advance(harness, Duration.ofSeconds(20));

    assertThat(extended.get()).isEqualTo(new ExtendResult.Extended(LEASE));
    assertThat(steps(harness).get("packed")).contains(1L);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_leaseIsOver_nothingHappens(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));
    advance(harness, LEASE_OVER);

    TransactionResult<Boolean> result =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  tx.put(steps(harness), "packed", 1L);
                  tx.extend(lease, LEASE);
                });

    assertThat(result).isEqualTo(new StaleLease<Boolean>(id));
    assertThat(steps(harness).get("packed")).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_moreThanGrantedAndThenComplete_bothHappen(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    AfterCommit<ExtendResult.Extended> extended =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.extend(lease, LEASE);
                  AfterCommit<ExtendResult.Extended> longer =
                      tx.extend(lease, Duration.ofMinutes(5));
                  tx.enqueue(mail(harness).name(), "next".getBytes(UTF_8));
                  tx.complete(lease);
                  return longer;
                })
            .orThrow();

    assertThat(extended.get().remaining()).isEqualTo(Duration.ofMinutes(5));
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("next");
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    harness.crash();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("next");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_cancelIsRequestedBeforeIt_isToldSo(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    AfterCommit<ExtendResult.Extended> extended =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.cancel(id);
                  return tx.extend(lease, LEASE);
                })
            .orThrow();

    assertThat(extended.get()).isEqualTo(new ExtendResult.Extended(LEASE, true));
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_leaseThatIsEndedBeforeIt_isRefused(StoreKind kind) {
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
                          tx.extend(lease, LEASE);
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a lease of the job is ended in this transaction already, it may be ended once: job="
                + id);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_forTooLong_isRefused(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(
            () -> harness.queues().inTransaction(tx -> tx.extend(lease, Duration.ofDays(8))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("duration");
  }
}
