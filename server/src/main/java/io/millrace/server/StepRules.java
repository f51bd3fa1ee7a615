package io.millrace.server;

import io.millrace.protocol.TransactionCalls.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The rules of what a step of a transaction names of queues. One without a rule is refused. */
final class StepRules {

  private static final Map<Class<?>, BiConsumer<?, QueueCheck>> RULES = new HashMap<>();

  static {
    rule(
        Step.Enqueue.class,
        (step, check) -> {
          check.newJob(step.queue(), step.job());
          step.id().ifPresent(check::newId);
          step.holder().ifPresent(check::job);
        });
    rule(
        Step.Begin.class,
        (step, check) -> {
          check.newBatch(step.batch(), step.isOpen());
          step.id().ifPresent(batch -> check.shared("a batch"));
        });
    rule(Step.Complete.class, (step, check) -> check.lease(step.lease()));
    rule(Step.Fail.class, (step, check) -> check.lease(step.lease()));
    rule(Step.Release.class, (step, check) -> check.lease(step.lease()));
    rule(Step.Snooze.class, (step, check) -> check.lease(step.lease()));
    rule(
        Step.WaitFor.class,
        (step, check) -> {
          check.lease(step.lease());
          step.batch().ifPresent(batch -> check.shared("a batch"));
        });
    rule(Step.Extend.class, (step, check) -> check.lease(step.lease()));
    rule(Step.Checkpoint.class, (step, check) -> check.lease(step.lease()));
    rule(Step.Cancel.class, (step, check) -> check.job(step.jobId()));
    rule(Step.ReleaseJob.class, (step, check) -> check.job(step.jobId()));
    rule(Step.Reschedule.class, (step, check) -> check.job(step.jobId()));
    rule(Step.Update.class, (step, check) -> check.job(step.jobId()));
    rule(Step.Signal.class, (step, check) -> check.job(step.jobId()));
    rule(Step.Redrive.class, (step, check) -> check.job(step.jobId()));
  }

  private StepRules() {}

  private static <S extends Step> void rule(Class<S> step, BiConsumer<S, QueueCheck> rule) {
    RULES.put(step, rule);
  }

  @SuppressWarnings("unchecked") // it is listed by the class of its step
  static <S extends Step> void check(S step, QueueCheck check) {
    BiConsumer<S, QueueCheck> rule = (BiConsumer<S, QueueCheck>) RULES.get(step.getClass());
    if (rule == null) {
      check.shared("a table or a batch"); // Of which the other steps are.
    } else {
      rule.accept(step, check);
    }
  }
}
