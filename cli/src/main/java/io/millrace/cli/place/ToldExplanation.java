package io.millrace.cli.place;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.management.ExplanationSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a job is not running, as it was told by an engine here or elsewhere. */
public record ToldExplanation(
    JobId jobId,
    QueueName queue,
    JobState state,
    List<ToldReason> reasons,
    Optional<Instant> earliest) {

  /** One reason: what kind, and for people. */
  public record ToldReason(String kind, String sentence) {}

  /** What an engine of this process says. */
  static ToldExplanation of(Explanation told) {
    return new ToldExplanation(
        told.jobId(),
        told.queue(),
        told.state(),
        told.reasons().stream()
            .map(reason -> new ToldReason(reason.kind(), reason.sentence()))
            .toList(),
        told.earliest());
  }

  /** What an engine of another process says. */
  static ToldExplanation of(ExplanationSnapshot told) {
    return new ToldExplanation(
        JobId.parse(told.getId()),
        new QueueName(told.getQueue(), told.getTenant()),
        Asked.word(JobState.class, told.getState()),
        told.getReasons().stream()
            .map(reason -> new ToldReason(reason.getKind(), reason.getSentence()))
            .toList(),
        Optional.ofNullable(told.getEarliestMs()).map(Instant::ofEpochMilli));
  }
}
