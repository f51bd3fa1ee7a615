package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.ModelLease;
import io.millrace.model.history.Histories;
import io.millrace.model.history.World;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.outage.Question.Terms;
import io.millrace.model.outage.SeededWorld.HeldQueue;
import io.millrace.spi.StoreFullException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What is asked about leases on whole queues, and through them. */
final class QueueLeaseQuestions {

  private QueueLeaseQuestions() {}

  static Question<QueueLeaseResult> lease(SeededWorld world, SeededCall.LeaseQueue call) {
    QueueName queue = Histories.queue(call.queue());
    String worker = World.by(call.worker()).worker();
    Duration duration = Duration.ofSeconds(call.seconds());
    return new Question<>(
        terms(world),
        seeded -> seeded.ask(() -> seeded.engine().leaseQueue(queue, worker, duration)),
        (model, told) -> {
          Optional<Integer> granted = model.leaseQueue(queue, worker, duration.toMillis());
          return result -> {
            assertThat(result.isDone()).isEqualTo(granted.isPresent());
            granted.ifPresent(number -> world.holdQueue(number, result.orThrow()));
          };
        });
  }

  /** A stale lease gets nothing, and is told apart from an empty queue. */
  static Question<List<Lease>> claim(SeededWorld world, HeldQueue held, int max) {
    ClaimOptions options = ClaimOptions.by(held.handle().worker()).max(max);
    AtomicBoolean isStale = new AtomicBoolean();
    return new Question<>(
        new Terms(Kind.CLAIMS, world.setup.durability()),
        seeded ->
            held.handle()
                .claimAsync(options)
                .thenApply(
                    result -> {
                      isStale.set(result instanceof QueueClaimResult.StaleLease);
                      return isStale.get() ? List.of() : result.orThrow();
                    }),
        (model, told) -> {
          int first = model.grantedCount();
          boolean isCurrent = model.queueLease(held.number()).isCurrent();
          List<ModelLease> expected = model.claimThrough(held.number(), options, told);
          Consumer<List<Lease>> check = LeaseQuestions.check(world, model, first, expected);
          return leases -> {
            assertThat(isStale.get()).as("told that the lease is stale").isEqualTo(!isCurrent);
            check.accept(leases);
          };
        });
  }

  static Question<QueueExtendResult> extend(SeededWorld world, HeldQueue held, int seconds) {
    Duration duration = Duration.ofSeconds(seconds);
    return new Question<>(
        terms(world),
        seeded -> seeded.ask(() -> held.handle().extend(duration)),
        (model, told) -> {
          boolean isExtended = model.extendQueueLease(held.number(), duration.toMillis());
          long leftMs = model.queueLeaseLeftMs(held.number());
          QueueExtendResult expected =
              isExtended
                  ? new QueueExtendResult.Extended(Duration.ofMillis(leftMs))
                  : new QueueExtendResult.StaleLease();
          return result -> assertThat(result).isEqualTo(expected);
        });
  }

  static Question<Boolean> close(SeededWorld world, HeldQueue held) {
    return JobQuestions.blocking(
        terms(world),
        engine -> {
          held.handle().close();
          requireEnded(held.handle(), engine);
          return true;
        },
        model -> {
          model.model.queueLeases.close(model.queueLease(held.number()));
          return true;
        });
  }

  /** A lease that cannot be ended is left to its time, and nobody is told why. */
  private static void requireEnded(QueueLease lease, JobEngine engine) {
    if (!lease.remaining().isZero()) {
      throw engine.poison().isPresent()
          ? new OutcomeUnknownException("the queue is still leased", engine.poison().get())
          : new StoreFullException("the queue is still leased");
    }
  }

  static Question<Boolean> end(SeededWorld world, QueueName queue) {
    return JobQuestions.blocking(
        terms(world),
        engine -> engine.admin().endQueueLease(queue),
        model -> model.model.queueLeases.end(queue));
  }

  private static Terms terms(SeededWorld world) {
    return new Terms(Kind.LEASES_QUEUE, world.setup.durability());
  }
}
