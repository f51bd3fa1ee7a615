package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MiddleTest {

  @Test
  void of_anOddCount_isTheMiddleOne() {
    Middle middle = Middle.of(List.of(9.0, 1.0, 4.0), value -> value);

    assertThat(middle.median()).isEqualTo(4.0);
    assertThat(middle.spread()).isEqualTo(2.0);
  }

  @Test
  void of_anEvenCount_isHalfway() {
    Middle middle = Middle.of(List.of(4.0, 1.0, 2.0, 9.0), value -> value);

    assertThat(middle.median()).isEqualTo(3.0);
  }
}
