package io.millrace.describe;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An explanation why a job is not running whose reasons are texts. */
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
  public record Reason(String kind, String sentence, Map<String, String> facts) {

    public Reason {
      facts = Collections.unmodifiableMap(new TreeMap<>(facts));
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

  private static Map<String, String> facts(Explanation.Reason reason) {
    Map<String, String> facts = new HashMap<>();
    for (RecordComponent component : reason.getClass().getRecordComponents()) {
      if (!component.getName().equals("sentence")) {
        fact(component, reason).ifPresent(fact -> facts.put(component.getName(), fact));
      }
    }
    return facts;
  }

  private static Optional<String> fact(RecordComponent component, Explanation.Reason reason) {
    try {
      return text(component.getAccessor().invoke(reason));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }

  private static Optional<String> text(Object fact) {
    if (fact instanceof Optional<?> some) {
      return some.flatMap(ExplanationTexts::text);
    }
    if (fact instanceof List<?> all) {
      return Optional.of(
          all.stream().flatMap(each -> text(each).stream()).collect(Collectors.joining(" ")));
    }
    if (fact instanceof Explanation.Holder holder) {
      return text(holder.jobId());
    }
    if (fact instanceof Explanation.Ahead ahead) {
      return Optional.of(ahead.isExact() ? "" + ahead.count() : "at least " + ahead.count());
    }
    return Optional.of(fact.toString());
  }
}
