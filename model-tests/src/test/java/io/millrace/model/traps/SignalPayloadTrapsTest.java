package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.InboxRecord;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Signals of many lengths that come early: none is mistaken for another, and none is left. */
@Tag("calls")
class SignalPayloadTrapsTest extends SignalTrapTest {

  private static final int INSIDE = InboxRecord.INSIDE_BYTES_MAX;

  /** From none at all to the longest, on both sides of what has a row of its own. */
  private static final List<Integer> LENGTHS =
      List.of(INSIDE + 1, 0, 1_000, INSIDE, Limits.SIGNAL_BYTES_MAX, INSIDE + 1);

  private static final int KEPT_COUNT = 40;

  private static String payload(int number) {
    int length = LENGTHS.get(number % LENGTHS.size());
    return String.valueOf((char) ('a' + number)).repeat(length);
  }

  private static void send(EngineHarness harness, JobId id, String name, int number) {
    assertThat(send(harness, id, name, payload(number))).isEqualTo(SignalResult.KEPT);
  }

  /** The job, which is ready, takes the oldest of the name, and is ready again. */
  private static void assertTakes(EngineHarness harness, String name, int number) {
    assertThat(claim(mail(harness)).waitFor(name)).isEqualTo(WaitResult.SIGNALLED);
    Lease lease = claim(mail(harness));
    assertThat(lease.wake()).isEqualTo(signalled(name, payload(number)));
    lease.release().orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void signals_ofManyLengths_areTakenInOrderOverCrashesAndLeaveNoRow(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "job");
    long rowsBefore = harness.store().rowCount();
    for (int i = 0; i < 12; i++) {
      send(harness, id, i % 3 == 1 ? "other" : "go", i);
    }
    harness.crash();

    assertTakes(harness, "other", 1);
    assertTakes(harness, "other", 4);
    assertTakes(harness, "go", 0);
    send(harness, id, "go", 12);
    send(harness, id, "go", 16);
    harness.crash();
    for (int number : new int[] {2, 3, 5, 6, 8, 9, 11, 12, 16}) {
      assertTakes(harness, "go", number);
    }
    assertClean(harness);
    assertTakes(harness, "other", 7);
    assertTakes(harness, "other", 10);

    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
    claim(mail(harness)).complete().orThrow();
    assertThat(harness.store().rowCount()).isLessThan(rowsBefore);
  }

  @ParameterizedTest
  @EachStoreKind
  void end_afterSomeWereTaken_leavesNoRowAlsoOverACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "job");
    for (int number : new int[] {0, 2, 4, 5}) {
      send(harness, id, number == 5 ? "last" : "go", number);
    }
    assertTakes(harness, "go", 0);
    assertTakes(harness, "go", 2);
    harness.crash();

    Lease lease = claim(mail(harness));
    send(harness, id, "go", 6);
    lease.complete().orThrow();

    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void redrive_deadLetterWithLongSignals_takesThemAndWhatCameMeanwhile() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "job");
    send(harness, id, "go", 2);
    claim(mail(harness)).fail("no", FailOptions.PERMANENT).orThrow();
    send(harness, id, "go", 4);
    harness.crash();

    mail(harness).deadLetters().redrive(id).orThrow();

    assertTakes(harness, "go", 2);
    assertTakes(harness, "go", 4);
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void transaction_sendsALongSignalAndWaitsForIt_isToldAndLeavesNoRow() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));

    WaitResult result =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.signal(id, "go", bytes(payload(2)));
                  return tx.waitFor(lease, "go", ofHours(1));
                })
            .orThrow()
            .get();

    assertThat(result).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("go", payload(2)));
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void transaction_sendsManyLongSignals_keepsAllInOrder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    send(harness, id, "go", 0);

    harness
        .queues()
        .transact(
            tx -> {
              tx.signal(id, "go", bytes(payload(2)));
              tx.signal(id, "go", bytes(payload(4)));
              return id;
            })
        .orThrow();

    for (int number : new int[] {0, 2, 4}) {
      assertTakes(harness, "go", number);
    }
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void signal_manyAreKept_writesNoMoreThanTheFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    byte[] longest = new byte[Limits.SIGNAL_BYTES_MAX];
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < KEPT_COUNT; i++) {
      long before = harness.store().bytesWritten();
      assertThat(harness.queues().signal(id, "go", longest)).isEqualTo(SignalResult.KEPT);
      written.add(harness.store().bytesWritten() - before);
    }

    assertThat(written.get(0)).isBetween(4_096L, 5_000L);
    // The names of all, and where their payloads are.
    assertThat(written.get(KEPT_COUNT - 1) - written.get(0)).isBetween(0L, 6L * KEPT_COUNT);
    long before = harness.store().bytesWritten();
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.Signalled("go", longest));
    assertThat(harness.store().bytesWritten() - before).isLessThan(11_000L);
  }
}
