package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JavaProcessTest {

  @Test
  void catchesQuit_maskOfJava_isTrue() {
    assertThat(JavaProcess.catchesQuit(List.of("Name:\tjava", "SigCgt:\t2000000181005ccf")))
        .isTrue();
  }

  @Test
  void catchesQuit_highestBitSet_isStillReadUnsigned() {
    assertThat(JavaProcess.catchesQuit(List.of("SigCgt:\tffffffffffffffff"))).isTrue();
  }

  @Test
  void catchesQuit_maskWithoutTheSignalOrNoMask_isFalse() {
    assertThat(JavaProcess.catchesQuit(List.of("SigCgt:\t0000000000000000"))).isFalse();
    assertThat(JavaProcess.catchesQuit(List.of("SigIgn:\tffffffffffffffff"))).isFalse();
  }
}
