package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JobKeysTest {

  @Test
  void sequence_ofKeysOfOneJob_isItsBirthOrItsEntry() {
    assertThat(JobKeys.sequence(LeaseKeys.key(7, 3))).isEqualTo(3);
    assertThat(JobKeys.sequence(MovedKeys.key(7, 4))).isEqualTo(4);
    assertThat(JobKeys.sequence(HistoryKeys.key(7, 5, 1))).isEqualTo(5);
    assertThat(JobKeys.sequence(ReadyKeys.key(7, 0, 6))).isEqualTo(6);
  }

  @Test
  void sequence_ofAKeyOfNoJob_isRefused() {
    assertThatThrownBy(() -> JobKeys.sequence(AgendaKeys.key(5, 7)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keys are not of one job: keyspace=AGENDA");
  }
}
