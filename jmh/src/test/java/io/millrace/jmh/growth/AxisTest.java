package io.millrace.jmh.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jmh.growth.Axis.Ends;
import io.millrace.jmh.growth.Axis.Tick;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class AxisTest {

  private static final Ends ENDS = new Ends(100, 400);
  private static final Offset<Double> NEAR = Offset.offset(1e-6);

  @Test
  void place_ofAmountsADecadeApart_isAsFarApart() {
    Axis axis = Axis.ofAmounts(new double[] {1_000, 10, 100, 10_000}, Axis::shortly, ENDS);

    assertThat(axis.place(10)).isCloseTo(100, NEAR);
    assertThat(axis.place(100)).isCloseTo(200, NEAR);
    assertThat(axis.place(1_000)).isCloseTo(300, NEAR);
    assertThat(axis.place(10_000)).isCloseTo(400, NEAR);
    assertThat(axis.ticks()).extracting(Tick::label).containsExactly("10", "100", "1k", "10k");
  }

  @Test
  void place_ofAnOnlyAmount_isInTheMiddle() {
    Axis axis = Axis.ofAmounts(new double[] {7, 7}, Axis::shortly, ENDS);

    assertThat(axis.place(7)).isEqualTo(250);
  }

  @Test
  void place_ofValuesNearEachOther_isLinearFromZero() {
    Axis axis = Axis.ofValues(new double[] {50, 190, 30}, ENDS);

    assertThat(axis.place(0)).isEqualTo(100);
    assertThat(axis.place(100)).isCloseTo(250, NEAR);
    assertThat(axis.place(200)).isEqualTo(400);
    assertThat(axis.ticks())
        .extracting(Tick::label)
        .containsExactly("0", "50", "100", "150", "200");
    assertThat(axis.isLog()).isFalse();
  }

  @Test
  void place_ofValuesFarApart_isLogarithmicInDecades() {
    Axis axis = Axis.ofValues(new double[] {0, 0.5, 80}, ENDS);

    assertThat(axis.place(0.1)).isCloseTo(100, NEAR);
    assertThat(axis.place(1)).isCloseTo(200, NEAR);
    assertThat(axis.place(100)).isCloseTo(400, NEAR);
    assertThat(axis.ticks()).extracting(Tick::label).containsExactly("0.1", "1", "10", "100");
    assertThat(axis.has(0)).isFalse();
    assertThat(axis.has(0.5)).isTrue();
  }

  @Test
  void ofValues_allZero_hasTicks() {
    Axis axis = Axis.ofValues(new double[] {0}, ENDS);

    assertThat(axis.place(0)).isEqualTo(100);
    assertThat(axis.ticks()).hasSizeGreaterThan(1);
  }

  @Test
  void shortly_numbersOfAnySize_haveThreeDigits() {
    assertThat(Axis.shortly(0)).isEqualTo("0");
    assertThat(Axis.shortly(0.0123456)).isEqualTo("0.0123");
    assertThat(Axis.shortly(999.4)).isEqualTo("999");
    assertThat(Axis.shortly(999.9)).isEqualTo("1k");
    assertThat(Axis.shortly(30_000_000)).isEqualTo("30M");
    assertThat(Axis.shortly(1_234_567)).isEqualTo("1.23M");
  }

  @Test
  void bytes_powersOfTwo_areInPowersOfTwo() {
    assertThat(Axis.bytes(16)).isEqualTo("16");
    assertThat(Axis.bytes(4_096)).isEqualTo("4Ki");
    assertThat(Axis.bytes(1 << 20)).isEqualTo("1Mi");
    assertThat(Axis.bytes(1_000)).isEqualTo("1k");
  }
}
