package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.RateLimit;
import io.millrace.api.RedriveResult;
import io.millrace.model.ModelJob;
import io.millrace.model.history.World.Born;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The steps of a history that an operator takes. */
final class OperatorSteps {

  /** One that is always waited for, one that lets some through, one that hardly limits. */
  static final List<RateLimit> LIMITS =
      List.of(
          RateLimit.of(1, Duration.ofSeconds(3)),
          RateLimit.of(3, Duration.ofSeconds(7)).burst(2),
          RateLimit.of(10, Duration.ofSeconds(1)).burst(4));

  private final World world;

  OperatorSteps(World world) {
    this.world = world;
  }

  void cancel(int job) {
    world
        .chosenJob(job)
        .ifPresent(
            number ->
                assertThat(world.engine().cancelIfWaiting(world.id(number)))
                    .isEqualTo(world.model.operator.cancel(number)));
  }

  void release(int job) {
    world
        .chosenJob(job)
        .ifPresent(
            number ->
                assertThat(world.engine().admin().release(world.id(number)))
                    .isEqualTo(world.model.operator.release(number)));
  }

  void redrive(int job, Checkpointed checkpointed) {
    world
        .chosenJob(job)
        .ifPresent(
            number -> {
              Born born = world.born(number);
              assertThat(deadLetters(born.queue()).redrive(born.id(), checkpointed))
                  .isEqualTo(world.model.operator.redrive(number, checkpointed, world::id));
            });
  }

  void deleteDead(int job) {
    world
        .chosenJob(job)
        .ifPresent(
            number -> {
              Born born = world.born(number);
              assertThat(deadLetters(born.queue()).delete(born.id()))
                  .isEqualTo(world.model.operator.deleteDead(number));
            });
  }

  void sweepDead(Op.SweepDead step) {
    QueueName queue = Histories.queue(step.queue());
    DeadFilter filter = filter(step.filter());
    List<ModelJob> matching = world.model.operator.deadLetters(queue, filter);
    switch (step.sweep()) {
      case LIST -> {
        world.flush();
        assertThat(
                Texts.all(
                    page -> deadLetters(queue).list(filter, page), 3, job -> job.id().toString()))
            .isEqualTo(matching.stream().map(job -> world.id(job.number).toString()).toList());
      }
      case REDRIVE -> {
        long count =
            matching.stream()
                .map(
                    job -> world.model.operator.redrive(job.number, step.checkpointed(), world::id))
                .filter(RedriveResult::isDone)
                .count();
        assertThat(deadLetters(queue).redriveAll(filter, step.checkpointed()))
            .as("redriven")
            .isEqualTo(count);
      }
      case DELETE -> {
        matching.forEach(job -> world.model.operator.deleteDead(job.number));
        assertThat(deadLetters(queue).deleteAll(filter)).as("deleted").isEqualTo(matching.size());
      }
    }
  }

  /** All; by a text; by the time of death, to be met by half of the jobs that died so far. */
  private DeadFilter filter(int kind) {
    Instant now = Instant.ofEpochMilli(world.model.time.nowMs());
    return switch (kind) {
      case 1 -> DeadFilter.ALL.errorContains("oo");
      case 2 -> DeadFilter.ALL.diedBefore(now.minusSeconds(20));
      case 3 -> DeadFilter.ALL.diedSince(now.minusSeconds(20)).errorContains(LeaseSteps.TRAIN);
      default -> DeadFilter.ALL;
    };
  }

  void configure(Op.Configure step) {
    QueueName queue = Histories.queue(step.queue());
    QueueSettings settings =
        QueueSettings.DEFAULT.expiry(
            step.isExpiryWithBackoff() ? Expiry.BACKOFF : Expiry.READY_AT_ONCE);
    settings =
        step.leaseSeconds() > 0
            ? settings.leaseDuration(Duration.ofSeconds(step.leaseSeconds()))
            : settings;
    settings = step.depthMax() > 0 ? settings.depthMax(step.depthMax()) : settings;
    settings =
        step.keepSeconds() > 0
            ? settings.resultRetention(Duration.ofSeconds(step.keepSeconds()))
            : settings;
    settings =
        step.keepDeadSeconds() > 0
            ? settings.deadRetention(Duration.ofSeconds(step.keepDeadSeconds()))
            : settings;
    settings = step.perKey() > 0 ? settings.perKey(step.perKey()) : settings;
    settings = step.isStrict() ? settings.keyOrder(KeyOrder.STRICT) : settings;
    QueueSettings held = world.model.queue(queue).settings;
    settings = held.rateLimit().map(settings::rateLimit).orElse(settings);
    settings = held.rateLimitPerKey().map(settings::rateLimitPerKey).orElse(settings);
    configure(queue, settings);
  }

  void limit(Op.Limit step) {
    QueueName queue = Histories.queue(step.queue());
    QueueSettings settings = world.model.queue(queue).settings;
    settings =
        step.ofQueue() == 0
            ? settings.noRateLimit()
            : settings.rateLimit(LIMITS.get(step.ofQueue() - 1));
    settings =
        step.perKey() == 0
            ? settings.noRateLimitPerKey()
            : settings.rateLimitPerKey(LIMITS.get(step.perKey() - 1));
    configure(queue, settings);
  }

  private void configure(QueueName queue, QueueSettings settings) {
    world.model.configure(queue, settings);
    QueueSettings changed = settings;
    world.engine().queue(queue).configure(held -> changed);
    assertThat(world.engine().queue(queue).settings()).isEqualTo(settings);
    // Blocked jobs that may go on do so in steps.
    world.harness.awaitNothingDue();
  }

  void serve(int queue, boolean isPaused) {
    QueueName name = Histories.queue(queue);
    world.model.setPaused(name, isPaused);
    if (isPaused) {
      world.engine().queue(name).pause();
    } else {
      world.engine().queue(name).resume();
    }
  }

  private DeadLetters deadLetters(QueueName queue) {
    return world.engine().queue(queue).deadLetters();
  }
}
