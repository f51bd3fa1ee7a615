package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequencesTest {

  private static final long LATER_EPOCH = 1 << 19;

  @Test
  void first_ofEpoch_hasTheEpochAboveTheCounter() {
    assertThat(Sequences.first(0)).isZero();
    assertThat(Sequences.first(1)).isEqualTo(0x0000080000000000L);
    assertThat(Sequences.first(LATER_EPOCH - 1)).isEqualTo(0x3ffff80000000000L);
    assertThat(Sequences.first(LATER_EPOCH)).isEqualTo(0x4000000000000000L);
    assertThat(Sequences.first(LATER_EPOCH + 1)).isEqualTo(0x4000001000000000L);
    assertThat(Sequences.first(Sequences.EPOCH_MAX)).isEqualTo(0x7ffffff000000000L);
  }

  @Test
  void parts_ofAnySequence_areEpochAndCounter() {
    for (long epoch : new long[] {0, 41, LATER_EPOCH - 1, LATER_EPOCH, 1 << 20, 60_000_000}) {
      long sequence = Sequences.first(epoch) + 7;
      assertThat(Sequences.epoch(sequence)).isEqualTo(epoch);
      assertThat(Sequences.counter(sequence)).isEqualTo(7);
      assertThat(Sequences.epoch(Sequences.last(epoch))).isEqualTo(epoch);
    }
    assertThat(Sequences.epoch(Long.MAX_VALUE)).isEqualTo(Sequences.EPOCH_MAX);
    assertThat(Sequences.last(Sequences.EPOCH_MAX)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void first_ofTheNextEpoch_isAfterAllOfThisOne() {
    for (long epoch :
        new long[] {0, 1, 2, 1000, LATER_EPOCH - 2, LATER_EPOCH - 1, LATER_EPOCH, 67_633_150}) {
      assertThat(Sequences.first(epoch + 1)).isEqualTo(Sequences.last(epoch) + 1).isPositive();
      assertThat(Sequences.last(epoch) - Sequences.first(epoch))
          .isEqualTo(epoch < LATER_EPOCH ? (1L << 43) - 1 : (1L << 36) - 1);
    }
  }

  @Test
  void first_ofEpochOutOfRange_isRefused() {
    assertThat(Sequences.EPOCH_MAX).isEqualTo(67_633_151);
    assertThatThrownBy(() -> Sequences.first(67_633_152))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("epoch is out of range: value=67633152, least=0, most=67633151");
    assertThatThrownBy(() -> Sequences.first(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
