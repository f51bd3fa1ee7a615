package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.fixture.CommandRun;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For a user whose locale has other digits. */
class OtherDigitsTest {

  private final Locale before = Locale.getDefault(Locale.Category.FORMAT);

  @BeforeEach
  void settle() {
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat("%d".formatted(7)).isNotEqualTo("7");
  }

  @AfterEach
  void comeBack() {
    Locale.setDefault(Locale.Category.FORMAT, before);
  }

  @Test
  void number_inAMessage_canBeTypedIn() {
    CommandRun run = CommandRun.of("demo", "--workers", "0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).containsPattern("--workers is from 1 to [0-9]+: 0");
  }
}
