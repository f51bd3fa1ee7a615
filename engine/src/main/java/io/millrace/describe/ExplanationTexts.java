package io.millrace.describe;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An explanation why a job is not running whose reasons are texts with facts, of one type. */
public record ExplanationTexts(
    JobId jobId,
    QueueName queue,
    JobState state,
    List<Reason> reasons,
    Optional<Instant> earliest) {

  /**
   * A reason.
   *
   * @param kind its kind, as {@link Explanation.Reason#kind()}
   * @param sentence a sentence for people, in one line
   * @param facts what the sentence tells, for programs, by the names of the kind's components;
   *     those that are empty are left out
   */
  public record Reason(String kind, String sentence, Map<String, Object> facts) {

    public Reason {
      facts = Map.copyOf(facts);
    }
  }

  public static ExplanationTexts of(Explanation explanation) {
    return new ExplanationTexts(
        explanation.jobId(),
        explanation.queue(),
        explanation.state(),
        explanation.reasons().stream()
            .map(reason -> new Reason(reason.kind(), reason.sentence(), facts(reason)))
            .toList(),
        explanation.earliest());
  }

  private static Map<String, Object> facts(Explanation.Reason reason) {
    Map<String, Object> facts = new HashMap<>();
    for (RecordComponent component : reason.getClass().getRecordComponents()) {
      Object fact = fact(component, reason);
      if (!component.getName().equals("sentence") && fact != null) {
        facts.put(component.getName(), fact);
      }
    }
    return facts;
  }

  private static @Nullable Object fact(RecordComponent component, Explanation.Reason reason) {
    try {
      Object fact = component.getAccessor().invoke(reason);
      return fact instanceof Optional<?> some ? some.orElse(null) : fact;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }
}
