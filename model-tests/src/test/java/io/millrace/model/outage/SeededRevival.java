package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Lease;
import io.millrace.model.ModelLease;
import io.millrace.model.outage.SeededLog.Entry;
import io.millrace.model.outage.SeededStep.End;
import io.millrace.model.outage.SeededStep.Revival;
import io.millrace.model.seeds.Mishap;
import io.millrace.model.seeds.SeededEngine;
import io.millrace.model.seeds.StoreEvent;
import io.millrace.model.seeds.TracedFactory;
import java.util.List;
import java.util.OptionalLong;

/**
 * How an engine ends and its store comes back, and what that does to the model.
 *
 * <p>What is left is what the first opening finds. Whatever goes wrong in opening changes nothing
 * of that: an opening that fails is made again, and does what the one before it had not done.
 */
final class SeededRevival {

  private final SeededWorld world;
  private final SeededEngine seeded;
  private final TracedFactory store;
  private final SeededPromises promises;
  private final SeededTally tally;
  private OptionalLong found = OptionalLong.empty();
  private List<SeededPromises.Grant> lost = List.of();
  private long newestEpoch;
  private long dueBatch;

  SeededRevival(SeededWorld world, SeededPromises promises, SeededTally tally) {
    this.world = world;
    this.seeded = world.seeded;
    this.store = seeded.store();
    this.promises = promises;
    this.tally = tally;
  }

  /** The batch with which the last opening did what was due. */
  long dueBatch() {
    return dueBatch;
  }

  /** Ends the engine, unless it has ended, and opens the store until that succeeds. */
  void revive(Revival how) {
    found = OptionalLong.empty();
    End end = end(how);
    boolean isClean = end == End.CLOSED && close(how);
    int attempt = end == End.CLOSED ? 1 : 0;
    End first = end == End.CLOSED && !isClean ? endOfFailedClose() : end;
    End ended = first;
    boolean isOpen = false;
    while (!isOpen) {
      List<Mishap> mishaps =
          attempt < how.mishaps().size() ? how.mishaps().get(attempt) : List.of();
      attempt++;
      if (ended != End.REOPENED) {
        seeded.abandonIfOpen();
      }
      world.waiting.ifPresent(SeededWaiting::end);
      store.begin(mishaps);
      isOpen = open(ended);
      store.disarm();
      noteOpenings();
      store.happened().forEach(mishap -> tally.count("mishap in opening " + mishap.kind()));
      isOpen &= store.happened().stream().noneMatch(mishap -> mishap.isFatal());
      if (!isOpen) {
        tally.count("openings that failed");
        ended = nextEnd(ended);
      }
    }
    tally.count("end " + first);
    cut(first);
    settle(ended);
    if (end != End.CLOSED) {
      // One that failed in closing may have been clean all the same.
      promises.suspectAll();
    }
  }

  /** What went wrong says how it ended, if it does. */
  private End end(Revival how) {
    if (store.happened().stream().anyMatch(mishap -> mishap.isPowerCut())) {
      return End.POWER_CUT;
    }
    if (store.happened().stream().anyMatch(mishap -> mishap.isDeath())) {
      return End.DEATH;
    }
    if (how.end() == End.POWER_CUT) {
      store.machine().crash();
    }
    return how.end();
  }

  /** Answers whether the stop was clean. */
  private boolean close(Revival how) {
    store.begin(how.mishaps().isEmpty() ? List.of() : how.mishaps().get(0));
    if (world.live().hasLeases() && world.setup.leasesAtOpen() == LeasesAtOpen.RECLAIM) {
      world.log.add(store.lastCommit() + 1, SeededModel::handBackAll);
    }
    boolean isClosed = true;
    try {
      seeded.close();
    } catch (MillraceException e) {
      isClosed = false;
      if (store.happened().isEmpty()) {
        throw new AssertionError("closing failed without need", e);
      }
    }
    world.waiting.ifPresent(SeededWaiting::end);
    store.happened().forEach(mishap -> tally.count("mishap in closing " + mishap.kind()));
    return isClosed && store.happened().stream().noneMatch(mishap -> mishap.isFatal());
  }

