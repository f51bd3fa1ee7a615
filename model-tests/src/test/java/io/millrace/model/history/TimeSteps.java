package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelQueue;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The steps of a history in which time passes or the engine stops.
 *
 * <p>Where several things would happen in one movement of the clock and their order is not
 * specified, the clock stops between them; where that cannot help (leases of one claim end
 * together) the model takes the engine's order over.
 */
final class TimeSteps {

  private final HistoryRunner runner;
  private final World world;

  TimeSteps(HistoryRunner runner, World world) {
    this.runner = runner;
    this.world = world;
  }

  /** Lets both clocks go on. */
  void moveBy(long ms) {
    long endMs = world.model.time.monotonicMs() + ms;
    while (world.model.time.monotonicMs() < endMs) {
      // A claim that waits is served at each event; while engine time runs slowly, what a job's end
      // of wait is in engine time hangs on when it is looked at; and of a queue that is not loaded,
      // a lease may end before what was due earlier is seen, and give its slot back before that.
      boolean isFine =
          runner.parked().isPresent()
              || world.model.time.isAheadOfWall()
              || world.setup.loading() != Setup.Loading.ALWAYS;
      long believedMs = world.model.time.believedMonotonicMs();
      long nextMs = Math.min(believedMs, nextEventMs(isFine).orElse(endMs));
      long stopMs = Math.min(endMs, nextMs);
      long passedMs = stopMs - world.model.time.monotonicMs();
      awaitNobodyLooks();
      world.harness.clock().advanceMs(passedMs);
      List<ModelJob> expired = world.model.events.advance(passedMs);
      world.harness.awaitNothingDue();
      if (stopMs == believedMs) {
        // One that is back has unloaded them.
        loadQueues();
        world.harness.awaitNothingDue();
      }
      runner.serveParked();
      settle(expired);
    }
  }

  /** Whoever is between its looks at the two clocks would see one of them moved. */
  private void awaitNobodyLooks() {
    world.harness.awaitNothingDue();
  }

  private Optional<Long> nextEventMs(boolean isFine) {
    Set<JobState> states =
        isFine
            ? EnumSet.of(JobState.LEASED, JobState.DELAYED, JobState.WAITING)
            : EnumSet.of(JobState.LEASED);
    long[] events =
        LongStream.concat(
                world.model.events.eventsMonotonicMs(states),
                LongStream.concat(queueLeaseEnds(), tokens()))
            .sorted()
            .toArray();
    if (events.length > 1 && events[0] == events[1]) {
      runner.cancelParked();
    }
    long parkedEnd =
        runner.parked().map(HistoryRunner.Parked::endMonotonicMs).orElse(Long.MAX_VALUE);
    long first = events.length == 0 ? parkedEnd : Math.min(parkedEnd, events[0]);
    return first == Long.MAX_VALUE ? Optional.empty() : Optional.of(first);
  }

  /** A claim that waits may be served when one ends; nobody else sees when that was. */
  private LongStream queueLeaseEnds() {
    return runner.parked().isEmpty()
        ? LongStream.empty()
        : world.model.queueLeases.all().stream().mapToLong(lease -> lease.deadlineMonotonicMs);
  }

  /** A claim that waits may be served when one comes. */
  private LongStream tokens() {
    return runner.parked().isEmpty() ? LongStream.empty() : world.model.rates.tokensMonotonicMs();
  }

  /** Compares what became of leases that ended, and takes over what their order is. */
  private void settle(List<ModelJob> ended) {
    if (!ended.isEmpty()) {
      // A claim that waited may have been given one of them.
      world.flush();
    }
    Set<QueueName> queues = new LinkedHashSet<>();
    for (ModelJob job : ended) {
      Optional<Job> found = world.engine().get(world.id(job.number));
      assertThat(found.map(it -> it.state() + " attempts=" + it.attempts()))
          .as("what became of " + job)
          .isEqualTo(
              Optional.ofNullable(world.model.jobs.get(job.number))
                  .map(it -> it.state + " attempts=" + it.attempts));
      queues.add(job.queue);
    }
    List<ModelJob> woken = world.model.tallies.takeWoken();
    if (!woken.isEmpty()) {
      world.flush();
      woken.forEach(job -> queues.add(job.queue));
    }
    queues.forEach(this::adoptReadyOrder);
  }

  /**
   * Takes over the engine's order of jobs that became ready after the step, if some of them come
   * after batches: of several batches that end in one call it is not specified which is first.
   */
  void settleWoken(long before) {
    world.harness.awaitNothingDue();
    world.model.tallies.sweep();
    Set<QueueName> queues = new LinkedHashSet<>();
    world.model.tallies.takeWoken().forEach(job -> queues.add(job.queue));
    if (!queues.isEmpty()) {
      world.flush();
    }
    queues.forEach(queue -> adoptReadyOrder(queue, before));
  }

  /** As that, of all jobs that became ready after the step, in no specified order. */
  void settleAll(long before) {
    world.flush();
    world.model.queues.keySet().forEach(queue -> adoptReadyOrder(queue, before));
  }

  private void adoptReadyOrder(QueueName queue, long before) {
    List<ModelJob> entered = world.model.events.entered(queue, step -> step > before);
    if (entered.size() > 1) {
      List<JobId> observed = ready(queue);
      world.model.events.adoptReadyOrder(entered, job -> observed.indexOf(world.id(job.number)));
    }
  }

  private List<JobId> ready(QueueName queue) {
    return Texts.all(page -> world.engine().peek(queue, JobState.READY, page), 100, Job::id);
  }

  private void adoptReadyOrder(QueueName queue) {
    List<JobId> observed = ready(queue);
    world.model.events.adoptReadyOrder(queue, job -> observed.indexOf(world.id(job.number)));
  }

  /**
   * Sets the wall clock. Left out where queues are unloaded, whose delays may run on engine time.
   */
  void stepWall(int seconds) {
    if (world.setup.loading() != Setup.Loading.ALWAYS) {
      return;
    }
    long ms = 1_000L * seconds;
    world.wasWallSet = true;
    // One that was not used since a restart is not loaded.
    loadQueues();
    awaitNobodyLooks();
    world.harness.clock().stepWallMs(ms);
    world.model.events.stepWall(ms);
    world.harness.awaitNothingDue();
    world.flush();
  }

  void restart(boolean isClean) {
    boolean canLosePower =
        world.kind == StoreKind.FAULTY && world.setup.durability() == Durability.SYNCED;
    boolean isEndOpen = world.setup.claimsAnswer() == ClaimsAnswer.BEFORE_COMMIT || canLosePower;
    if (isClean || isEndOpen || world.wasWallSet) {
      // How far engine time and steady time are apart then hangs on when the last commit was.
      world.flush();
    }
    world.held.clear();
    if (isClean) {
      world.harness.restartCleanly();
    } else if (canLosePower) {
      world.harness.losePower();
    } else {
      world.harness.crash();
    }
    List<ModelJob> ended = world.model.events.restart(isClean, world.setup.leasesAtOpen());
    runner.queueLeases.forget();
    if (world.model.time.steadyLeadMs() != 0) {
      loadQueues();
    }
    world.harness.awaitNothingDue();
    settle(ended);
  }

  /** The delays of queues that are not loaded may run on engine time. */
  private void loadQueues() {
    for (ModelQueue queue : world.model.queues.values()) {
      world.engine().queue(queue.name).configure(held -> queue.settings);
    }
  }
}
