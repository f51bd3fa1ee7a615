package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.model.ModelHolder;
import io.millrace.model.ModelLease;
import io.millrace.model.ReferenceModel;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.Op.Finish;
import io.millrace.model.history.Op.FinishMany;
import io.millrace.model.history.World.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The steps of a history that a lease's holder takes. */
public final class LeaseSteps {

  /** Texts of errors: an ordinary one, one that must be cut inside a character, an empty one. */
  public static final List<String> ERRORS = List.of("boom", "x" + "\uD83D\uDE82".repeat(2_000), "");

  /** Part of one of them, and of nothing that the engine itself would say. */
  static final String TRAIN = "x\uD83D\uDE82";

  private final World world;
  private int checkpointCount;

  LeaseSteps(World world) {
    this.world = world;
  }

  void finish(Finish step) {
    if (world.held.isEmpty()) {
      return;
    }
    Held held = world.chosenLease(step.lease());
    Lease lease = held.engine();
    Duration duration = Duration.ofSeconds(step.seconds());
    switch (step.ending()) {
      case COMPLETE -> {
        if (step.seconds() % 2 == 0) {
          CompleteResult expected = world.model.holder.complete(held.model());
          world.answer(
              lease::complete,
              lease::completeAsync,
              answer -> assertThat(answer).isEqualTo(expected));
        } else {
          completeWithResult(held, new byte[step.seconds() * 700]);
        }
      }
      case FAIL, FAIL_PERMANENTLY, FAIL_WITH_DELAY -> fail(held, step.ending(), step.seconds());
      case RELEASE -> {
        ReleaseResult expected = world.model.holder.release(held.model());
        world.answer(
            lease::release, lease::releaseAsync, result -> assertThat(result).isEqualTo(expected));
      }
      case EXTEND -> {
        ExtendResult expected = extended(held, world.model.holder.extend(held.model(), duration));
        world.answer(
            () -> lease.extend(duration),
            () -> lease.extendAsync(duration),
            result -> assertThat(result).isEqualTo(expected));
      }
      case SNOOZE_FOR ->
          assertThat(lease.snooze(duration))
              .isEqualTo(world.model.holder.snooze(held.model(), duration));
      case SNOOZE_UNTIL -> snoozeUntil(held, wall().plus(duration));
      case SNOOZE_UNTIL_PAST -> snoozeUntil(held, wall().minus(duration));
      case CHECKPOINT -> {
        byte[] payload =
            new JobShape(0, JobShape.Visible.NOW, 0, 1, 0, 0, 1, 0, step.seconds() * 90, 0, 0, 0, 0)
                .payload(--checkpointCount);
        boolean isExtended = world.model.holder.checkpoint(held.model(), payload);
        assertThat(lease.checkpoint(payload)).isEqualTo(extended(held, isExtended));
      }
      case CLOSE -> {
        if (!held.model().isFinished) {
          world.model.holder.fail(held.model(), Lease.CLOSED_ERROR, FailOptions.RETRY);
        }
        lease.close();
      }
    }
    held.model().isFinished |= step.ending() != Ending.EXTEND && step.ending() != Ending.CHECKPOINT;
  }

  private void completeWithResult(Held held, byte[] result) {
    CompleteResult expected = world.model.holder.complete(held.model(), Optional.of(result));
    Lease lease = held.engine();
    world.answer(
        () -> lease.complete(result),
        () -> lease.completeAsync(result),
        answer -> assertThat(answer).isEqualTo(expected));
  }

  private void snoozeUntil(Held held, Instant until) {
    assertThat(held.engine().snooze(until))
        .isEqualTo(world.model.holder.snooze(held.model(), until));
  }

  private void fail(Held held, Ending ending, int seconds) {
    String error = ERRORS.get(seconds % ERRORS.size());
    FailOptions options = options(ending, seconds);
    FailResult expected = expectedFail(held, error, options);
    Lease lease = held.engine();
    world.answer(
        () -> lease.fail(error, options),
        () -> lease.failAsync(error, options),
        result -> assertThat(result).isEqualTo(expected));
  }

