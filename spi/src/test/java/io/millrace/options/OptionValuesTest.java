package io.millrace.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.options.Option.Check;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionValuesTest {

  private static final OptionTable TABLE = new OptionTable();
  private static final Option<Integer, Integer> SIZE = TABLE.add("size", 3, Check.between(1, 9));
  private static final Option<Duration, Optional<Duration>> WAIT =
      TABLE.optional("wait", Check.atLeast(Duration.ZERO));
  private static final Option<String, Optional<String>> NAME = TABLE.optional("name");

  private final OptionValues defaults = OptionValues.of(TABLE);

  @Test
  void of_table_tellsTheDefaultsInItsOrder() {
    assertThat(defaults.byName())
        .containsExactly(
            Map.entry("size", 3),
            Map.entry("wait", Optional.empty()),
            Map.entry("name", Optional.empty()));
  }

  @Test
  void with_value_setsThatOneAloneInOthers() {
    OptionValues changed = defaults.with(SIZE, 5).with(NAME, "mail");

    assertThat(changed.get(SIZE)).isEqualTo(5);
    assertThat(changed.get(NAME)).contains("mail");
    assertThat(changed.get(WAIT)).isEmpty();
    assertThat(defaults.get(SIZE)).isEqualTo(3);
    assertThat(changed.without(SIZE).without(NAME))
        .isEqualTo(defaults)
        .hasSameHashCodeAs(defaults)
        .isNotEqualTo(changed);
  }

  @Test
  void with_others_takesWhatIsAskedForAlone() {
    OptionValues others = defaults.with(SIZE, 5).with(NAME, "mail");

    OptionValues merged = defaults.with(SIZE, 4).with(others, option -> option == NAME);

    assertThat(merged.byName())
        .containsExactly(
            Map.entry("size", 4),
            Map.entry("wait", Optional.empty()),
            Map.entry("name", Optional.of("mail")));
  }

  @Test
  void with_wrongValue_isRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.with(SIZE, 10))
        .withMessage("size is out of range: value=10, least=1, most=9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.with(WAIT, Duration.ofSeconds(-1)))
        .withMessage("wait is too low: value=PT-1S, least=PT0S");
    assertThatNullPointerException().isThrownBy(() -> nothing(NAME)).withMessage("name");
  }

  @SuppressWarnings("NullAway") // A caller's mistake.
  private OptionValues nothing(Option<String, ?> option) {
    return defaults.with(option, null);
  }
}
