package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {

  @Test
  void begin_ofOneWithoutEnd_keepsNoThread() {
    Patience.ENDLESS.begin();

    assertThat(Patience.ENDLESS.count()).isZero();
  }
}
