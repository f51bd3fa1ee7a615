package io.millrace.model.linear;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What operators do with jobs, one after the other. */
final class OperatorSpec {

  static final String RESCHEDULED = "rescheduled";
  static final String UPDATED = "updated";
  static final String RUNNING = "running";
  static final String GONE = "gone";
  static final String STILL_ALIVE = "not dead";
  static final String NOT_DEAD = "nothing to delete";

  private OperatorSpec() {}

  static List<Outcome> outcomes(SpecState state, Call.Operate operate, Event.Span span) {
    Optional<SpecJob> found = state.job(operate.job());
    if (found.isEmpty()) {
      boolean isDelete = operate.act() == Call.OperatorAct.DELETE_DEAD;
      return List.of(new Outcome(state, isDelete ? NOT_DEAD : GONE));
    }
    SpecJob job = found.get();
    return switch (operate.act()) {
      case CANCEL ->
          List.of(
              job.state() == JobState.LEASED
                  ? new Outcome(state, RUNNING)
                  : removed(state, job, Total.CANCELLED, "cancelled"));
      case REQUEST_CANCEL ->
          List.of(
              job.state() == JobState.LEASED
                  ? new Outcome(state.with(job.withCancelAsked()), "requested")
                  : removed(state, job, Total.CANCELLED, "cancelled"));
      case RESCHEDULE -> rescheduled(state, job, operate.value(), span);
      case REDRIVE -> List.of(redriven(state, job));
      case DELETE_DEAD ->
          List.of(
              job.state() == JobState.DEAD
                  ? removed(state, job, Total.DELETED, "deleted")
                  : new Outcome(state, NOT_DEAD));
      case NEW_PRIORITY, NEW_PAYLOAD -> List.of(updated(state, job, operate));
      case RELEASE ->
          List.of(
              job.state() == JobState.LEASED
                  ? HolderSpec.released(state, job)
                  : new Outcome(state, "not running"));
    };
  }

  private static Outcome removed(SpecState state, SpecJob job, Total total, String answer) {
    return new Outcome(state.without(job).counting(job.queue(), total), answer);
  }

  private static List<Outcome> rescheduled(
      SpecState state, SpecJob job, long visibleAtMs, Event.Span span) {
    if (!job.isWaiting()) {
      return List.of(new Outcome(state, job.state() == JobState.LEASED ? RUNNING : "dead"));
    }
    List<Outcome> outcomes = new ArrayList<>();
    SpecJob.Window asked = QueueSpec.asked(state, span);
    if (visibleAtMs <= asked.latestMs()) {
      outcomes.add(new Outcome(state.with(job.ready(state.back())), RESCHEDULED));
    }
    if (visibleAtMs > asked.earliestMs()) {
      SpecJob.Window due = new SpecJob.Window(visibleAtMs, visibleAtMs);
      outcomes.add(new Outcome(state.with(job.delayed(due)), RESCHEDULED));
    }
    return outcomes;
  }

  private static Outcome redriven(SpecState state, SpecJob job) {
    if (job.state() != JobState.DEAD) {
      return new Outcome(state, STILL_ALIVE);
    }
    Optional<SpecJob> holder = QueueSpec.holder(state, job.queue(), job.id().uniqueKey());
    if (holder.isPresent()) {
      return new Outcome(state, QueueSpec.DUPLICATE_OF + holder.get().number());
    }
    SpecJob fresh = job.withAttempts(0).ready(state.back());
    return new Outcome(state.with(fresh).counting(job.queue(), Total.REDRIVEN), "redriven");
  }

  private static Outcome updated(SpecState state, SpecJob job, Call.Operate operate) {
    if (job.state() == JobState.LEASED) {
      return new Outcome(state, RUNNING);
    }
    int value = (int) operate.value();
    if (operate.act() == Call.OperatorAct.NEW_PAYLOAD) {
      return new Outcome(state.with(job.withPayload(value)), UPDATED);
    }
    SpecJob changed = job.withPriority(value);
    boolean isMoved = job.state() == JobState.READY && job.priority() != value;
    return new Outcome(state.with(isMoved ? changed.ready(state.back()) : changed), UPDATED);
  }
}
