package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeaseTableTest {

  private final UndoLog undoLog = new UndoLog();
  private final LeaseTable leases = new LeaseTable(undoLog, 8_192);

  private static LeaseEntry lease(long birth, long token) {
    JobRecord job =
        JobRecord.builder().birth(birth).birthKind(Keyspace.READY).enqueuedAtMs(1).build();
    return new LeaseEntry(1, job, birth, new LeaseEntry.Terms(token, "worker", 1, 1, 30_000));
  }

  private void undoBatch() {
    undoLog.undo();
    leases.undoBatch();
  }

  private List<Long> endedBy(long leaseNs, int countMax) {
    return leases.endedBy(leaseNs, countMax).stream().map(LeaseEntry::token).toList();
  }

  @Test
  void undoBatch_grantThatNobodyWasToldOf_isGone() {
    leases.beginBatch();
    leases.grant(lease(1, 10));

    undoBatch();

    assertThat(leases.size()).isZero();
    assertThat(leases.rowless().hasUncounted()).isFalse();
  }

  @Test
  void undoBatch_grantThatWasAnswered_staysAndIsWrittenWithTheNextBatch() {
    LeaseEntry lease = lease(1, 10);
    leases.beginBatch();
    leases.grant(lease);
    leases.start(lease, 500);

    undoBatch();

    assertThat(leases.get(1)).isSameAs(lease);
    assertThat(leases.first()).isSameAs(lease);
    leases.beginBatch();
    assertThat(leases.rowless().takeUncounted()).containsExactly(lease);
    assertThat(leases.rowless().earlier()).containsExactly(lease);
    leases.noteRow(lease);
    leases.commitBatch(0);
    assertThat(leases.rowless().takeUncounted()).isEmpty();
    assertThat(lease.state()).isEqualTo(LeaseEntry.State.STORED);
  }

  @Test
  void undoBatch_endOfWrittenLease_isBackWithItsDeadline() {
    LeaseEntry lease = lease(1, 10);
    leases.restore(lease, 500);
    leases.beginBatch();
    leases.end(lease);

    undoBatch();

    assertThat(leases.get(1)).isSameAs(lease);
    assertThat(leases.rowless().hasUncounted()).isFalse();
    assertThat(endedBy(500, 10)).containsExactly(10L);
  }

  @Test
  void undoBatch_grantEndedInTheSameBatchAndToldAfterwards_isToBeWrittenOnce() {
    LeaseEntry lease = lease(1, 10);
    leases.beginBatch();
    leases.grant(lease);
    leases.end(lease);
    leases.start(lease, 500);

    undoBatch();

    assertThat(leases.get(1)).isSameAs(lease);
    assertThat(leases.rowless().takeUncounted()).containsExactly(lease);
    assertThat(endedBy(500, 10)).containsExactly(10L);
  }

  @Test
  void undoBatch_endOfUncountedLease_isBackAndStillToBeCountedOnce() {
    LeaseEntry lease = lease(1, 10);
    leases.beginBatch();
    leases.grant(lease);
    leases.start(lease, 500);
    undoBatch();
    leases.beginBatch();
    leases.rowless().takeUncounted();
    leases.end(lease);

    undoBatch();

    assertThat(leases.get(1)).isSameAs(lease);
    assertThat(leases.rowless().takeUncounted()).containsExactly(lease);
  }

  @Test
  void undoBatch_jobEndedAndClaimedAgain_onlyTheFirstLeaseIsBack() {
    LeaseEntry first = lease(1, 10);
    LeaseEntry second = lease(1, 11);
    leases.restore(first, 500);
    leases.beginBatch();
    leases.end(first);
    leases.grant(second);

    undoBatch();

    assertThat(leases.get(1)).isSameAs(first);
    assertThat(leases.size()).isEqualTo(1);
  }

  @Test
  void endedBy_deadlinesAcrossTheClocksTurn_areInOrderAndBounded() {
    for (int i = 0; i < 6; i++) {
      LeaseEntry lease = lease(i, 10 + i);
      leases.restore(lease, Long.MAX_VALUE - 2 + i);
    }

    assertThat(endedBy(Long.MAX_VALUE, 10)).containsExactly(10L, 11L, 12L);
    assertThat(endedBy(Long.MIN_VALUE + 1, 10)).containsExactly(10L, 11L, 12L, 13L, 14L);
    assertThat(endedBy(Long.MIN_VALUE + 1, 2)).containsExactly(10L, 11L);
  }

  @Test
  void extend_movesTheEnd() {
    LeaseEntry early = lease(1, 10);
    LeaseEntry late = lease(2, 11);
    leases.restore(early, 100);
    leases.restore(late, 200);

    leases.extend(early, 300);

    assertThat(leases.first()).isSameAs(late);
    assertThat(endedBy(299, 10)).containsExactly(11L);
  }

  @Test
  void restore_overALeaseOfMemory_replacesIt() {
    LeaseEntry old = lease(1, 10);
    LeaseEntry stored = lease(1, 12);
    leases.restore(old, 100);

    leases.restore(stored, 200);

    assertThat(leases.size()).isEqualTo(1);
    assertThat(endedBy(1_000, 10)).containsExactly(12L);
  }

  /** A disk of which every flush takes longer than what counts as an absence. */
  @Test
  void wereAway_againAndAgain_leaseEndsAllTheSame() {
    LeaseEntry lease = running(1_000);

    for (int i = 0; i < 7; i++) {
      leases.wereAway(300, 0);
      assertThat(lease.deadlineNs()).isPositive();
    }
    leases.wereAway(300, 0);

    assertThat(lease.deadlineNs()).isNotPositive();
    assertThat(endedBy(0, 10)).containsExactly(lease.token());
  }

  @Test
  void wereAway_onceForLong_leaseLosesNothing() {
    LeaseEntry lease = running(1_000);

    leases.wereAway(1_000_000, 400);

    assertThat(lease.deadlineNs()).isEqualTo(1_000);
  }

  @Test
  void wereAway_beforeTheLeaseBegan_isNotHeldAgainstIt() {
    LeaseEntry before = running(1_000);
    leases.wereAway(5_000, 100);
    LeaseEntry later = lease(2, 20);
    leases.grant(later);
    leases.start(later, 1_100);

    leases.wereAway(5_000, 100);

    assertThat(later.deadlineNs()).isEqualTo(1_100);
    assertThat(before.deadlineNs()).isLessThan(1_000);
  }

  @Test
  void wereAway_anyGapsAndPauses_leaseLastsAtMostTwiceItsLengthAndTheLongestGap() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LeaseTable table = new LeaseTable(new UndoLog(), 8_192);
      LeaseEntry lease = lease(1, 10);
      long lengthNs = random.nextLong(1, 20_000);
      table.grant(lease);
      table.start(lease, lengthNs);
      long leaseNs = 0;
      long lastedNs = 0;
      long longestNs = 0;
      while (lease.deadlineNs() - leaseNs > 0) {
        long ranNs = Math.min(random.nextLong(300), lease.deadlineNs() - leaseNs);
        long gapNs = random.nextInt(10) == 0 ? random.nextLong(20_000) : random.nextLong(1, 400);
        leaseNs += ranNs;
        lastedNs += ranNs + gapNs;
        longestNs = Math.max(longestNs, gapNs);
        table.wereAway(gapNs, leaseNs);
      }
      long overNs = leaseNs - lease.deadlineNs();
      assertThat(lastedNs - overNs)
          .as("seed %d, length %d", seed, lengthNs)
          .isLessThanOrEqualTo(2 * lengthNs + longestNs);
    }
  }

  private LeaseEntry running(long deadlineNs) {
    LeaseEntry lease = lease(1, 10);
    leases.grant(lease);
    leases.start(lease, deadlineNs);
    return lease;
  }
}
