package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegisteredExtensionTest {

  private static final Instant BEFORE_A_LEAP_DAY_ENDS = Instant.parse("2024-02-29T23:00:00Z");

  @RegisterExtension
  static final MillraceExtension ENGINES =
      new MillraceExtension(() -> TestEngine.create(BEFORE_A_LEAP_DAY_ENDS));

  @Test
  void parameter_ofARegisteredExtension_isMadeByIt(TestEngine engine) {
    assertThat(engine.now()).isEqualTo(BEFORE_A_LEAP_DAY_ENDS);
  }
}
