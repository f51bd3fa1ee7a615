package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.VerifyReport;
import io.millrace.model.Coverage;
import io.millrace.model.history.Texts;
import io.millrace.model.outage.SeededHistory.Content;
import io.millrace.model.outage.SeededStep.Arm;
import io.millrace.model.outage.SeededStep.Ask;
import io.millrace.model.outage.SeededStep.Check;
import io.millrace.model.outage.SeededStep.End;
import io.millrace.model.outage.SeededStep.MakeRoom;
import io.millrace.model.outage.SeededStep.Pass;
import io.millrace.model.outage.SeededStep.Revival;
import io.millrace.model.outage.SeededStep.Stop;
import io.millrace.model.seeds.Caller;
import io.millrace.model.seeds.Mishap;
import io.millrace.model.seeds.SeededEngine;
import io.millrace.model.seeds.StoreEvent;
import io.millrace.model.seeds.Trace;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Runs a seeded history on an engine whose store fails, and judges by the model what is answered
 * and what is left.
 *
 * <p>What the model does is decided after the engine has answered: what was refused did not happen,
 * what was answered did, and what is unknown happened with its batch or did not. A millisecond
 * passes before each call and everything else happens in whole seconds, so that no two calls end
 * leases or delays at the same instant.
 */
final class SeededRun {

  /** A claim that waits may be served in the batch of the first, and has its row in the second. */
  private static final int FLUSH_COUNT_MAX = 2;

  private static final Revival PLAIN = new Revival(End.POWER_CUT, List.of());

  private final SeededHistory history;
  private final SeededTally tally;
  private final SeededEngine seeded;
  private final SeededLog log;
  private final SeededPromises promises;
  private final SeededWorld world;
  private final SeededRevival revival;
  private final List<Mishap> armed = new ArrayList<>();
  private Revival armedRevival = PLAIN;
  private Room room = Room.FOR_ALL;
  private int flushCount;

  /** The specification does not say who gets a slot: here the history ends. */
  private static final class OpenOrder extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  SeededRun(SeededHistory history, List<Caller> callers, Trace trace, SeededTally tally) {
    this.history = history;
    this.tally = tally;
    this.seeded =
        new SeededEngine(
            new FaultyStore(history.seed(), history.setup().syncing()),
            trace,
            callers,
            history.setup()::options);
    Coverage coverage = new Coverage();
    this.log = new SeededLog(() -> new SeededModel(coverage));
    this.promises = new SeededPromises(log, history.setup().durability());
    this.world = new SeededWorld(seeded, history.setup(), log);
    this.revival = new SeededRevival(world, promises, tally);
  }

  /** Runs all steps, and ends with a comparison of everything. */
  void run() {
    try {
      seeded.open();
      List<Ask> together = new ArrayList<>();
      for (SeededStep step : history.steps()) {
        boolean isJoined = step instanceof Ask ask && ask.isTogether() && canJoin(ask, together);
        if (!isJoined) {
          ask(together);
        }
        if (step instanceof Ask ask) {
          together.add(ask);
        } else {
          take(step);
        }
      }
      ask(together);
      compare();
      seeded.close();
      world.waiting.ifPresent(SeededWaiting::end);
    } catch (OpenOrder e) {
      seeded.abandonIfOpen();
      tally.count("left where the order is open");
    } catch (RuntimeException | Error e) {
      seeded.abandonIfOpen();
      throw e;
    }
  }

  private static boolean canJoin(Ask ask, List<Ask> together) {
    return !ask.call().isAlone()
        && together.stream().noneMatch(other -> other.call().isAlone() || other.call().isLast());
  }

  private void take(SeededStep step) {
    if (step instanceof Arm arm) {
      armed.add(arm.mishap());
      armedRevival = arm.revival();
    } else if (step instanceof Pass pass) {
      pass(pass.seconds());
    } else if (step instanceof MakeRoom make) {
      room = make.room();
    } else if (step instanceof Stop stop) {
      stop(stop);
    } else if (step instanceof Check) {
      compare();
    }
  }

  private void ask(List<Ask> together) {
    if (!together.isEmpty()) {
      List<SeededCall> calls = together.stream().map(Ask::call).toList();
      together.clear();
      round(calls);
    }
  }

  private void round(List<SeededCall> calls) {
    moveBy(1);
    boolean isAlone = calls.stream().anyMatch(SeededCall::isAlone);
    int due = world.live().dueCount();
    if (due > 1 || due > 0 && (isAlone || room == Room.FOR_NONE || areKeyed())) {
      work(roundOf(), List.of());
    }
    SeededRound round = roundOf(calls.toArray(SeededCall[]::new));
    if (!round.isEmpty()) {
      boolean isSlowOpen = round.hangsOnTheMoment() || world.waiting.isPresent();
      work(round, isSlowOpen ? without(Mishap.Kind.SLOW, takeArmed()) : takeArmed());
    }
  }

  private SeededRound roundOf(SeededCall... calls) {
    return new SeededRound(world, promises, tally, calls);
  }

  private static List<Mishap> without(Mishap.Kind kind, List<Mishap> mishaps) {
    return mishaps.stream().filter(mishap -> mishap.kind() != kind).toList();
  }

