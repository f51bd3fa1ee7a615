package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters that are said by texts. */
class JobFilterTextTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456789Z");

  private static final JobFilter EVERYTHING =
      JobFilter.ALL
          .states(Set.of(JobState.READY, JobState.DEAD))
          .queue(new QueueName("mail, \"all\"", "acme=1"))
          .type("resize")
          .uniqueKey("a\nb")
          .concurrencyKey("ada")
          .batch(new BatchId(10))
          .priority(-3, 10)
          .attempts(1, 3)
          .enqueuedSince(NOON)
          .enqueuedBefore(NOON.plusSeconds(60))
          .stuckBefore(NOON.plusSeconds(30))
          .errorContains("..")
          .header("customer", "42")
          .header("a.b=c", "");

  @Test
  void texts_everyCondition_makeTheSameFilter() {
    Map<String, String> texts = EVERYTHING.texts();

    assertThat(texts)
        .containsEntry("states", "READY,DEAD")
        .containsEntry("batch", "000000000000000a")
        .containsEntry("priority", "-3..10")
        .containsEntry("attempts", "1..3")
        .containsEntry("enqueuedSince", NOON.toString())
        .containsEntry("stuckBefore", NOON.plusSeconds(30).toString())
        .containsEntry("header.customer", "42")
        .containsEntry("header.a.b=c", "")
        .hasSize(15);
    assertThat(JobFilter.ALL.with(texts)).isEqualTo(EVERYTHING);
    assertThat(JobFilter.ALL.texts()).isEmpty();
    assertThat(JobFilter.ALL.with(Map.of())).isEqualTo(JobFilter.ALL);
  }

  @Test
  void with_oneText_leavesTheOtherConditions() {
    JobFilter changed = EVERYTHING.with(Map.of("priority", "127", "tenant", ""));

    assertThat(changed).isEqualTo(EVERYTHING.priority(127, 127).tenant(""));
    assertThat(changed.texts()).containsEntry("priority", "127").containsEntry("tenant", "");
    assertThat(JobFilter.ALL.with(Map.of("states", " dead , Ready")))
        .isEqualTo(JobFilter.ALL.states(Set.of(JobState.READY, JobState.DEAD)));
  }

  @ParameterizedTest
  @CsvSource({
    "states,''",
    "states,'ready,'",
    "states,gone",
    "queueName,''",
    "type,''",
    "uniqueKey,''",
    "concurrencyKey,''",
    "batch,''",
    "batch,a",
    "batch,0000000000000000",
    "errorContains,''",
    "priority,''",
    "priority,..",
    "priority,1..",
    "priority,..1",
    "priority,1...2",
    "priority,1..2..3",
    "priority,128",
    "priority,-129..0",
    "priority,2..1",
    "attempts,-1",
    "attempts,99999999999",
    "attempts,x",
    "enqueuedSince,''",
    "enqueuedSince,yesterday",
    "enqueuedBefore,1969-12-31T23:59:59Z",
    "stuckBefore,soon",
    "header.,42"
  })
  void with_aWrongValue_isRefusedByKeyAndValue(String key, String value) {
    assertThatThrownBy(() -> JobFilter.ALL.with(Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "condition has a wrong value: key=\"%s\", value=\"%s\", allowed=", key, value)
        .hasMessageContaining("; reason=");
  }

  @Test
  @SuppressWarnings("NullAway") // A caller's mistake.
  void with_unknownKeyOrNoValue_isRefusedByItsName() {
    Map<String, String> nothing = new LinkedHashMap<>();
    nothing.put("type", null);

    assertThatThrownBy(() -> JobFilter.ALL.with(Map.of("uniquekey", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "condition is unknown: key=\"uniquekey\", known=[states, queueName, tenant, type,"
                + " uniqueKey, concurrencyKey, batch, priority, attempts, enqueuedSince,"
                + " enqueuedBefore, stuckBefore, errorContains, header.NAME]");
    assertThatThrownBy(() -> JobFilter.ALL.with(nothing))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("type");
  }
}
