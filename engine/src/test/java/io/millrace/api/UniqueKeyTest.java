package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.UniqueKey.OnConflict;
import io.millrace.api.UniqueKey.Scope;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UniqueKeyTest {

  @Test
  void of_plainKey_isHeldUntilItsJobHasEndedAndKeepsWhatIsThere() {
    assertThat(UniqueKey.of("a"))
        .isEqualTo(
            new UniqueKey("a", Scope.UNTIL_FINISHED, Duration.ZERO, OnConflict.KEEP_EXISTING));
  }

  @Test
  void changes_inAnyOrder_keepTheOthers() {
    UniqueKey expected = new UniqueKey("a", Scope.FOR, Duration.ofSeconds(3), OnConflict.REPLACE);

    assertThat(UniqueKey.of("a").within(Duration.ofSeconds(3)).replace()).isEqualTo(expected);
    assertThat(UniqueKey.of("a").replace().within(Duration.ofSeconds(3))).isEqualTo(expected);
    assertThat(UniqueKey.of("a").replace().untilStarted())
        .isEqualTo(new UniqueKey("a", Scope.UNTIL_STARTED, Duration.ZERO, OnConflict.REPLACE));
  }

  @Test
  void key_emptyTooLongOrIllFormed_isRefusedWithItsLimit() {
    assertThatThrownBy(() -> UniqueKey.of(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unique key has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=255");
    assertThatThrownBy(() -> UniqueKey.of("ÿ".repeat(128)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8 bytes=256, least=1, most=255");
    assertThatThrownBy(() -> UniqueKey.of("\uD83D"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unique key is not well-formed");
    assertThat(UniqueKey.of("\u0000" + "ÿ".repeat(127)).key()).hasSize(128);
  }

  @Test
  void window_outOfRange_isRefusedWithItsLimit() {
    UniqueKey key = UniqueKey.of("a");

    assertThatThrownBy(() -> key.within(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "window of the unique key is out of range: value=PT0S, least=PT0.001S, most=PT87600H");
    assertThatThrownBy(() -> key.within(Duration.ofDays(3_651)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("value=PT87624H");
    assertThatThrownBy(
            () ->
                new UniqueKey("a", Scope.UNTIL_STARTED, Duration.ofSeconds(1), OnConflict.REPLACE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "window of the unique key is for the scope FOR only: value=PT1S, scope=UNTIL_STARTED;"
                + " leave it zero, or use within");
  }

  @Test
  void parts_null_areRefusedByName() {
    assertThatThrownBy(() -> UniqueKey.of(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("unique key");
    assertThatThrownBy(() -> UniqueKey.of("a").within(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("window");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.unique((UniqueKey) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("unique");
  }
}
