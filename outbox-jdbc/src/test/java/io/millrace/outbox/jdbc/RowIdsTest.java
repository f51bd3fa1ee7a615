package io.millrace.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowIdsTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  @Test
  void ids_ofAClockThatStandsOrGoesBack_riseAsTexts() {
    long[] nowMs = {NOW.toEpochMilli()};
    RowIds ids = new RowIds(() -> Instant.ofEpochMilli(nowMs[0]));

    List<String> texts =
        Stream.generate(
                () -> {
                  nowMs[0] -= 1;
                  return ids.next().toString();
                })
            .limit(10_000)
            .toList();

    assertThat(texts).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void id_always_isAUuidOfVersion7WithItsTime() {
    UUID id = new RowIds(() -> NOW).next();

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
    assertThat(RowIds.parse(id.toString())).isEqualTo(id);
    assertThat(new RowIds(() -> NOW).next()).isNotEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1-2-3-4-5", "0199F0C4-0000-7000-8000-000000000000", "17", ""})
  void text_thatIsNotTheOneOfItsId_isRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> RowIds.parse(text));
  }
}
