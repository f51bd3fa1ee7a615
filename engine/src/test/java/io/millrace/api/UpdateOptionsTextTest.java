package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of jobs that are said by texts. */
class UpdateOptionsTextTest {

  private static final UpdateOptions EVERYTHING =
      UpdateOptions.NOTHING
          .priority(-3)
          .weight(2)
          .maxAttempts(7)
          .backoff(Backoff.fixed(Duration.ofSeconds(5)))
          .leaseDuration(Duration.ofMinutes(2));

  @Test
  void texts_everyChangeThatHasOne_makeTheSameChanges() {
    Map<String, String> texts = EVERYTHING.texts();

    assertThat(texts)
        .containsExactly(
            Map.entry("priority", "-3"),
            Map.entry("weight", "2"),
            Map.entry("maxAttempts", "7"),
            Map.entry("backoff", Backoff.fixed(Duration.ofSeconds(5)).text()),
            Map.entry("leaseDuration", "PT2M"));
    assertThat(UpdateOptions.NOTHING.with(texts)).isEqualTo(EVERYTHING);
  }

  @Test
  void texts_payloadAndHeaders_haveNone() {
    UpdateOptions changes =
        UpdateOptions.NOTHING.payload("a".getBytes(UTF_8)).headers(Map.of("k", "v")).weight(2);

    assertThat(changes.texts()).containsExactly(Map.entry("weight", "2"));
    assertThat(UpdateOptions.NOTHING.texts()).isEmpty();
  }

  @Test
  void with_someTexts_leavesTheOtherChanges() {
    UpdateOptions changes = EVERYTHING.headers(Map.of("k", "v"));

    assertThat(changes.with(Map.of("weight", "9"))).isEqualTo(changes.weight(9));
    assertThat(changes.with(Map.of())).isEqualTo(changes);
    assertThat(UpdateOptions.NOTHING.changed(o -> o.with(Map.of("weight", "1", "priority", "2"))))
        .isEqualTo(UpdateOptions.NOTHING.weight(1).priority(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "payload | x | change is unknown: key=\"payload\", known=[priority, weight, maxAttempts,"
            + " backoff, leaseDuration]",
        "priority | high | change has a wrong value: key=\"priority\", value=\"high\","
            + " allowed=a number from -128 to 127; reason=For input string: \"high\"",
        "weight | 65536 | change has a wrong value: key=\"weight\", value=\"65536\","
            + " allowed=a number from 1 to 65535; reason=weight is out of range: value=65536,"
            + " least=1, most=65535",
        "leaseDuration | PT0S | change has a wrong value: key=\"leaseDuration\", value=\"PT0S\","
            + " allowed=a duration from PT0.1S to PT168H; reason=leaseDuration is out of range:"
            + " value=PT0S, least=PT0.1S, most=PT168H",
      })
  void with_wrongText_isRefusedWithWhatIsAllowed(String key, String text, String message) {
    assertThatThrownBy(() -> EVERYTHING.with(Map.of(key, text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void with_null_isRefusedByName() {
    Map<String, String> noText = new HashMap<>();
    noText.put("weight", null);

    assertThatThrownBy(() -> EVERYTHING.with(noText))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("weight");
  }
}
