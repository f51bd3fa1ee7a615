package io.millrace.api;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueSettingsTextTest {

  @Test
  void texts_ofTheDefault_tellAllInTheOrderOfTheKeys() {
    assertThat(QueueSettings.DEFAULT.texts())
        .containsExactly(
            entry("leaseDuration", "PT30S"),
            entry("depthMax", "none"),
            entry("expiry", "READY_AT_ONCE"),
            entry("maxAttempts", "20"),
            entry("backoff", "exponential initial=PT1S multiplier=2.0 max=PT1H jitter=0.2"),
            entry("resultRetention", "none"),
            entry("deadRetention", "none"),
            entry("perKey", "1"),
            entry("keyOrder", "PASSING"),
            entry("rateLimit", "none"),
            entry("rateLimitPerKey", "none"),
            entry("share", "1"));
  }

  @Test
  void with_everyKey_isWhatTheMethodsSay() {
    QueueSettings settings =
        QueueSettings.DEFAULT.with(
            Map.of(
                "leaseDuration", "PT5M",
                "depthMax", "1000",
                "expiry", "BACKOFF",
                "maxAttempts", "3",
                "backoff", "fixed delay=PT5S",
                "resultRetention", "PT1M",
                "deadRetention", "PT0.5S",
                "keyOrder", "STRICT"));

    assertThat(settings)
        .isEqualTo(
            QueueSettings.DEFAULT
                .leaseDuration(ofMinutes(5))
                .depthMax(1_000)
                .expiry(QueueSettings.Expiry.BACKOFF)
                .retry(3, Backoff.fixed(ofSeconds(5)))
                .resultRetention(ofMinutes(1))
                .deadRetention(ofMillis(500))
                .keyOrder(QueueSettings.KeyOrder.STRICT));
    assertThat(settings.isSet("maxAttempts")).isTrue();
  }

  @Test
  void with_itsOwnTexts_changesNoValue() {
    for (Backoff backoff :
        List.of(
            Backoff.DEFAULT,
            Backoff.fixed(ofSeconds(5)),
            new Backoff.Linear(ofSeconds(1), ofSeconds(2), ofMinutes(1), 0.5),
            Backoff.list(ofSeconds(1), ofMillis(1_500)))) {
      QueueSettings settings = QueueSettings.DEFAULT.retry(7, backoff).depthMax(4);

      assertThat(QueueSettings.DEFAULT.with(settings.texts()).texts()).isEqualTo(settings.texts());
      assertThat(QueueSettings.DEFAULT.with(settings.texts()).backoff()).isEqualTo(backoff);
    }
  }

  @Test
  void with_inheritAndNone_takeBack() {
    QueueSettings settings =
        QueueSettings.DEFAULT.depthMax(5).deadRetention(ofMinutes(1)).leaseDuration(ofMinutes(1));

    QueueSettings changed = settings.with(Map.of("depthMax", "none", "leaseDuration", "inherit"));

    assertThat(changed.depthMax()).isEmpty();
    assertThat(changed.leaseDuration()).isEqualTo(ofSeconds(30));
    assertThat(changed.isSet("depthMax")).isTrue();
    assertThat(changed.isSet("leaseDuration")).isFalse();
    assertThat(changed.isSet("deadRetention")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leaseDuration | 30s | allowed=a duration from PT0.1S to PT168H, or inherit; reason=",
        "leaseDuration | PT0S | allowed=a duration from PT0.1S to PT168H, or inherit; reason=",
        "depthMax | 0 | allowed=a number of jobs from 1, or none, or inherit; reason=depthMax is",
        "depthMax | many | allowed=a number of jobs from 1, or none, or inherit",
        "expiry | never | allowed=READY_AT_ONCE or BACKOFF, or inherit",
        "maxAttempts | 1001 | allowed=a number from 1 to 1000, or inherit",
        "resultRetention | PT-1S | allowed=a duration from PT0.001S to PT87600H, or none",
        "deadRetention | '' | allowed=a duration from PT0.001S to PT87600H, or none",
        "perKey | 0 | allowed=a number of jobs from 1 to 1000000, or inherit",
        "perKey | 1000001 | reason=perKey is out of range: value=1000001, least=1, most=1000000",
        "keyOrder | strict | allowed=PASSING or STRICT, or inherit",
        "rateLimit | 0/PT1S | reason=rate limit's count is out of range: value=0, least=1,"
            + " most=1000000",
        "rateLimit | 5/PT0S | reason=rate limit's per is out of range: value=PT0S, least=PT0.001S,"
            + " most=PT168H",
        "rateLimit | 5/PT1S burst 0 | reason=rate limit's burst is out of range: value=0, least=1,"
            + " most=1000000",
        "rateLimit | 5/PT0.0015S | reason=rate limit's per has a part of a millisecond:"
            + " value=PT0.0015S; round it",
        "rateLimit | 5/1s | reason=not a duration: 1s",
        "rateLimitPerKey | five a second | reason=not of the form count/duration burst n: five a"
            + " second",
        "rateLimitPerKey | '' | allowed=a number of starts, a duration and perhaps a burst",
        "rateLimitPerKey | 99999999999/PT1S | or none, or inherit",
        "share | 0 | allowed=a number of jobs from 1 to 1000, or inherit",
        "share | 1001 | reason=share is out of range: value=1001, least=1, most=1000",
        "backoff | '' | reason=unknown kind: ",
        "backoff | never | reason=unknown kind: never",
        "backoff | linear | reason=initial is missing",
        "backoff | fixed delay=PT1S delay=PT2S | reason=named twice: delay",
        "backoff | fixed PT1S | reason=not a name and a value: PT1S",
        "backoff | fixed delay=1 | reason=delay is not a duration: 1",
        "backoff | fixed delay=PT1S jitter=0.1 | reason=unknown for fixed: jitter",
        "backoff | exponential jitter=2 | reason=jitter is out of range: value=2.0",
        "backoff | exponential multiplier=x | reason=multiplier is not a number: x",
        "backoff | list delays=PT1S, | reason=delays is not a duration: "
      })
  void with_wrongValue_namesKeyValueAndWhatIsAllowed(String key, String value, String told) {
    assertThatThrownBy(() -> QueueSettings.DEFAULT.with(Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "setting has a wrong value: key=\"" + key + "\", value=\"" + value + "\", allowed=")
        .hasMessageContaining(told);
  }

  @Test
  void with_wrongKey_namesThoseThatThereAre() {
    assertThatThrownBy(() -> QueueSettings.DEFAULT.with(Map.of("depth", "1")))
        .hasMessage(
            "setting is unknown: key=\"depth\", known=[leaseDuration, depthMax, expiry,"
                + " maxAttempts, backoff, resultRetention, deadRetention, perKey, keyOrder,"
                + " rateLimit, rateLimitPerKey, share]");
  }

  @Test
  void with_halfOfTheRetryInherited_isRefused() {
    assertThatThrownBy(
            () ->
                QueueSettings.DEFAULT.with(
                    Map.of("maxAttempts", "inherit", "backoff", "fixed delay=PT1S")))
        .hasMessage(
            "maxAttempts and backoff are one setting, set together or inherited together:"
                + " maxAttempts=\"inherit\", backoff=\"fixed delay=PT1S\"");
  }

  @Test
  void rateLimit_asText_isToldAsItIsTaken() {
    QueueSettings settings =
        QueueSettings.DEFAULT.with(
            Map.of("rateLimit", "100/PT1S", "rateLimitPerKey", " 5/PT1M  burst 20 "));

    assertThat(settings.rateLimit()).contains(RateLimit.of(100, ofSeconds(1)));
    assertThat(settings.rateLimitPerKey()).contains(RateLimit.of(5, ofMinutes(1)).burst(20));
    assertThat(settings.texts())
        .containsEntry("rateLimit", "100/PT1S burst 1")
        .containsEntry("rateLimitPerKey", "5/PT1M burst 20");
    assertThat(QueueSettings.DEFAULT.with(settings.texts()).texts()).isEqualTo(settings.texts());
    assertThat(settings.with(Map.of("rateLimit", "none")).rateLimit()).isEmpty();
    assertThat(settings.with(Map.of("rateLimit", "inherit")).isSet("rateLimit")).isFalse();
  }

  @Test
  void rateLimit_whereDigitsAreOthers_isToldAsItIsTaken() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      QueueSettings settings = QueueSettings.DEFAULT.rateLimit(RateLimit.of(100, ofSeconds(1)));

      assertThat(settings.texts()).containsEntry("rateLimit", "100/PT1S burst 1");
    } finally {
      Locale.setDefault(before);
    }
  }
}
