package io.millrace.model.crash;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one job. */
final class JobStory {

  final String name;

  /** As it was when its store was opened last. */
  Look base = Look.ABSENT;

  /** As it is by now: all that was answered has happened. */
  Look look = Look.ABSENT;

  /** What was asked for since, in the order in which it happened if it did. */
  final List<Step> steps = new ArrayList<>();

  /** The last step, if it may be under way. */
  @Nullable Step pending;

  /** A cancel that others do not wait for: if it happens, then after all the others. */
  @Nullable Step cancel;

  @Nullable String id;

  /** Whether anybody asked for this job to be enqueued. */
  boolean isAsked;

  int completedCount;
  OrderCheck.@Nullable Stay stay;

  JobStory(String name) {
    this.name = name;
  }

  /** Steps of this life, the cancel last. */
  List<Step> allSteps() {
    if (cancel == null) {
      return steps;
    }
    List<Step> all = new ArrayList<>(steps);
    all.add(cancel);
    return all;
  }

  /** The step of this call that is not answered. */
  @Nullable Step step(Op op, String call) {
    for (Step step : allSteps()) {
      if (step.op == op && step.call.equals(call) && !step.isAnswered) {
        return step;
      }
    }
    return null;
  }

  /** Whether there is anything to look after at the next opening. */
  boolean isOpen() {
    return base.place() != Look.Place.ABSENT || !steps.isEmpty() || cancel != null;
  }

  /** What was asked for last is known to have happened. */
  void settle() {
    if (pending != null) {
      pending.before = look;
      look = look.after(pending.op, name, pending.when());
      pending = null;
    }
  }

  void drop(Step step) {
    steps.remove(step);
    if (pending == step) {
      pending = null;
    }
    if (cancel == step) {
      cancel = null;
    }
  }

  /** The store was opened again and the job is like this. */
  void restart(Look found) {
    base = found;
    look = found;
    steps.clear();
    pending = null;
    cancel = null;
    stay = null;
  }
}
