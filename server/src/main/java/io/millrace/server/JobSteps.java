package io.millrace.server;

import static io.millrace.server.Replay.after;

import io.millrace.api.AfterCommit;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Transaction;
import io.millrace.api.WaitResult;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.TransactionCalls.Step;
import io.millrace.protocol.TransactionCalls.StepAnswer;
import java.util.function.Supplier;

/** The steps of transactions that name a job, or a lease. */
final class JobSteps {

  private JobSteps() {}

  /** Asks the transaction for the step. */
  static Supplier<StepAnswer> carryOut(JobQueues queues, Transaction tx, Step step) {
    if (step instanceof Step.Cancel cancel) {
      return after(
          cancel.onlyIfWaiting() ? tx.cancelIfWaiting(cancel.jobId()) : tx.cancel(cancel.jobId()),
          StepAnswer.Cancelled::new);
    } else if (step instanceof Step.ReleaseJob release) {
      return after(tx.release(release.jobId()), StepAnswer.JobReleased::new);
    } else if (step instanceof Step.Reschedule reschedule) {
      return after(
          tx.reschedule(reschedule.jobId(), reschedule.visibleAt()), StepAnswer.Rescheduled::new);
    } else if (step instanceof Step.Update update) {
      return after(tx.update(update.jobId(), update.changes()), StepAnswer.Updated::new);
    } else if (step instanceof Step.Signal signal) {
      return after(
          tx.signal(signal.jobId(), signal.signal(), signal.payload()), StepAnswer.Signalled::new);
    } else if (step instanceof Step.Redrive redrive) {
      return after(tx.redrive(redrive.jobId(), redrive.checkpointed()), StepAnswer.Redriven::new);
    }
    return ofLease(queues, tx, step);
  }

  private static Supplier<StepAnswer> ofLease(JobQueues queues, Transaction tx, Step step) {
    if (step instanceof Step.Complete complete) {
      Lease lease = lease(queues, complete.lease());
      if (complete.result().isPresent()) {
        tx.complete(lease, complete.result().get());
      } else {
        tx.complete(lease);
      }
      return StepAnswer.Done::new;
    } else if (step instanceof Step.Fail fail) {
      return after(
          tx.fail(lease(queues, fail.lease()), fail.error(), fail.options()),
          StepAnswer.Failed::new);
    } else if (step instanceof Step.Release release) {
      return after(tx.release(lease(queues, release.lease())), StepAnswer.Released::new);
    } else if (step instanceof Step.Snooze snooze) {
      return snooze(tx, lease(queues, snooze.lease()), snooze);
    } else if (step instanceof Step.WaitFor wait) {
      return after(waitFor(tx, lease(queues, wait.lease()), wait), StepAnswer.Waiting::new);
    } else if (step instanceof Step.Extend extend) {
      return after(
          tx.extend(lease(queues, extend.lease()), extend.duration()), StepAnswer.Extended::new);
    } else if (step instanceof Step.Checkpoint checkpoint) {
      return after(
          tx.checkpoint(lease(queues, checkpoint.lease()), checkpoint.state()),
          StepAnswer.Extended::new);
    }
    throw new IllegalArgumentException("step is of no kind that the server knows: " + step);
  }

  private static Lease lease(JobQueues queues, LeaseRef named) {
    return queues.lease(named.jobId(), named.token());
  }

  private static Supplier<StepAnswer> snooze(Transaction tx, Lease lease, Step.Snooze step) {
    if (step.until().isPresent() == step.delay().isPresent()) {
      throw new IllegalArgumentException("give one of untilMs and delayMs");
    }
    return after(
        step.until().isPresent()
            ? tx.snooze(lease, step.until().get())
            : tx.snooze(lease, step.delay().get()),
        StepAnswer.Released::new);
  }

  private static AfterCommit<WaitResult> waitFor(Transaction tx, Lease lease, Step.WaitFor step) {
    if (step.signal().isPresent() == step.batch().isPresent()) {
      throw new IllegalArgumentException("give one of signal and batch");
    }
    if (step.deadline().isPresent() && step.most().isPresent()) {
      throw new IllegalArgumentException("deadlineMs and mostMs are both given: give one");
    }
    if (step.batch().isPresent()) {
      return tx.waitFor(lease, step.batch().get());
    }
    String signal = step.signal().orElseThrow();
    if (step.deadline().isPresent()) {
      return tx.waitFor(lease, signal, step.deadline().get());
    }
    return step.most().isPresent()
        ? tx.waitFor(lease, signal, step.most().get())
        : tx.waitFor(lease, signal);
  }
}
