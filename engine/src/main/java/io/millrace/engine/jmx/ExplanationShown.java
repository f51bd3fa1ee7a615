package io.millrace.engine.jmx;

import io.millrace.api.Explanation;
import io.millrace.management.ExplanationSnapshot;
import io.millrace.management.ReasonSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job is not running, in the shape that JMX knows. */
record ExplanationShown(Explanation explanation) implements ExplanationSnapshot {

  @Override
  public String getId() {
    return explanation.jobId().toString();
  }

  @Override
  public String getQueue() {
    return explanation.queue().name();
  }

  @Override
  public String getTenant() {
    return explanation.queue().tenant();
  }

  @Override
  public String getState() {
    return explanation.state().name();
  }

  @Override
  public List<ReasonSnapshot> getReasons() {
    return explanation.reasons().stream().<ReasonSnapshot>map(ReasonShown::new).toList();
  }

  @Override
  public @Nullable Long getEarliestMs() {
    return explanation.earliest().map(Instant::toEpochMilli).orElse(null);
  }

  private record ReasonShown(Explanation.Reason reason) implements ReasonSnapshot {

    @Override
    public String getKind() {
      return reason.kind();
    }

    @Override
    public String getSentence() {
      return reason.sentence();
    }
  }
}
