package io.millrace.engine;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.NoHandler;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.engine.noted.Troubles;
import io.millrace.internal.commit.DueWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The troubles that workers report, as a warning in the engine's health; never due. */
final class ToldTroubles implements DueWork {

  private final Troubles troubles;

  ToldTroubles(Troubles troubles) {
    this.troubles = troubles;
  }

  /**
   * Adds the trouble with the job's type, if one is reported, to the reasons of a job that waits.
   */
  static Explanation explained(
      Explanation told, Troubles troubles, Function<JobId, Optional<Job>> jobs) {
    if (told.state() != JobState.READY && told.state() != JobState.DELAYED) {
      return told;
    }
    Optional<String> type = jobs.apply(told.jobId()).map(Job::type);
    Optional<String> trouble = type.flatMap(it -> troubles.of(Troubles.ofType(it)));
    if (trouble.isEmpty()) {
      return told;
    }
    List<Reason> reasons = new ArrayList<>(told.reasons());
    reasons.add(0, new NoHandler(type.get(), trouble.get()));
    return new Explanation(told.jobId(), told.queue(), told.state(), reasons, told.earliest());
  }

  @Override
  public long waitNs(DueTime now) {
    return NEVER;
  }

  @Override
  public void step(DueTime now, Steps steps) {}

  @Override
  public Optional<String> warning() {
    return troubles.shown();
  }
}
