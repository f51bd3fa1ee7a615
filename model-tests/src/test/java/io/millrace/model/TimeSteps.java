package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The steps of a history in which time passes or the engine stops.
 *
 * <p>Where several things would happen in one movement of the clock and their order is not
 * specified, the clock stops between them; where that cannot help (leases of one claim end
 * together) the model takes the engine's order over.
 */
final class TimeSteps {

  private static final long ENGINE_SECONDS_MAX = 20;

  /** A leap is more than a second; less would leave open which delays it moves. */
  private static final long LEAP_MS_LEAST = 2_000;

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
      boolean isFine =
          runner.parked().isPresent() || ModelRules.hasDelaysOffEngineTime(world.model);
      long stopMs = Math.min(endMs, nextEventMs(isFine).orElse(endMs));
      long passedMs = stopMs - world.model.time.monotonicMs();
      world.harness.clock().advanceMs(passedMs);
      List<ModelJob> expired = world.model.advance(passedMs);
      if (isFine) {
        world.harness.poke();
      }
      runner.serveParked();
      settle(expired);
    }
  }

  private Optional<Long> nextEventMs(boolean isFine) {
    Set<JobState> states =
        isFine ? EnumSet.of(JobState.LEASED, JobState.DELAYED) : EnumSet.of(JobState.LEASED);
    long[] events = world.model.eventsMonotonicMs(states).toArray();
    if (events.length > 1 && events[0] == events[1]) {
      runner.cancelParked();
    }
    long parkedEnd =
        runner.parked().map(HistoryRunner.Parked::endMonotonicMs).orElse(Long.MAX_VALUE);
    long first = events.length == 0 ? parkedEnd : Math.min(parkedEnd, events[0]);
    return first == Long.MAX_VALUE ? Optional.empty() : Optional.of(first);
  }

  /** Waits until the engine has dealt with the leases that ran out. */
  private void settle(List<ModelJob> ended) {
    if (ended.isEmpty()) {
      return;
    }
    world.harness.poke();
    Set<QueueName> queues = new LinkedHashSet<>();
    for (ModelJob job : ended) {
      JobId id = world.id(job.number);
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ENGINE_SECONDS_MAX);
      while (!hasSettled(job, world.engine().get(id)) && System.nanoTime() - endNs < 0) {
        Thread.onSpinWait();
      }
      assertThat(world.engine().get(id))
          .as("the engine deals with " + job)
          .matches(found -> hasSettled(job, found));
      queues.add(job.queue);
    }
    queues.forEach(this::adoptReadyOrder);
  }

  private boolean hasSettled(ModelJob wanted, Optional<Job> found) {
    if (!world.model.jobs.containsKey(wanted.number)) {
      return found.isEmpty();
    }
    return found.isPresent()
        && found.get().state() == wanted.state
        && found.get().attempts() == wanted.attempts;
  }

  private void adoptReadyOrder(QueueName queue) {
    List<JobId> observed =
        Texts.all(page -> world.engine().peek(queue, JobState.READY, page), 100, Job::id);
    world.model.adoptReadyOrder(queue, job -> observed.indexOf(world.id(job.number)));
  }

  /**
   * Sets the wall clock; what it would leap ahead of engine time is made more than a second, or
   * nothing.
   */
  void stepWall(int seconds) {
    if (world.setup.loading() != Setup.Loading.ALWAYS) {
      return;
    }
    world.harness.poke();
    long ms = 1_000L * seconds;
    long leapMs = world.model.time.wallMs() + ms - world.model.time.nowMs();
    if (leapMs >= 0 && leapMs < LEAP_MS_LEAST) {
      ms += LEAP_MS_LEAST;
    }
    world.harness.clock().stepWallMs(ms);
    world.model.stepWall(ms);
    world.harness.poke();
  }

  void restart(boolean isClean) {
    boolean canLosePower =
        world.kind == StoreKind.FAULTY && world.setup.durability() == Durability.SYNCED;
    boolean isEndOpen = world.setup.claimsAnswer() == ClaimsAnswer.BEFORE_COMMIT || canLosePower;
    if (isClean || isEndOpen || world.model.time.isAheadOfWall()) {
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
    settle(world.model.restart(isClean, world.setup.leasesAtOpen()));
  }
}
