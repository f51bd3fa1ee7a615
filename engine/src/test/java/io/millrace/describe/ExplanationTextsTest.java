package io.millrace.describe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.EngineHealth;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExplanationTextsTest {

  private static final JobId FIRST = JobId.parse("0".repeat(31) + "1");
  private static final JobId SECOND = JobId.parse("0".repeat(31) + "2");
  private static final QueueName MAIL = QueueName.of("mail");
  private static final Instant NOON = Instant.parse("2030-01-31T12:00:00Z");

  /** A value of each type that a component of a reason has. */
  private static final Map<String, Object> SAMPLES =
      Map.ofEntries(
          Map.entry("int", 3),
          Map.entry("long", 4L),
          Map.entry("boolean", true),
          Map.entry("String", "text"),
          Map.entry("Optional<String>", Optional.of("maybe")),
          Map.entry("Instant", NOON),
          Map.entry("Optional<Instant>", Optional.of(NOON.plusSeconds(1))),
          Map.entry("Duration", Duration.ofSeconds(5)),
          Map.entry("Status", EngineHealth.Status.FULL),
          Map.entry("Delay", Explanation.Delay.BACKOFF),
          Map.entry("Ahead", new Ahead(1_000, false)),
          Map.entry("BatchId", new BatchId(6)),
          Map.entry("List<JobId>", List.of(FIRST, SECOND)),
          Map.entry(
              "List<Holder>",
              List.of(
                  new Holder(FIRST, MAIL, JobState.LEASED),
                  new Holder(SECOND, new QueueName("mail", "acme"), JobState.READY))));

  static Stream<Class<?>> kinds() {
    return Arrays.stream(Explanation.Reason.class.getPermittedSubclasses());
  }

  private static Object sample(RecordComponent component) {
    String type = component.getGenericType().getTypeName().replaceAll("[a-z]+\\.|\\w+\\$", "");
    return Objects.requireNonNull(SAMPLES.get(type), "no sample of " + component);
  }

  private static Explanation.Reason sample(Class<?> kind) throws ReflectiveOperationException {
    RecordComponent[] components = kind.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    return (Explanation.Reason)
        kind.getConstructor(types)
            .newInstance(Arrays.stream(components).map(ExplanationTextsTest::sample).toArray());
  }

  private static ExplanationTexts told(Explanation.Reason reason) {
    return ExplanationTexts.of(
        new Explanation(FIRST, MAIL, JobState.BLOCKED, List.of(reason), Optional.of(NOON)));
  }

  private static Map<String, Object> facts(Explanation.Reason reason) {
    return told(reason).reasons().get(0).facts();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void of_reasonOfEachKind_hasAllFactsOfItsKindAlsoInAnotherProcess(Class<?> kind)
      throws ReflectiveOperationException {
    Map<String, Object> facts = new HashMap<>();
    for (RecordComponent component : kind.getRecordComponents()) {
      Object value = sample(component);
      facts.put(component.getName(), value instanceof Optional<?> some ? some.get() : value);
    }
    Object sentence = facts.remove("sentence");

    ExplanationTexts told = told(sample(kind));

    assertThat(told.reasons())
        .containsExactly(
            new ExplanationTexts.Reason(kind.getSimpleName(), (String) sentence, facts));
    assertThat(
            OpenData.read(Descriptions.EXPLANATION, OpenData.write(Descriptions.EXPLANATION, told)))
        .isEqualTo(told);
  }

  @Test
  void of_reason_leavesOutWhatIsEmpty() {
    assertThat(facts(new Explanation.WaitsForSignal("paid", NOON, Optional.empty(), "waits")))
        .isEqualTo(Map.of("name", "paid", "since", NOON));
    assertThat(facts(new Explanation.Paused("is paused"))).isEmpty();
  }

  @Test
  void of_keyWhoseHoldersAreNotFound_hasNoneOfThem() {
    Explanation.KeyTaken taken =
        new Explanation.KeyTaken("k", true, 2, 5, List.of(), new Ahead(3, true), "waits");

    assertThat(facts(taken)).containsEntry("holders", List.of()).containsEntry("holderCount", 5L);
  }
}
