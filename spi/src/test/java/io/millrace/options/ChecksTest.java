package io.millrace.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values at their limits are taken, those beyond are refused by name, value and limit. */
class ChecksTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private static void assertRefused(ThrowingCallable check, String message) {
    assertThatIllegalArgumentException().isThrownBy(check).withMessage(message);
  }

  @Test
  void numbers_bothEnds_belongToTheRange() {
    assertThat(Checks.inRange("size", 1, 1, 3)).isEqualTo(1);
    assertThat(Checks.inRange("size", 3, 1, 3)).isEqualTo(3);

    assertRefused(
        () -> Checks.inRange("size", 0, 1, 3), "size is out of range: value=0, least=1, most=3");
    assertRefused(
        () -> Checks.inRange("size", 4, 1, 3), "size is out of range: value=4, least=1, most=3");
  }

  @Test
  void durations_bothEnds_belongToTheRange() {
    assertThat(Checks.upTo("delay", Duration.ZERO, SECOND)).isZero();
    assertThat(Checks.upTo("delay", SECOND, SECOND)).isEqualTo(SECOND);

    assertRefused(
        () -> Checks.upTo("delay", Duration.ofNanos(-1), SECOND),
        "delay is out of range: value=PT-0.000000001S, least=PT0S, most=PT1S");
    assertRefused(
        () -> Checks.inRange("lease", SECOND.plusNanos(1), SECOND, SECOND),
        "lease is out of range: value=PT1.000000001S, least=PT1S, most=PT1S");
  }

  @Test
  void instants_ofFourDigitYears_areTaken() {
    assertThat(Checks.instant("at", Instant.EPOCH)).isEqualTo(Instant.EPOCH);
    assertThat(Checks.instant("at", LAST)).isEqualTo(LAST);

    assertRefused(
        () -> Checks.instant("at", LAST.plusMillis(1)),
        "at is out of range: value=+10000-01-01T00:00:00Z, least=1970-01-01T00:00:00Z,"
            + " most=9999-12-31T23:59:59.999Z");
  }

  @Test
  void bytes_longerThanTheMost_areRefused() {
    byte[] three = new byte[3];
    assertThat(Checks.bytes("payload", three, 3)).isSameAs(three);

    assertRefused(
        () -> Checks.bytes("payload", three, 2),
        "payload length in bytes is out of range: value=3, least=0, most=2");
  }

  @Test
  void texts_ofAnyCharacters_countInUtf8() {
    assertThat(Checks.text("name", "a\u00e4\u20ac\ud83d\ude00", 10, 10)).hasSize(5);

    assertRefused(
        () -> Checks.text(2).checked("name", "\u20ac"),
        "name has a length out of range: value=\"\u20ac\", UTF-8 bytes=3, least=1, most=2");
    assertRefused(
        () -> Checks.text("name", "a\ud83d", 0, 9),
        "name is not well-formed: it has an unpaired surrogate at index 1");
  }

  @Test
  @SuppressWarnings("NullAway") // A caller's mistake.
  void nothing_whereAValueMustBe_isRefusedByItsName() {
    assertThatNullPointerException()
        .isThrownBy(() -> Checks.upTo("delay", null, SECOND))
        .withMessage("delay");
    assertThatNullPointerException()
        .isThrownBy(() -> Checks.bytes("payload", null, 1))
        .withMessage("payload");
  }
}
