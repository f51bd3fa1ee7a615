package io.millrace.model.linear;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What holders of leases do, one after the other. */
final class HolderSpec {

  /** How long a snooze lasts. */
  static final long SNOOZE_MS = 10_000;

  /** How far extensions reach. */
  static final long EXTEND_MS = 60_000;

  static final String STALE = "stale lease";
  static final String GONE = "gone";

  private HolderSpec() {}

  static List<Outcome> outcomes(SpecState state, Call.Hold hold, Event.Span span) {
    Optional<SpecJob> job = state.job(hold.job());
    if (job.isEmpty()) {
      return List.of(new Outcome(state, GONE));
    }
    SpecJob held = job.get();
    if (held.state() != JobState.LEASED || held.lease().token() != hold.token()) {
      return List.of(new Outcome(state, STALE));
    }
    List<Outcome> outcomes = new ArrayList<>();
    SpecJob.Window asked = QueueSpec.asked(state, span);
    if (asked.earliestMs() < held.due().latestMs()) {
      outcomes.add(acted(state, hold, held, asked));
    }
    if (asked.latestMs() >= held.due().earliestMs()) {
      outcomes.add(new Outcome(state, STALE));
    }
    return outcomes;
  }

  private static Outcome acted(SpecState state, Call.Hold hold, SpecJob job, SpecJob.Window asked) {
    boolean isCancelled = job.lease().cancel() == Seen.Cancel.ASKED;
    return switch (hold.act()) {
      case COMPLETE ->
          new Outcome(state.without(job).counting(job.queue(), Total.COMPLETED), "completed");
      case EXTEND -> lengthened(state, job, asked.plus(EXTEND_MS));
      case CHECKPOINT ->
          lengthened(state, job.withState(hold.version()), asked.plus(QueueSpec.LEASE_MS));
      case RELEASE -> released(state, job);
      case FAIL, FAIL_PERMANENTLY, SNOOZE ->
          isCancelled ? cancelled(state, job) : returned(state, hold.act(), job, asked);
    };
  }

  private static Outcome cancelled(SpecState state, SpecJob job) {
    return new Outcome(state.without(job).counting(job.queue(), Total.CANCELLED), "cancelled");
  }

  /** A lease is handed back by its holder, or is taken from him. */
  static Outcome released(SpecState state, SpecJob job) {
    if (job.lease().cancel() == Seen.Cancel.ASKED) {
      return cancelled(state, job);
    }
    SpecJob ready = job.withAttempts(job.attempts() - 1).ready(job.order());
    return new Outcome(state.with(ready).counting(job.queue(), Total.RELEASED), "released");
  }

  private static Outcome lengthened(SpecState state, SpecJob job, SpecJob.Window end) {
    String answer = job.lease().cancel() == Seen.Cancel.ASKED ? "extended, cancel" : "extended";
    return new Outcome(state.with(job.withDue(job.due().orLater(end))), answer);
  }

  private static Outcome returned(
      SpecState state, Call.HolderAct act, SpecJob job, SpecJob.Window asked) {
    int queue = job.queue();
    if (act == Call.HolderAct.SNOOZE) {
      SpecJob delayed = job.withAttempts(job.attempts() - 1).delayed(asked.plus(SNOOZE_MS));
      return new Outcome(state.with(delayed).counting(queue, Total.SNOOZED), "released");
    }
    return act == Call.HolderAct.FAIL && job.attempts() < SpecJob.ATTEMPTS_MAX
        ? new Outcome(state.with(job.ready(state.back())).counting(queue, Total.RETRIED), "retried")
        : new Outcome(state.with(job.dead()).counting(queue, Total.DIED), "died");
  }
}
