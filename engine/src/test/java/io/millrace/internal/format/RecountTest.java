package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecountTest {

  private static final int QUEUE = 7;

  private final Recount recount = new Recount();

  private void countOneOfEach() {
    recount.add(ReadyKeys.key(QUEUE, 0, 5));
    recount.add(ReadyKeys.key(QUEUE, 0, 3));
    recount.add(ReadyKeys.key(QUEUE, 9, 8));
    recount.addLeased();
    recount.add(DelayedKeys.key(QUEUE, 2_000, 11));
    recount.add(DelayedKeys.key(QUEUE, 1_000, 12));
    recount.add(BlockedKeys.key(QUEUE, new byte[1], 0, 13));
    recount.add(WaitingKeys.key(QUEUE, new byte[1], 14));
    recount.add(DeadKeys.key(QUEUE, 1, 15));
    recount.add(DoneKeys.key(QUEUE, 1, 16));
  }

  private List<String> differences(CountersRecord stored) {
    List<String> differences = new ArrayList<>();
    recount.compare(stored, differences::add);
    return differences;
  }

  @Test
  void counters_ofRowsOfEveryState_countEachAndNameTheHeads() {
    countOneOfEach();

    CountersRecord counters = recount.counters(CounterCodes.noTotals(), 500, 0);

    assertThat(counters.states()).hasSize(JobState.values().length);
    assertThat(recount.count(JobState.READY)).isEqualTo(3);
    assertThat(recount.count(JobState.DELAYED)).isEqualTo(2);
    assertThat(recount.count(JobState.LEASED)).isEqualTo(1);
    assertThat(recount.count(JobState.BLOCKED)).isEqualTo(1);
    assertThat(recount.count(JobState.WAITING)).isEqualTo(1);
    assertThat(recount.count(JobState.DEAD)).isEqualTo(1);
    assertThat(recount.count(JobState.DONE)).isEqualTo(1);
    assertThat(counters.ready())
        .containsExactly(
            new CountersRecord.ReadyRow(9, 1, 8), new CountersRecord.ReadyRow(0, 2, 3));
    assertThat(counters.nextDelayedAtMs()).isEqualTo(1_000);
    assertThat(counters.agendaAtMs()).isEqualTo(500);
    assertThat(recount.isEmpty()).isFalse();
    assertThat(differences(counters)).isEmpty();
  }

  @Test
  void compare_nothingCountedAndNothingStored_agree() {
    assertThat(recount.isEmpty()).isTrue();
    assertThat(differences(CountersRecord.empty())).isEmpty();
  }

  @Test
  void compare_headsAndTimesTooEarly_agree() {
    recount.add(ReadyKeys.key(QUEUE, 0, 5));
    recount.add(DelayedKeys.key(QUEUE, 2_000, 11));
    CountersRecord counters = recount.counters(CounterCodes.noTotals(), 500, 0);
    CountersRecord early =
        new CountersRecord(
            counters.states(),
            counters.totals(),
            new CountersRecord.ReadyRow[] {new CountersRecord.ReadyRow(0, 1, 2)},
            500,
            1_999,
            0,
            0);

    assertThat(differences(early)).isEmpty();
  }

  @Test
  void compare_headTooLateAndCountsWrong_areTold() {
    recount.add(ReadyKeys.key(QUEUE, 0, 5));
    CountersRecord stored =
        new CountersRecord(
            CounterCodes.noStates(),
            CounterCodes.noTotals(),
            new CountersRecord.ReadyRow[] {
              new CountersRecord.ReadyRow(0, 1, 6), new CountersRecord.ReadyRow(3, 2, 1)
            },
            500,
            900,
            0,
            0);

    assertThat(differences(stored))
        .containsExactly(
            "counters differ from a recount: what=READY, stored=0, counted=1",
            "a ready job is before the head of its priority: priority=0, head=6, lowest=5",
            "counters differ from a recount: what=ready of priority 3, stored=2, counted=0",
            "counters differ from a recount: what=nextDelayedAt, stored=900, counted="
                + CountersRecord.NONE);
  }

  @Test
  void add_keyOfNoJobsRecord_isRefused() {
    assertThatThrownBy(() -> recount.add(LeaseKeys.key(QUEUE, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a key of a job's record: key=06000000070000000000000001");
  }
}
