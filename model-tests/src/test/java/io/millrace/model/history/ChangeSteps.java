package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.model.history.World.Held;
import java.time.Instant;

/** The steps of a history in which a job is named and changed. */
final class ChangeSteps {

  private final World world;
  private int payloadCount;

  ChangeSteps(World world) {
    this.world = world;
  }

  void reschedule(Op.Reschedule step) {
    Instant wall = Instant.ofEpochMilli(world.harness.clock().epochMs());
    Instant visibleAt = wall.plusSeconds(step.seconds());
    world
        .chosenJob(step.job())
        .ifPresent(
            number -> {
              RescheduleResult expected =
                  world.model.changes.reschedule(number, visibleAt.toEpochMilli());
              assertThat(world.engine().reschedule(world.id(number), visibleAt))
                  .isEqualTo(expected);
            });
  }

  void update(Op.Update step) {
    UpdateOptions changes = changes(step);
    world
        .chosenJob(step.job())
        .ifPresent(
            number -> {
              UpdateResult expected = world.model.changes.update(number, changes);
              assertThat(world.engine().update(world.id(number), changes)).isEqualTo(expected);
            });
  }

  private UpdateOptions changes(Op.Update step) {
    JobShape shape = step.shape();
    UpdateOptions changes = UpdateOptions.NOTHING;
    for (Op.Field field : step.fields()) {
      changes =
          switch (field) {
            case PRIORITY -> changes.priority(shape.priority());
            case WEIGHT -> changes.weight(shape.weight());
            case PAYLOAD -> changes.payload(shape.payload(-1_000_000 - ++payloadCount));
            case HEADERS -> changes.headers(JobShape.headers(shape.headers()));
            case MAX_ATTEMPTS -> changes.maxAttempts(shape.maxAttempts());
            case BACKOFF -> changes.backoff(JobShape.BACKOFFS.get(shape.backoff()));
            case LEASE -> shape.leaseOptions().map(changes::leaseDuration).orElse(changes);
          };
    }
    return changes;
  }

  void requestCancel(int job) {
    world
        .chosenJob(job)
        .ifPresent(
            number -> {
              CancelResult expected = world.model.changes.requestCancel(number);
              assertThat(world.engine().cancel(world.id(number))).isEqualTo(expected);
              world.held.stream()
                  .filter(held -> held.model().job.number == number && isCurrent(held))
                  .forEach(held -> assertThat(held.engine().cancelRequested()).isTrue());
            });
  }

  private static boolean isCurrent(Held held) {
    return held.model().job.lease.filter(held.model()::equals).isPresent();
  }
}
