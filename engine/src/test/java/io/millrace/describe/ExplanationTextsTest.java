package io.millrace.describe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTextsTest {

  private static final JobId FIRST = JobId.parse("0".repeat(31) + "1");
  private static final JobId SECOND = JobId.parse("0".repeat(31) + "2");
  private static final QueueName MAIL = QueueName.of("mail");

  private static Map<String, String> facts(Explanation.Reason reason) {
    Explanation explanation =
        new Explanation(FIRST, MAIL, JobState.BLOCKED, List.of(reason), Optional.empty());
    return ExplanationTexts.of(explanation).reasons().get(0).facts();
  }

  @Test
  void of_reason_hasWhatItsSentenceTellsAsTexts() {
    List<Explanation.Holder> holders =
        List.of(
            new Explanation.Holder(FIRST, MAIL, JobState.LEASED),
            new Explanation.Holder(SECOND, MAIL, JobState.READY));

    assertThat(
            facts(
                new Explanation.KeyTaken(
                    "k", true, 2, 5, holders, new Explanation.Ahead(1_000, false), "waits")))
        .isEqualTo(
            Map.of(
                "key", "k",
                "isOfEngine", "true",
                "limit", "2",
                "holderCount", "5",
                "holders", FIRST + " " + SECOND,
                "ahead", "at least 1000"));
    assertThat(facts(new Explanation.Behind(new Explanation.Ahead(3, true), "waits")))
        .isEqualTo(Map.of("ahead", "3"));
  }

  @Test
  void of_reason_leavesOutWhatIsEmpty() {
    Instant since = Instant.parse("2030-01-31T12:00:00Z");

    assertThat(facts(new Explanation.WaitsForSignal("paid", since, Optional.empty(), "waits")))
        .isEqualTo(Map.of("name", "paid", "since", "2030-01-31T12:00:00Z"));
    assertThat(facts(new Explanation.Paused("is paused"))).isEmpty();
  }
}
