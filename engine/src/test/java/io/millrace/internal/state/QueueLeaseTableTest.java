package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import org.junit.jupiter.api.Test;

class QueueLeaseTableTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName OTHER = QueueName.of("other");

  /** Near the end of the clock, which may turn over. */
  private static final long NOW = Long.MAX_VALUE - 500;

  private final UndoLog undoLog = new UndoLog();
  private final QueueLeaseTable table = new QueueLeaseTable(undoLog);
  private long token = 1;

  private QueueLeaseEntry granted(QueueName queue) {
    QueueLeaseEntry lease = new QueueLeaseEntry(queue, token++, "w", 0, 1);
    table.grant(lease);
    return lease;
  }

  private QueueLeaseEntry started(QueueName queue, long deadlineNs) {
    QueueLeaseEntry lease = granted(queue);
    table.start(lease, deadlineNs);
    newBatch();
    return lease;
  }

  private void newBatch() {
    undoLog.clear();
    table.beginBatch();
  }

  @Test
  void isKeptFrom_leasedQueue_isForAllButItsHolder() {
    QueueLeaseEntry lease = started(MAIL, NOW);

    assertThat(table.isKeptFrom(MAIL, 0)).isTrue();
    assertThat(table.isKeptFrom(MAIL, lease.token() + 1)).isTrue();
    assertThat(table.isKeptFrom(MAIL, lease.token())).isFalse();
    assertThat(table.isKeptFrom(OTHER, 0)).isFalse();
    assertThat(table.isEmpty()).isFalse();
    assertThat(table.size()).isOne();
  }

  @Test
  void endedBy_clockTurnsOver_isInTheOrderOfTheEnds() {
    QueueLeaseEntry second = started(MAIL, later(1_000));
    QueueLeaseEntry first = started(OTHER, NOW);

    assertThat(table.first()).isSameAs(first);
    assertThat(table.endedBy(NOW - 1, 9)).isEmpty();
    assertThat(table.endedBy(NOW, 9)).containsExactly(first);
    assertThat(table.endedBy(later(1_000), 9)).containsExactly(first, second);
    assertThat(table.endedBy(later(1_000), 1)).containsExactly(first);
  }

  @Test
  void endedBy_nobodyWasToldOfIt_doesNotEnd() {
    granted(MAIL);

    assertThat(table.first()).isNull();
    assertThat(table.endedBy(NOW, 9)).isEmpty();
  }

  @Test
  void undo_grant_leavesNothing() {
    newBatch();
    QueueLeaseEntry lease = granted(MAIL);
    boolean wasChanged = table.isChanged();

    undoLog.undo();

    assertThat(wasChanged).isTrue();
    assertThat(lease.isEnded()).isTrue();
    assertThat(table.isEmpty()).isTrue();
    assertThat(table.find(MAIL)).isNull();
  }

  @Test
  void undo_extendAndEndAndGrantToAnother_isAsBefore() {
    QueueLeaseEntry lease = started(MAIL, NOW);

    table.extend(lease, later(5_000_000), 5);
    table.end(lease);
    QueueLeaseEntry next = granted(MAIL);
    assertThat(table.find(MAIL)).isSameAs(next);
    undoLog.undo();

    assertThat(table.find(MAIL)).isSameAs(lease);
    assertThat(table.find(MAIL, lease.token())).isSameAs(lease);
    assertThat(table.first()).isSameAs(lease);
    assertThat(lease.isEnded()).isFalse();
    assertThat(lease.deadlineNs()).isEqualTo(NOW);
    assertThat(lease.grantedMs()).isEqualTo(1);
    assertThat(next.isEnded()).isTrue();
    assertThat(table.size()).isOne();
  }

  @Test
  void start_leaseThatHasEnded_isNotInTheOrder() {
    QueueLeaseEntry lease = granted(MAIL);
    table.end(lease);

    table.start(lease, NOW);

    assertThat(table.first()).isNull();
    assertThat(table.isEmpty()).isTrue();
  }

  @Test
  void wereAway_gapsAreLongerThanTheLease_itGetsTwiceItsLengthAndTheLongestGapAtMost() {
    QueueLeaseEntry lease = started(MAIL, 1_000);

    table.wereAway(600, 0);
    assertThat(lease.deadlineNs()).isEqualTo(1_000);
    table.wereAway(600, 0);
    table.wereAway(600, 0);

    // Of 1,800 it got 1,000, which it had left, and 600, which was the longest gap.
    assertThat(lease.deadlineNs()).isEqualTo(800);
    assertThat(table.first()).isSameAs(lease);
  }

  @Test
  void honour_afterAnOutage_givesTheFullTimeAndForgetsWhatNobodyWasToldOf() {
    QueueLeaseEntry told = started(MAIL, NOW);
    QueueLeaseEntry untold = granted(OTHER);
    table.extend(told, later(7), 7);

    table.honour(NOW, 2);

    assertThat(told.deadlineNs()).isEqualTo(later(9_000_000));
    assertThat(untold.isEnded()).isTrue();
    assertThat(table.all()).containsExactly(told);
    table.clear();
    assertThat(table.isEmpty()).isTrue();
    assertThat(told.isEnded()).isTrue();
  }

  /** Answers an instant beyond the turn of the sign, if it is late enough. */
  private static long later(long ns) {
    return NOW + ns;
  }
}
