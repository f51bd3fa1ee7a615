package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.model.history.Histories;
import io.millrace.model.history.JobShape;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.Op.Field;
import io.millrace.model.history.Op.Sweep;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One call of a seeded history, in plain numbers: which job, lease or queue is meant is worked out
 * when the call is made, so that a history means something whatever was taken out of it.
 */
sealed interface SeededCall {

  /** What is asked; nothing if there is nothing that it could be about. */
  Optional<? extends Question<?>> question(SeededWorld world);

  /** Whether nothing else may be asked with it, because it looks before it asks. */
  default boolean isAlone() {
    return false;
  }

  /** Whether nothing may be asked after it with it, because it fills a batch or needs several. */
  default boolean isLast() {
    return false;
  }

  /**
   * Whether the answer says that it looked, found nothing and asked for nothing: that promises
   * nothing, as with every look at what is not synced yet.
   */
  default boolean isLookOnly(Object answer) {
    return false;
  }

  record Enqueue(int queue, int count, JobShape shape, Durability level) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(JobQuestions.enqueue(world, this));
    }
  }

  /** A claim; a lease of no seconds means that the claim does not say. */
  record Claim(int queues, int worker, int max, int leaseSeconds, Durability level)
      implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(LeaseQuestions.claim(world, this));
    }

    /** The order among several queues is looked at first. */
    @Override
    public boolean isAlone() {
      return Integer.bitCount(queues) > 1;
    }
  }

  /** A claim that waits while later calls are made; only one at a time. */
  record Wait(int queue, int worker, int max, int seconds, Durability level) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.waiting.isPresent()
          ? Optional.empty()
          : Optional.of(LeaseQuestions.wait(world, this));
    }

    SeededWaiting waiting(SeededWorld world, Asked<List<Lease>> claim) {
      long endMs = world.seeded.clock().passedMs() + 1_000L * seconds;
      return new SeededWaiting(world, Histories.queue(queue), endMs, claim);
    }
  }

  /** Somebody wants a queue for himself. */
  record LeaseQueue(int queue, int worker, int seconds) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueLeaseQuestions.lease(world, this));
    }
  }

  /** A claim through a lease on a queue. */
  record QueueClaim(int lease, int max) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenQueueLease(lease).map(held -> QueueLeaseQuestions.claim(world, held, max));
    }
  }

  record QueueExtend(int lease, int seconds) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world
          .chosenQueueLease(lease)
          .map(held -> QueueLeaseQuestions.extend(world, held, seconds));
    }
  }

  record QueueClose(int lease) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenQueueLease(lease).map(held -> QueueLeaseQuestions.close(world, held));
    }
  }

  /** Whoever has the queue loses it. */
  record EndQueueLease(int queue) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueLeaseQuestions.end(world, Histories.queue(queue)));
    }
  }

  record Finish(Ending ending, int lease, int seconds, Durability level) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenLease(lease).map(held -> LeaseQuestions.finish(world, held, this));
    }
  }

  /** One call for several leases, of which some may be the same. */
  record FinishMany(Ending ending, List<Integer> leases, int seconds) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenLease(0).map(any -> LeaseQuestions.finishMany(world, this));
    }
  }

  record Cancel(int job, Durability level) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.cancel(world, number, level));
    }
  }

  record RequestCancel(int job) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.requestCancel(world, number));
    }
  }

  record Reschedule(int job, int seconds) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.reschedule(world, number, seconds));
    }
  }

  record Update(int job, Set<Field> fields, JobShape shape) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.update(world, number, this));
    }
  }

  record Redrive(int job) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.redrive(world, number));
    }
  }

  record DeleteDead(int job) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return world.chosenJob(job).map(number -> JobQuestions.deleteDead(world, number));
    }

    @Override
    public boolean isAlone() {
      return true;
    }

    @Override
    public boolean isLookOnly(Object answer) {
      return answer.equals(false);
    }
  }

  /** All dead letters of a queue. */
  record SweepDead(Sweep sweep, int queue) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.sweepDead(world, this));
    }

    @Override
    public boolean isAlone() {
      return true;
    }

    @Override
    public boolean isLookOnly(Object answer) {
      return answer.equals(0L);
    }
  }

  /** Settings of a queue: what is 0 is left out. */
  record Configure(
      int queue,
      int leaseSeconds,
      int depthMax,
      boolean isExpiryWithBackoff,
      int keepSeconds,
      int keepDeadSeconds)
      implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.configure(world, this));
    }

    /** What is changed is looked at first. */
    @Override
    public boolean isAlone() {
      return true;
    }
  }

  record Serve(int queue, boolean isPaused) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.serve(world, Histories.queue(queue), isPaused));
    }
  }

  record Drain(int queue, boolean isDraining) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.drain(world, Histories.queue(queue), isDraining));
    }

    @Override
    public boolean isAlone() {
      return true;
    }
  }

  record Purge(int queue, JobState state) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.purge(world, Histories.queue(queue), state));
    }

    @Override
    public boolean isLast() {
      return true;
    }
  }

  record DeleteQueue(int queue) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.delete(world, Histories.queue(queue)));
    }

    /** What is left of the queue goes with batches of its own. */
    @Override
    public boolean isLast() {
      return true;
    }
  }

  /** Makes the engine write something. */
  record Flush(int count) implements SeededCall {
    @Override
    public Optional<? extends Question<?>> question(SeededWorld world) {
      return Optional.of(QueueQuestions.flush(world, count));
    }
  }
}
