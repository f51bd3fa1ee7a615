package io.millrace.model.history;

import io.millrace.api.DeadLetters.Checkpointed;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One step of a history, in plain numbers: which job, lease or queue is meant is worked out when
 * the step is run, so that a history means something whatever was taken out of it.
 */
public sealed interface Op {

  /** Does the step on the model and on the engine and compares the answers. */
  void run(HistoryRunner runner);

  /** Whether the step may be one of a group that is submitted at once. */
  default boolean canBeGrouped() {
    return false;
  }

  /** Whether the step may happen while a claim is parked, whose grant it then decides. */
  default boolean canMeetParkedClaim() {
    return false;
  }

  record Enqueue(int queue, int count, JobShape shape) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.enqueue(queue, count, shape);
    }

    @Override
    public boolean canBeGrouped() {
      return true;
    }

    @Override
    public boolean canMeetParkedClaim() {
      return count == 1;
    }
  }

  /** A claim; a lease of no seconds means that the claim does not say. */
  record Claim(int queues, int worker, int max, int leaseSeconds, int capacity, int maxWeight)
      implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.claim(this);
    }

    @Override
    public boolean canBeGrouped() {
      return true;
    }
  }

  /** A claim that waits while later steps are run. */
  record Park(int queues, int worker, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.park(this);
    }
  }

  /** A claim across all tenants of a name. */
  record ClaimAcross(int worker, int max, int capacity) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.tenants.claim(this);
    }
  }

  /** A claim across all tenants of a name that waits while later steps are run. */
  record ParkAcross(int worker, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.park(this);
    }
  }

  record LeaseQueue(int queue, int worker, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.queueLeases.lease(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** A claim through a lease on a queue. */
  record QueueClaim(int lease, int max) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.queueLeases.claim(this);
    }

    @Override
    public boolean canBeGrouped() {
      return true;
    }
  }

  /** A claim through a lease on a queue that waits while later steps are run. */
  record QueuePark(int lease, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.park(this);
    }
  }

  record QueueExtend(int lease, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.queueLeases.extend(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record QueueClose(int lease) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.queueLeases.close(lease);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record EndQueueLease(int queue) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.queueLeases.end(queue);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** A step of {@link BatchSteps}. */
  non-sealed interface OfBatches extends Op {}

  /** A step of {@link SignalSteps}. */
  non-sealed interface OfSignals extends Op {}

  /** What can be done with a lease. */
  enum Ending {
    COMPLETE,
    FAIL,
    FAIL_PERMANENTLY,
    FAIL_WITH_DELAY,
    RELEASE,
    SNOOZE_FOR,
    SNOOZE_UNTIL,
    SNOOZE_UNTIL_PAST,
    EXTEND,
    CHECKPOINT,
    CLOSE;

    boolean isAsync() {
      return this == COMPLETE || this == RELEASE || this == EXTEND || name().startsWith("FAIL");
    }
  }

  record Finish(Ending ending, int lease, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.leases.finish(this);
    }

    @Override
    public boolean canBeGrouped() {
      return ending.isAsync();
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** One call for several leases, of which some may be the same. */
  record FinishMany(Ending ending, List<Integer> leases, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.leases.finishMany(this);
    }

    @Override
    public boolean canBeGrouped() {
      return true;
    }
  }

  record Cancel(int job) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.cancel(job);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** Takes the lease on a job away. */
  record ReleaseJob(int job) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.release(job);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** Waits until that many seconds from now on the wall clock, which may be past. */
  record Reschedule(int job, int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.changes.reschedule(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** What an update may change. */
  enum Field {
    PRIORITY,
    WEIGHT,
    PAYLOAD,
    HEADERS,
    MAX_ATTEMPTS,
    BACKOFF,
    LEASE
  }

  /** The fields change to what the shape says. */
  record Update(int job, Set<Field> fields, JobShape shape) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.changes.update(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record RequestCancel(int job) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.changes.requestCancel(job);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record Redrive(int job, Checkpointed checkpointed) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.redrive(job, checkpointed);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record DeleteDead(int job) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.deleteDead(job);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** What is done with all the dead letters that a filter finds. */
  enum Sweep {
    LIST,
    REDRIVE,
    DELETE
  }

  record SweepDead(Sweep sweep, Checkpointed checkpointed, int queue, int filter) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.sweepDead(this);
    }
  }

  /** Settings of a queue: what is 0 is left out. */
  record Configure(
      int queue,
      int leaseSeconds,
      int depthMax,
      boolean isExpiryWithBackoff,
      int keepSeconds,
      int keepDeadSeconds,
      int perKey,
      boolean isStrict)
      implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.configure(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** Rate limits of a queue, by their places among those that histories use; 0 for none. */
  record Limit(int queue, int ofQueue, int perKey) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.limit(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record Serve(int queue, boolean isPaused) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.operators.serve(queue, isPaused);
    }
  }

  /** Jobs of the states whose bits are set are removed. */
  record Purge(int queue, int states) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.removals.purge(queue, states);
    }
  }

  record Drain(int queue, boolean isDraining) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.removals.drain(queue, isDraining);
    }
  }

  record DeleteQueue(int queue) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.removals.deleteQueue(queue);
    }
  }

  /**
   * Steps on single jobs that happen together or not at all.
   *
   * @param between what somebody else does when they have been asked for, and ids have been told
   */
  record Transact(List<Op> parts, Optional<Op> between) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.transactions.run(this, () -> between.ifPresent(op -> op.run(runner)));
    }
  }

  /** Steps submitted while the store is busy, so that they make one group. */
  record Burst(List<Op> steps) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.burst(steps.stream().filter(Op::canBeGrouped).toList());
    }
  }

  record Advance(int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.time.moveBy(1_000L * seconds);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  record StepWall(int seconds) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.time.stepWall(seconds);
    }
  }

  record Restart(boolean isClean) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      runner.time.restart(isClean);
    }
  }

  record Check(int pageSize) implements Op {
    @Override
    public void run(HistoryRunner runner) {
      ContentCheck.of(runner.world, pageSize);
    }
  }
}