  void finishMany(FinishMany step) {
    if (world.held.isEmpty()) {
      return;
    }
    world.model.slots.call(() -> finishAll(step));
  }

  private void finishAll(FinishMany step) {
    List<Held> chosen = step.leases().stream().map(world::chosenLease).toList();
    List<Lease> leases = chosen.stream().map(Held::engine).toList();
    Duration duration = Duration.ofSeconds(step.seconds());
    switch (step.ending()) {
      case FAIL, FAIL_PERMANENTLY, FAIL_WITH_DELAY -> {
        FailOptions options = options(step.ending(), step.seconds());
        List<FailResult> expected =
            chosen.stream().map(held -> expectedFail(held, "many", options)).toList();
        world.answer(
            () -> world.engine().failAll(leases, "many", options),
            () -> world.engine().failAllAsync(leases, "many", options),
            results -> assertThat(results).isEqualTo(expected));
      }
      case RELEASE, SNOOZE_FOR, SNOOZE_UNTIL, SNOOZE_UNTIL_PAST, CLOSE -> {
        List<ReleaseResult> expected =
            chosen.stream().map(held -> world.model.holder.release(held.model())).toList();
        world.answer(
            () -> world.engine().releaseAll(leases),
            () -> world.engine().releaseAllAsync(leases),
            results -> assertThat(results).isEqualTo(expected));
      }
      case EXTEND, CHECKPOINT -> {
        List<ExtendResult> expected =
            chosen.stream()
                .map(held -> extended(held, world.model.holder.extend(held.model(), duration)))
                .toList();
        world.answer(
            () -> world.engine().extendAll(leases, duration),
            () -> world.engine().extendAllAsync(leases, duration),
            results -> assertThat(results).isEqualTo(expected));
      }
      case COMPLETE -> {
        List<CompleteResult> expected =
            chosen.stream().map(held -> world.model.holder.complete(held.model())).toList();
        world.answer(
            () -> world.engine().completeAll(leases),
            () -> world.engine().completeAllAsync(leases),
            results -> assertThat(results).isEqualTo(expected));
      }
    }
    chosen.forEach(
        held ->
            held.model().isFinished |=
                step.ending() != Ending.EXTEND && step.ending() != Ending.CHECKPOINT);
  }

  private Instant wall() {
    return Instant.ofEpochMilli(world.harness.clock().epochMs());
  }

  public static FailOptions options(Ending ending, int seconds) {
    return switch (ending) {
      case FAIL_PERMANENTLY -> FailOptions.PERMANENT;
      case FAIL_WITH_DELAY -> FailOptions.RETRY.delay(Duration.ofSeconds(seconds));
      default -> FailOptions.RETRY;
    };
  }

  private FailResult expectedFail(Held held, String error, FailOptions options) {
    return failResult(
        world.model, held.model(), world.model.holder.fail(held.model(), error, options));
  }

  /** What the engine answers to a fail that ended so in the model. */
  public static FailResult failResult(
      ReferenceModel model, ModelLease lease, ModelHolder.FailOutcome outcome) {
    return switch (outcome) {
      case RETRIED ->
          new FailResult.Retried(Instant.ofEpochMilli(lease.job.visibleAtMs(model.time)));
      case DEAD -> new FailResult.Died();
      case CANCELLED -> new FailResult.Cancelled();
      case STALE_LEASE -> new FailResult.StaleLease();
      case GONE -> new FailResult.Gone();
    };
  }

  private ExtendResult extended(Held held, boolean isExtended) {
    return extendResult(world.model, held.model(), isExtended);
  }

  /** What the engine answers to an extension that the model has made or refused. */
  public static ExtendResult extendResult(
      ReferenceModel model, ModelLease lease, boolean isExtended) {
    if (isExtended) {
      return new ExtendResult.Extended(
          Duration.ofMillis(lease.remainingMs(model.time)), lease.job.isCancelRequested);
    }
    return model.holder.isGone(lease) ? new ExtendResult.Gone() : new ExtendResult.StaleLease();
  }
}
