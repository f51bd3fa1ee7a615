package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void percentAndRatio_ofWhatDidNothing_sayThatItIsMuch() {
    assertThat(Figures.percent(0.123)).isEqualTo("12 %");
    assertThat(Figures.percent(9.99)).isEqualTo("999 %");
    assertThat(Figures.percent(1e12)).isEqualTo("> 999 %");
    assertThat(Figures.ratio(0.339)).isEqualTo("0.34");
    assertThat(Figures.ratio(1e12)).isEqualTo("> 999");
    assertThat(Figures.ratio(Double.NaN)).isEqualTo("> 999");
  }
}
