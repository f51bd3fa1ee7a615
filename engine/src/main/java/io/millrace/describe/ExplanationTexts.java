package io.millrace.describe;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
   */
  public record Reason(String kind, String sentence) {}

  public static ExplanationTexts of(Explanation explanation) {
    return new ExplanationTexts(
        explanation.jobId(),
        explanation.queue(),
        explanation.state(),
        explanation.reasons().stream()
            .map(reason -> new Reason(reason.kind(), reason.sentence()))
            .toList(),
        explanation.earliest());
  }
}
