package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTraitsTest {

  private static final List<StateTraits> ALL =
      Arrays.stream(JobState.values()).map(StateTraits::of).toList();

  @Test
  void of_eachState_isOfThatStateAndWhereItsRowsAre() {
    for (JobState state : JobState.values()) {
      Keyspace keyspace = Keyspace.of(state);

      assertThat(StateTraits.of(state).state()).isEqualTo(state);
      assertThat(StateTraits.in(keyspace)).isSameAs(StateTraits.of(state));
      assertThat(StateTraits.at(keyspace.start())).isSameAs(StateTraits.of(state));
      assertThat(StateTraits.find(keyspace.start())).isSameAs(StateTraits.of(state));
    }
  }

  @Test
  void in_keyspaceOfNoState_isRefused() {
    assertThat(StateTraits.find(Keyspace.TIMER.start())).isNull();
    assertThat(StateTraits.find(new byte[] {-1})).isNull();
    assertThatThrownBy(() -> StateTraits.in(Keyspace.TIMER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keyspace is of no state: keyspace=TIMER");
  }

  @Test
  void codesAndRanks_ofStatesThatCountOrHaveRecords_areDifferent() {
    assertThat(ALL).extracting(StateTraits::code).doesNotHaveDuplicates().doesNotContain(0);
    assertThat(Keyspace.ofJobs())
        .extracting(keyspace -> StateTraits.in(keyspace).nearnessToEnd())
        .doesNotHaveDuplicates();
  }

  @Test
  void birthplace_eachKeyspace_isSoForIdsToo() {
    List<Keyspace> named = new ArrayList<>();
    for (Keyspace keyspace : Keyspace.values()) {
      JobId id = new JobId(7L << 32 | (keyspace.code() & 0xffL) << 24, 9L << 16);
      JobAddress.of(id).ifPresent(address -> named.add(address.birthKind()));
    }

    assertThat(named)
        .containsExactlyInAnyOrder(Keyspace.READY, Keyspace.DELAYED, Keyspace.BLOCKED)
        .containsExactlyInAnyOrderElementsOf(StateTraits.keyspaces(StateTraits::isBirthplace));
  }

  @Test
  void timer_eachStateThatHasOne_isAJobs() {
    assertThat(ALL)
        .filteredOn(traits -> traits.timer() != null)
        .extracting(StateTraits::timer)
        .allMatch(TimerKeys.Kind::isOfJob)
        .containsOnlyOnceElementsOf(
            Arrays.stream(TimerKeys.Kind.values())
                .filter(kind -> kind.isOfJob() && kind != TimerKeys.Kind.TIME_TO_LIVE)
                .toList());
  }

  @Test
  void slots_keepersAreHoldersToo_andEndedJobsHaveNone() {
    assertThat(SlotKeys.OF_KEEPERS).containsExactly(Keyspace.DELAYED, Keyspace.WAITING);
    assertThat(SlotKeys.OF_HOLDERS)
        .containsExactly(Keyspace.READY, Keyspace.DELAYED, Keyspace.WAITING);
    assertThat(ALL)
        .filteredOn(StateTraits::isEnd)
        .extracting(StateTraits::slot)
        .containsOnly(StateTraits.Slot.NONE);
  }
}
