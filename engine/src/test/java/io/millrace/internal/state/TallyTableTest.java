package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TallyTableTest {

  private final TallyTable table = new TallyTable(2);

  private static TallyRecord tally() {
    return new TallyRecord(
        "t",
        0,
        TallyRecord.noCounts(),
        List.of(),
        List.of(),
        0,
        0,
        0,
        0,
        0,
        TallyRecord.Count.LEFT);
  }

  /** Stores what the batch has changed. */
  private void commit() {
    table.takeTouched();
    table.takeChanged().forEach(TallyEntry::markUnchanged);
    table.commitBatch();
  }

  @Test
  void add_beforeTheRowIsRead_isAddedToWhatTheRowSays() {
    table.add(1, Count.LEFT, 2);
    table.addQueue(1, 7);
    assertThat(table.find(1)).isNull();

    TallyEntry entry = table.of(1);
    entry.set(tally().plus(new long[] {3, 0, 0, 0, 0, 0, 0, 0}, List.of(5)));

    assertThat(entry.count(Count.LEFT)).isEqualTo(5);
    TallyRecord record = Objects.requireNonNull(entry.record());
    assertThat(record.count(Count.LEFT)).isEqualTo(5);
    assertThat(record.queues()).containsExactly(5, 7);
    assertThat(entry.record()).isSameAs(record);
  }

  @Test
  void changed_twice_isListedOnceUntilItIsTaken() {
    table.begin(1, tally());
    table.add(1, Count.LEFT, 1);
    table.add(2, Count.LEFT, 1);

    assertThat(table.changedCount()).isEqualTo(2);
    assertThat(table.takeTouched()).extracting(TallyEntry::number).containsExactly(1L, 2L);
    assertThat(table.hasTouched()).isFalse();
    table.add(1, Count.LEFT, -1);
    assertThat(table.takeTouched()).extracting(TallyEntry::number).containsExactly(1L);
    assertThat(table.takeChanged()).extracting(TallyEntry::number).containsExactly(1L, 2L);
    assertThat(table.changedCount()).isZero();
  }

  @Test
  void commitBatch_moreThanAreKept_forgetsThoseThatWereNotUsedForLongest() {
    for (long number = 1; number <= 3; number++) {
      table.begin(number, tally());
    }
    assertThat(table.find(1)).isNotNull();

    commit();

    assertThat(table.find(2)).isNull();
    assertThat(table.find(1)).isNotNull();
    assertThat(table.find(3)).isNotNull();
  }

  @Test
  void forget_batchThatNeverHappened_leavesNothing() {
    table.begin(1, tally());
    table.nextDue(QueueState.NEVER);

    table.forget();

    assertThat(table.find(1)).isNull();
    assertThat(table.hasTouched()).isFalse();
    assertThat(table.changedCount()).isZero();
    assertThat(table.dueMs()).isZero();
  }

  @Test
  void dueMs_isTheEarliestThatWasNoted() {
    table.nextDue(QueueState.NEVER);
    table.noteDue(9);
    table.noteDue(5);
    table.noteDue(7);

    assertThat(table.dueMs()).isEqualTo(5);
  }
}
