package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.model.history.World;
import io.millrace.model.seeds.StoreEvent;
import io.millrace.spi.StoreFullException;
import java.util.List;
import java.util.Optional;

/**
 * A claim that waits for a job, for as many rounds as it takes: it is served as soon as there is
 * one, in the same batch.
 */
final class SeededWaiting {

  private final SeededWorld world;
  private final QueueName queue;
  private final long endMs;
  private final Asked<List<Lease>> claim;

  SeededWaiting(SeededWorld world, QueueName queue, long endMs, Asked<List<Lease>> claim) {
    this.world = world;
    this.queue = queue;
    this.endMs = endMs;
    this.claim = claim;
  }

  /** It was served in a group that was then refused: it keeps its leases. */
  void keepIfRefused(SeededRound round, List<StoreEvent> events) {
    Optional<StoreEvent> refused = claim.refusedAfter(events);
    if (refused.isPresent() && !claim.answer().isEmpty()) {
      round.keep(claim, refused.get().number());
      leave();
    }
  }

  /**
   * Gives it what there is for it.
   *
   * @param isOrderOpen whether jobs became ready in an order that is not specified: the engine's
   *     choice holds
   */
  void serve(SeededRound round, boolean isOrderOpen) {
    if (!world.live().model.claims.isAnyFor(List.of(queue), World.by(0))) {
      return;
    }
    if (isOrderOpen && claim.told().isAnswered()) {
      round.granted(claim);
    } else if (!isRefused()) {
      round.claimed(claim);
    }
    if (!claim.isDone()) {
      throw new AssertionError("a claim waits though there is a job: " + claim);
    }
    claim.failure().ifPresent(failure -> round.failed(claim, failure));
    leave();
  }

  private boolean isRefused() {
    return claim.isDone()
        && claim.failure().filter(StoreFullException.class::isInstance).isPresent();
  }

  /** The leases that it was answered with. */
  List<Lease> leases() {
    return claim.leases();
  }

  /** Whether its time is up when so much time has passed. */
  boolean isOverAt(long passedMs) {
    return endMs <= passedMs;
  }

  /** Ends the waiting if its time is up, or the engine can do nothing any more. */
  void endIfOver(SeededRound round) {
    boolean isTimeUp = isOverAt(world.seeded.clock().passedMs());
    if (!claim.isDone()) {
      assertThat(isTimeUp && !round.isFatal()).as("waits past its time: " + claim).isFalse();
      return;
    }
    if (claim.failure().isPresent()) {
      round.failed(claim, claim.failure().get());
    } else {
      assertThat(claim.answer()).as("nobody knows of a job for " + claim).isEmpty();
      assertThat(isTimeUp).as("gave up before its time: " + claim).isTrue();
    }
    leave();
  }

  /** The engine has ended: nobody waits any more. */
  void end() {
    assertThat(claim.isDone()).as("still waits when the engine has ended: " + claim).isTrue();
    leave();
  }

  private void leave() {
    world.seeded.store().trace().add(claim.text());
    world.waiting = Optional.empty();
  }
}