  /**
   * What goes wrong in the next round. A full store is probed first, and it is open which batch
   * sees the time that a slow probe takes.
   */
  private List<Mishap> takeArmed() {
    List<Mishap> taken = List.copyOf(armed);
    armed.clear();
    return world.engine().isFull() ? without(Mishap.Kind.SLOW, taken) : taken;
  }

  private void moveBy(long ms) {
    seeded.clock().move(ms);
    log.passTime(ms);
    if (areKeyed() && world.live().model.events.isSlotOrderOpen()) {
      throw new OpenOrder();
    }
  }

  /**
   * Lets time pass. What is due then is done in parts if the store refuses it; it is open which
   * part was done before the reserve was used up, too.
   */
  private void pass(int seconds) {
    if (room == Room.FOR_NONE) {
      room = Room.FOR_ALL;
    }
    long endMs = world.live().model.time.monotonicMs() + 1_000L * seconds;
    if (areKeyed()) {
      OptionalLong next = world.live().nextDueMs();
      while (next.isPresent() && next.getAsLong() < endMs) {
        passUntil(next.getAsLong());
        next = world.live().nextDueMs();
      }
    }
    passUntil(endMs);
  }

  private void passUntil(long endMs) {
    moveBy(Math.max(0, endMs - world.live().model.time.monotonicMs()));
    boolean areSeveralDue = world.live().dueCount() > 1;
    if (areSeveralDue && world.waiting.isPresent()) {
      work(roundOf(), List.of());
    } else {
      boolean isWholeAlone = !areSeveralDue && !areKeyed();
      work(roundOf(), isWholeAlone ? takeArmed() : without(Mishap.Kind.FULL, takeArmed()));
    }
  }

  /** What a full store puts off comes due together with what comes after. */
  private boolean areKeyed() {
    return history.content() == Content.KEYS;
  }

  /** Lets the engine work on a round, and judges it. */
  private void work(SeededRound round, List<Mishap> mishaps) {
    seeded.store().machine().room(room);
    seeded.store().begin(mishaps);
    round.ask();
    seeded.letWork();
    seeded.store().disarm();
    seeded.store().happened().forEach(mishap -> tally.count("mishap " + mishap.kind()));
    if (room == Room.FOR_NONE) {
      room = Room.FOR_ALL;
      seeded.store().machine().room(room);
    }
    round.judge();
    if (round.isFatal()) {
      revive(armedRevival);
      return;
    }
    assertThat(world.engine().poison()).as("what poisoned the engine").isEmpty();
    closeOrders(round.dueBatch());
    boolean isReserveUsedUp =
        seeded.store().events().stream()
            .anyMatch(event -> event.outcome() == StoreEvent.Outcome.FULL && event.usesReserve());
    if (isReserveUsedUp) {
      // Not even what is due is done until the store is probed again.
      passUntil(world.live().model.time.monotonicMs() + 1_000);
    }
  }

  private void stop(Stop stop) {
    if (stop.end() == End.REOPENED) {
      return;
    }
    if (room == Room.FOR_NONE) {
      room = Room.FOR_ALL;
      seeded.store().machine().room(room);
    }
    seeded.store().begin(List.of());
    revive(new Revival(stop.end(), stop.revival().mishaps()));
  }

  private void revive(Revival how) {
    revival.revive(how);
    closeOrders(revival.dueBatch());
    compare();
  }

  /** Takes over from the engine what order its jobs have that became ready together. */
  private void closeOrders(long batch) {
    Map<QueueName, List<Integer>> orders = new LinkedHashMap<>();
    world
        .live()
        .openOrders()
        .keySet()
        .forEach(
            queue -> {
              List<JobId> ids =
                  Texts.all(
                          page -> world.engine().peek(queue, JobState.READY, page), 100, job -> job)
                      .stream()
                      .map(job -> job.id())
                      .toList();
              orders.put(queue, ids.stream().map(world::numberOf).toList());
            });
    log.add(batch, model -> model.closeOrders(orders));
    promises.passChanges();
  }

  /** Compares everything that is stored with the model. */
  private void compare() {
    if (world.engine().isFull()) {
      room = Room.FOR_ALL;
      pass(1);
    }
    for (int i = 0; i < FLUSH_COUNT_MAX && log.newestBatch() > seeded.store().lastCommit(); i++) {
      flush();
    }
    List<String> found = SeededContent.of(world.engine(), world.live(), world);
    assertThat(found).as("content").isEqualTo(SeededContent.of(world.live(), world));
    assertThat(world.engine().admin().queueLeases())
        .as("leases on queues")
        .extracting(lease -> lease.worker() + " has " + lease.queue())
        .containsExactlyInAnyOrderElementsOf(
            world.live().model.queueLeases.all().stream()
                .map(lease -> lease.worker + " has " + lease.queue)
                .toList());
    VerifyReport report = world.engine().verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.isClean()).as("clean: " + report).isTrue();
    found.forEach(seeded.store().trace()::add);
    tally.count("comparisons");
  }

  /** Makes the engine write a batch, and with it the leases that it has granted so far. */
  private void flush() {
    moveBy(1);
    work(roundOf(new SeededCall.Flush(++flushCount)), List.of());
  }
}
