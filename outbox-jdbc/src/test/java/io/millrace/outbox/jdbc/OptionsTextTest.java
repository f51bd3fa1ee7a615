package io.millrace.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTextTest {

  private static final EnqueueOptions NONE = EnqueueOptions.DEFAULT;

  private static EnqueueOptions readBack(EnqueueOptions options) {
    return OptionsText.options(OptionsText.bytes(options));
  }

  @Test
  void options_ofEachKind_areReadBack() {
    List<EnqueueOptions> all =
        List.of(
            NONE,
            NONE.priority(-128),
            NONE.delay(Duration.ofNanos(1)),
            NONE.visibleAt(Instant.parse("2030-01-02T03:04:05.678901Z")),
            NONE.maxAttempts(1_000),
            NONE.backoff(Backoff.fixed(Duration.ofMillis(7))),
            NONE.backoff(
                new Backoff.Exponential(Duration.ofSeconds(1), 1.1, Duration.ofHours(1), 0.3)),
            NONE.backoff(
                new Backoff.Custom(List.of(Duration.ofSeconds(1), Duration.ofDays(2)), 0.1)),
            NONE.leaseDuration(Duration.ofMinutes(3)),
            NONE.weight(65_535),
            NONE.type("kind of work"),
            NONE.timeToLive(Duration.ofDays(9)),
            NONE.resultRetention(Duration.ofDays(8)),
            NONE.unique("key"),
            NONE.unique(UniqueKey.of("key").untilStarted().replace()),
            NONE.unique(UniqueKey.of("key").within(Duration.ofHours(1))),
            NONE.concurrencyKey("group"),
            NONE.engineConcurrencyKey("host", 3),
            NONE.engineRateLimit("relay", RateLimit.of(20, Duration.ofSeconds(1)).burst(5)));

    assertThat(all.stream().map(OptionsTextTest::readBack)).containsExactlyElementsOf(all);
  }

  @Test
  void texts_ofAnyCharacters_areReadBack() {
    EnqueueOptions odd =
        NONE.headers(Map.of("a=b\\\n", "=\\n\n\r\n\t\0", "header.x", "", "ключ", "😀"))
            .unique("line\nfeed \\ = ")
            .concurrencyKey("\\n")
            .type("=");

    assertThat(readBack(odd)).isEqualTo(odd);
  }

  @Test
  void text_ofOptions_canBeReadByPeople() {
    EnqueueOptions options =
        NONE.priority(5)
            .delay(Duration.ofSeconds(10))
            .header("trace", "a\nb")
            .unique("order:17")
            .backoff(Backoff.fixed(Duration.ofSeconds(5)));

    assertThat(new String(OptionsText.bytes(options), UTF_8))
        .isEqualTo(
            """
            priority=5
            delay=PT10S
            backoff=linear initial=PT5S step=PT0S max=PT5S jitter=0.0
            header.trace=a\\nb
            unique=order:17
            unique.scope=UNTIL_FINISHED
            unique.onConflict=KEEP_EXISTING
            """);
  }

  /** A new option has to be kept here, or refused by name. */
  @Test
  void options_thatCanBeSet_areThoseThatAreTriedHere() {
    Set<String> names =
        Arrays.stream(EnqueueOptions.class.getMethods())
            .filter(method -> method.getReturnType() == EnqueueOptions.class)
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toSet());

    assertThat(names)
        .containsExactlyInAnyOrder(
            "priority",
            "delay",
            "visibleAt",
            "maxAttempts",
            "backoff",
            "leaseDuration",
            "weight",
            "headers",
            "header",
            "type",
            "timeToLive",
            "resultRetention",
            "unique",
            "concurrencyKey",
            "engineConcurrencyKey",
            "engineRateLimit",
            "batch", // refused
            "changed");
  }

  @Test
  void batch_always_isRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OptionsText.bytes(NONE.batch(new BatchId(5))))
        .withMessageStartingWith("options have a batch, which cannot be kept in an outbox: batch=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "colour=red",
        "priority",
        "priority=high",
        "priority=1\npriority=1",
        "delay=-PT1S",
        "visibleAt=tomorrow",
        "unique.scope=FOR",
        "unique=k\nunique.scope=SOMETIMES",
        "engineConcurrencyKey=k",
        "engineConcurrencyMost=2",
        "engineRateKey=k",
        "engineRateLimit=1/PT1S",
        "backoff=never",
        "header.=x"
      })
  void text_thatIsNotUnderstood_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OptionsText.options(text.getBytes(UTF_8)));
  }

  @Test
  void bytes_thatAreNotUtf8_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OptionsText.options(new byte[] {(byte) 0xff}))
        .withMessage("options of the row are not UTF-8: length=1");
  }
}
