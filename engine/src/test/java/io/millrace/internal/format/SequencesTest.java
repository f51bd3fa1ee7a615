package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequencesTest {

  @Test
  void first_ofEpoch_hasTheEpochAboveTheCounter() {
    assertThat(Sequences.first(0)).isZero();
    assertThat(Sequences.first(1)).isEqualTo(0x0000080000000000L);
    assertThat(Sequences.first(Sequences.EPOCH_MAX)).isEqualTo(0x7ffff80000000000L);
  }

  @Test
  void parts_ofAnySequence_areEpochAndCounter() {
    long sequence = Sequences.first(41) + 7;

    assertThat(Sequences.epoch(sequence)).isEqualTo(41);
    assertThat(Sequences.counter(sequence)).isEqualTo(7);
    assertThat(Sequences.epoch(Long.MAX_VALUE)).isEqualTo(Sequences.EPOCH_MAX);
    assertThat(Sequences.counter(Long.MAX_VALUE)).isEqualTo(Sequences.COUNTER_MAX);
  }

  @Test
  void first_ofTheNextEpoch_isAfterAllOfThisOne() {
    for (long epoch : new long[] {0, 1, 2, 1000, Sequences.EPOCH_MAX - 1}) {
      assertThat(Sequences.first(epoch + 1))
          .isEqualTo(Sequences.first(epoch) + Sequences.COUNTER_MAX + 1)
          .isPositive();
    }
  }

  @Test
  void first_ofEpochOutOfRange_isRefused() {
    assertThatThrownBy(() -> Sequences.first(1 << 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("epoch is out of range: value=1048576, least=0, most=1048575");
    assertThatThrownBy(() -> Sequences.first(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
