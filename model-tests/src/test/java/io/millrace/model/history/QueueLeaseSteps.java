package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueueLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps of a history that are taken with leases on whole queues. */
final class QueueLeaseSteps {

  private final World world;

  /** Every lease on a queue since the engine was opened. */
  private final List<HeldQueue> held = new ArrayList<>();

  /** A lease on a queue in both. */
  record HeldQueue(ModelQueueLease model, QueueLease engine) {}

  QueueLeaseSteps(World world) {
    this.world = world;
  }

  void lease(Op.LeaseQueue step) {
    QueueName queue = Histories.queue(step.queue());
    String worker = World.by(step.worker()).worker();
    Optional<ModelQueueLease> expected =
        world.model.queueLeases.lease(queue, worker, 1_000L * step.seconds());
    QueueLeaseResult result =
        world.engine().leaseQueue(queue, worker, Duration.ofSeconds(step.seconds()));
    assertThat(result.isDone()).as("whether %s is leased", queue).isEqualTo(expected.isPresent());
    if (result instanceof QueueLeaseResult.QueueLeased other) {
      assertThat(holders()).contains(holder(other.queue(), other.worker()));
    } else {
      world.noteToken(result.orThrow().token());
      held.add(new HeldQueue(expected.orElseThrow(), result.orThrow()));
    }
    check();
  }

  /** The lease meant by a number: small ones are recent; nothing if there was none. */
  Optional<HeldQueue> chosen(int number) {
    return held.isEmpty()
        ? Optional.empty()
        : Optional.of(held.get(held.size() - 1 - number % held.size()));
  }

  void claim(Op.QueueClaim step) {
    chosen(step.lease()).ifPresent(lease -> claim(lease, step.max()));
  }

  private void claim(HeldQueue lease, int max) {
    ClaimOptions options = ClaimOptions.by(lease.model().worker).max(max);
    boolean isCurrent = lease.model().isCurrent();
    List<ModelLease> expected =
        isCurrent ? world.model.claims.claim(lease.model(), options) : List.of();
    world.answer(
        () -> lease.engine().claim(options),
        () -> lease.engine().claimAsync(options),
        result -> {
          if (isCurrent) {
            List<Lease> leases = result.orThrow();
            world.hold(expected, leases);
          } else {
            assertThat(result).isEqualTo(new QueueClaimResult.StaleLease());
          }
        });
  }

  void extend(Op.QueueExtend step) {
    chosen(step.lease())
        .ifPresent(
            lease -> {
              boolean isExtended =
                  world.model.queueLeases.extend(lease.model(), 1_000L * step.seconds());
              assertThat(lease.engine().extend(Duration.ofSeconds(step.seconds())))
                  .isEqualTo(
                      isExtended
                          ? new QueueExtendResult.Extended(remaining(lease))
                          : new QueueExtendResult.StaleLease());
            });
    check();
  }

  void close(int number) {
    chosen(number)
        .ifPresent(
            lease -> {
              world.model.queueLeases.close(lease.model());
              lease.engine().close();
            });
    check();
  }

  void end(int queue) {
    QueueName name = Histories.queue(queue);
    assertThat(world.engine().admin().endQueueLease(name))
        .isEqualTo(world.model.queueLeases.end(name));
    check();
  }

  /** The engine has ended, and they with it. */
  void forget() {
    held.clear();
    check();
  }

  /** Compares who has what, and for how long. */
  void check() {
    List<LeasedQueue> all = world.engine().admin().queueLeases();
    assertThat(all)
        .extracting(lease -> holder(lease.queue(), lease.worker()))
        .containsExactlyInAnyOrderElementsOf(holders());
    for (HeldQueue lease : held) {
      assertThat(lease.engine().remaining()).isEqualTo(remaining(lease));
    }
  }

  private List<String> holders() {
    return world.model.queueLeases.all().stream()
        .map(lease -> holder(lease.queue, lease.worker))
        .toList();
  }

  private static String holder(QueueName queue, String worker) {
    return worker + " has " + queue;
  }

  private Duration remaining(HeldQueue lease) {
    long leftMs = lease.model().deadlineMonotonicMs - world.model.time.monotonicMs();
    return Duration.ofMillis(lease.model().isCurrent() ? leftMs : 0);
  }
}