  private End endOfFailedClose() {
    boolean isPowerCut = store.happened().stream().anyMatch(mishap -> mishap.isPowerCut());
    return isPowerCut ? End.POWER_CUT : End.DEATH;
  }

  private boolean open(End ended) {
    try {
      if (ended == End.REOPENED) {
        seeded.reopen();
      } else {
        seeded.open();
      }
      return true;
    } catch (MillraceException e) {
      if (store.happened().isEmpty()) {
        throw new AssertionError("opening failed without need", e);
      }
      return false;
    }
  }

  private void noteOpenings() {
    for (TracedFactory.Opening opening : store.openings()) {
      if (found.isEmpty()) {
        found = OptionalLong.of(opening.lastCommit());
      }
      if (opening.epoch() <= newestEpoch) {
        throw new AssertionError(
            "the epoch does not rise: " + opening.epoch() + " after " + newestEpoch);
      }
      newestEpoch = opening.epoch();
    }
  }

  /** How an opening that failed ends what it began. */
  private End nextEnd(End ended) {
    if (store.happened().stream().anyMatch(mishap -> mishap.isPowerCut())) {
      return End.POWER_CUT;
    }
    return ended == End.REOPENED ? End.REOPENED : End.DEATH;
  }

  /** Takes back in the model what the end has lost. */
  private void cut(End end) {
    long lastCommit = found.orElseThrow();
    lost = promises.lostGrants(lastCommit);
    promises.settle(lastCommit, end, world, tally);
    world.log.cut(lastCommit);
    world.forgetLost();
  }

  /** Does in the model what opening does. */
  private void settle(End end) {
    OptionalLong next = batchAfterOpening();
    if (end == End.REOPENED) {
      world.log.add(Entry.FOR_EVER, SeededModel::handBackUntold);
      world.log.add(Entry.FOR_EVER, model -> model.recoverLeases(LeasesAtOpen.HONOUR));
      long batch = next.orElseGet(() -> store.lastCommit() + 1);
      lost.forEach(grant -> restore(grant, batch));
      honourQueueLeases();
    } else {
      world.forgetHeld();
      world.log.add(Entry.FOR_EVER, model -> model.honourQueueLeases(List.of()));
      LeasesAtOpen policy = world.setup.leasesAtOpen();
      world.log.add(Entry.FOR_EVER, model -> model.recoverLeases(policy));
    }
    promises.beginAnew();
    dueBatch = next.orElseGet(store::lastCommit);
    world.log.add(dueBatch, SeededModel::fire);
    // Jobs whose ids nobody was told become known.
    SeededContent.of(world.engine(), world.live(), world);
  }

  /** Who has a queue has it for the full time again, unless nobody knows whether he has it. */
  private void honourQueueLeases() {
    List<Integer> found =
        world.heldQueues().stream()
            .filter(held -> !held.handle().remaining().isZero())
            .map(SeededWorld.HeldQueue::number)
            .toList();
    if (!world.areQueueLeasesOpen) {
      assertThat(found)
          .as("leases on queues that outlived an outage")
          .containsAll(world.live().runningQueueLeases());
    }
    world.areQueueLeasesOpen = false;
    world.log.add(Entry.FOR_EVER, model -> model.honourQueueLeases(found));
  }

  /** Holders that were told go on, though no batch tells of their leases. */
  private void restore(SeededPromises.Grant grant, long batch) {
    for (int i = 0; i < grant.leases().size(); i++) {
      ModelLease lease = grant.leases().get(i);
      Lease handle = grant.handles().get(i);
      int before = world.live().grantedCount();
      world.log.add(batch, model -> model.restore(lease));
      if (world.live().grantedCount() > before) {
        world.holdAgain(before, handle);
        tally.count("leases that outlived their batch");
      }
    }
  }

  /** What opening itself does is synced; what is due comes after. */
  private OptionalLong batchAfterOpening() {
    List<StoreEvent> events = store.events();
    int lastSync = -1;
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).kind() == StoreEvent.Kind.SYNC) {
        lastSync = i;
      }
    }
    return events.subList(lastSync + 1, events.size()).stream()
        .filter(StoreEvent::isBatch)
        .mapToLong(StoreEvent::number)
        .findFirst();
  }
}
