package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTextTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void of_eachKind_isInWords() {
    assertThat(BackoffText.of(Backoff.DEFAULT))
        .isEqualTo("1 s, then times 2.0, at most 1 h, give or take 20 %");
    assertThat(BackoffText.of(Backoff.fixed(SECOND))).isEqualTo("1 s");
    assertThat(BackoffText.of(new Backoff.Linear(SECOND, SECOND, MINUTE, 0)))
        .isEqualTo("1 s, then 1 s more each time, at most 1 min");
    assertThat(BackoffText.of(Backoff.list(SECOND, MINUTE))).isEqualTo("1 s, 1 min");
  }
}
