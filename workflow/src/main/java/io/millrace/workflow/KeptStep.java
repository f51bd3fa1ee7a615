package io.millrace.workflow;

import io.millrace.api.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step, a sleep or a wait as a workflow's job has kept it. Immutable.
 *
 * @param call the call of the workflow: {@code step}, {@code sleep}, {@code await} or {@code all}
 * @param name the name of the step, the sleep or the signal
 * @param outcome how far it has come
 * @param until the end of the sleep, or the deadline of the wait
 * @param failedTries how often a step that is not done was tried in vain; 0 for others
 * @param error the error of the last try, or the reason why the step failed for good
 */
public record KeptStep(
    String call,
    String name,
    Outcome outcome,
    Optional<Instant> until,
    int failedTries,
    Optional<String> error) {

  /**
   * The outcome of a step, a sleep or a wait. There may be more one day: have a default for them.
   */
  public enum Outcome {
    /** The step is done. */
    DONE,
    /** The step failed for good. */
    FAILED,
    /** The step was tried in vain, and is tried again. */
    TRIED,
    /** The workflow sleeps, or has slept. */
    SLEEPS,
    /** The workflow waits for the signal, or for the jobs of the step. */
    AWAITS,
    /** The signal came. */
    SIGNALLED,
    /** The signal did not come in time. */
    TIMED_OUT
  }

  /**
   * Returns all that the job has kept, in the order of its calls; none if it is no workflow's job.
   */
  public static List<KeptStep> of(Job job) {
    Optional<byte[]> state = job.checkpointed();
    if (state.isEmpty()) {
      return List.of();
    }
    List<KeptStep> kept = new ArrayList<>();
    try {
      FlowState.decode(job.id().toString(), state.get())
          .entries()
          .forEach(entry -> kept.add(of(entry)));
    } catch (WorkflowException e) {
      return List.of();
    }
    return List.copyOf(kept);
  }

  private static KeptStep of(Entry entry) {
    return switch (entry.kind()) {
      case DONE, NULL, ALL -> of(entry, Outcome.DONE, 0);
      case ALL_STARTED -> of(entry, Outcome.AWAITS, 0);
      case FAILED, ALL_FAILED -> failed(entry, Outcome.FAILED, 0, entry.text());
      case TRIED -> {
        Tries tries = Tries.of(entry);
        yield failed(entry, Outcome.TRIED, tries.count(), tries.error());
      }
      case SLEEP -> of(entry, Outcome.SLEEPS, FlowState.timeMs(entry));
      case AWAITS -> of(entry, Outcome.AWAITS, FlowState.timeMs(entry));
      case SIGNALLED -> of(entry, Outcome.SIGNALLED, 0);
      case TIMED_OUT -> of(entry, Outcome.TIMED_OUT, 0);
    };
  }

  private static KeptStep of(Entry entry, Outcome outcome, long untilMs) {
    Optional<Instant> until =
        untilMs == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(untilMs));
    return new KeptStep(entry.kind().call(), entry.name(), outcome, until, 0, Optional.empty());
  }

  private static KeptStep failed(Entry entry, Outcome outcome, int tries, String error) {
    return new KeptStep(
        entry.kind().call(), entry.name(), outcome, Optional.empty(), tries, Optional.of(error));
  }
}
