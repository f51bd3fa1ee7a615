package io.millrace.console.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AmountsTest {

  @Test
  void bytes_acrossUnits_areShownInSteps() {
    assertThat(Amounts.bytes(0)).isEqualTo("0 B");
    assertThat(Amounts.bytes(999)).isEqualTo("999 B");
    assertThat(Amounts.bytes(1_000)).isEqualTo("1.0 kB");
    assertThat(Amounts.bytes(999_949)).isEqualTo("999.9 kB");
    assertThat(Amounts.bytes(999_950)).isEqualTo("1.0 MB");
    assertThat(Amounts.bytes(Long.MAX_VALUE)).isEqualTo("9.2 EB");
  }

  @Test
  void duration_acrossUnits_showsTwoAtMost() {
    assertThat(Amounts.duration(Duration.ofMillis(420))).isEqualTo("0.42 s");
    assertThat(Amounts.duration(Duration.ZERO)).isEqualTo("0 s");
    assertThat(Amounts.duration(Duration.ofSeconds(1))).isEqualTo("1 s");
    assertThat(Amounts.duration(Duration.ofMinutes(10))).isEqualTo("10 min");
    assertThat(Amounts.duration(Duration.ofSeconds(12))).isEqualTo("12 s");
    assertThat(Amounts.duration(Duration.ofSeconds(185))).isEqualTo("3 min 5 s");
    assertThat(Amounts.duration(Duration.ofMinutes(130))).isEqualTo("2 h 10 min");
    assertThat(Amounts.duration(Duration.ofHours(103))).isEqualTo("4 d 7 h");
    assertThat(Amounts.duration(Duration.ofSeconds(-12))).isEqualTo("-12 s");
  }

  @Test
  void count_withNoun_takesAnSUnlessItIsOne() {
    assertThat(Amounts.count(0, "job")).isEqualTo("0 jobs");
    assertThat(Amounts.count(1, "job")).isEqualTo("1 job");
    assertThat(Amounts.count(1_234, "job")).isEqualTo("1,234 jobs");
  }
}
