package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.QueueRecord;
import io.millrace.spi.StoreInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkingSetTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName NEWS = QueueName.of("news");
  private static final QueueName PRINT = QueueName.of("print");

  private final WorkingSet state =
      new WorkingSet(
          new Rules(
              Durability.SYNCED,
              false,
              StoreInfo.Sharing.EXCLUSIVE,
              10,
              10,
              2 * ReadyWindowTest.job(1).job().memoryBytes(),
              new BatchLimits(131_072, 64 << 20),
              1_000,
              new Incarnation(1, 1)));

  private QueueState loaded(QueueName name, int number, long nowNs) {
    QueueState queue = state.queue(name, nowNs);
    queue.load(QueueRecord.selfMade(number, 1), null);
    state.watch(queue);
    return queue;
  }

  private record Waiting(ClaimSpec spec, long deadlineNs, long arrival) implements ParkedClaim {
    @Override
    public boolean isAbandoned() {
      return false;
    }
  }

  private static Waiting waiting(long deadlineNs, long arrival, QueueName... queues) {
    return new Waiting(
        new ClaimSpec(List.of(queues), "w", 1, 0, 1, 1, 1, Map.of(), 0, List.of()),
        deadlineNs,
        arrival);
  }

  @Test
  void beginEpoch_sequencesRiseAndBirthsOfEarlierEpochsAreSuspectAfterAnUncleanStop() {
    state.beginEpoch(4, 7, 0);
    long before = state.takeSequence();

    state.beginEpoch(5, 8, 5);

    assertThat(state.takeSequence()).isGreaterThan(before);
    assertThat(state.isSuspect(before)).isTrue();
    assertThat(state.isSuspect(state.nextSequence())).isFalse();
    assertThat(state.queueNumbers().take(QueueName.of("a"))).isEqualTo(8);
  }

  @Test
  void beginEpoch_afterACleanStop_birthsBeforeTheLastUncleanOneStaySuspect() {
    state.beginEpoch(4, 7, 0);
    long before = state.takeSequence();
    state.beginEpoch(5, 8, 5);
    long after = state.takeSequence();

    state.beginEpoch(6, 8, 5);

    assertThat(state.isSuspect(before)).isTrue();
    assertThat(state.isSuspect(after)).isFalse();
    assertThat(state.isSuspect(state.takeSequence())).isFalse();
    assertThat(state.afterUncleanStop()).isEqualTo(5);
  }

  @Test
  void setNextDelayed_ofSeveralQueues_theEarliestOfEachClockIsFirst() {
    QueueState mail = loaded(MAIL, 1, 0);
    QueueState news = loaded(NEWS, 2, 0);
    state.setNextDelayed(mail, DelayClock.ENGINE, 200, 0);
    state.setNextDelayed(news, DelayClock.ENGINE, 100, 0);
    state.setNextDelayed(mail, DelayClock.STEADY, 50, 0);

    assertThat(state.firstDue(DelayClock.ENGINE, 99)).isNull();
    assertThat(state.firstDue(DelayClock.ENGINE, 100)).isSameAs(news);
    assertThat(state.firstDue(DelayClock.STEADY, 50)).isSameAs(mail);
    state.setNextDelayed(news, DelayClock.ENGINE, QueueState.NEVER, 0);

    assertThat(state.nextDelayedMs(DelayClock.ENGINE)).isEqualTo(200);
    assertThat(state.firstDue(DelayClock.ENGINE, 200)).isSameAs(mail);
  }

  @Test
  void park_claimOfTwoQueues_waitsForBothAndLeavesBoth() {
    Waiting late = waiting(9, 1, MAIL, NEWS);
    Waiting early = waiting(5, 2, NEWS);
    state.park(late, 0);
    state.park(early, 0);

    assertThat(state.parked().first()).isSameAs(early);
    assertThat(state.queue(NEWS, 0).parkedClaims()).containsExactly(late, early);
    state.unpark(late);

    assertThat(state.queue(MAIL, 0).parkedClaims()).isEmpty();
    assertThat(state.parked().count()).isEqualTo(1);
  }

  @Test
  void forgetStored_keepsClaimsThatWaitAndLeasesOnly() {
    QueueState mail = loaded(MAIL, 1, 0);
    loaded(NEWS, 2, 0);
    state.markChanged(mail);
    Waiting claim = waiting(9, 1, MAIL);
    state.park(claim, 0);

    state.forgetStored();

    assertThat(state.queue(1)).isNull();
    assertThat(state.queue(2)).isNull();
    assertThat(state.takeChanged()).isEmpty();
    assertThat(state.queue(MAIL, 0)).isSameAs(mail);
    assertThat(mail.isLoaded()).isFalse();
    assertThat(mail.parkedClaims()).containsExactly(claim);
  }

  @Test
  void makeRoomFor_overBudget_evictsTheLeastRecentlyUsedAndNeverTheOneInUse() {
    QueueState mail = loaded(MAIL, 1, 0);
    QueueState news = loaded(NEWS, 2, 1);
    for (long sequence = 1; sequence <= 3; sequence++) {
      mail.window(0, 1).append(ReadyWindowTest.job(sequence));
    }
    assertThat(state.isOverBudget()).isTrue();

    state.makeRoomFor(mail);
    assertThat(mail.windows().get(0).size()).isEqualTo(3);
    state.makeRoomFor(news);

    assertThat(mail.windows().get(0).size()).isZero();
    assertThat(mail.windows().get(0).readyCount()).isEqualTo(3);
    assertThat(state.isOverBudget()).isFalse();
  }

  @Test
  void longestIdle_queueThatClaimsWaitFor_isNot() {
    loaded(MAIL, 1, 0);
    QueueState news = loaded(NEWS, 2, 5);
    state.park(waiting(1_000, 1, MAIL), 0);

    QueueState idle = state.idle().longest(100, 50);

    assertThat(idle).isSameAs(news);
    assertThat(state.idle().since(50, 10)).containsExactly(news);
  }

  @Test
  void anyIdle_queueThatClaimsWaitForOrHasALease_staysAndIsNotLookedAtAgain() {
    loaded(MAIL, 1, 0);
    loaded(PRINT, 3, 1).add(JobState.LEASED, 1);
    QueueState news = loaded(NEWS, 2, 2);
    state.park(waiting(1_000, 1, MAIL), 0);

    assertThat(state.idle().any(3, 10)).containsExactly(news);

    assertThat(state.queues()).startsWith(news);
  }

  @Test
  void counters_ofLoadedQueue_areThoseItWasLoadedWith() {
    CountersRecord.ReadyRow[] lines = {
      new CountersRecord.ReadyRow(-3, 2, 40), new CountersRecord.ReadyRow(5, 1, 30)
    };
    long[] states = CountersRecord.empty().states();
    states[JobState.READY.ordinal()] = 3;
    CountersRecord stored =
        new CountersRecord(states, CountersRecord.empty().totals(), lines, 9, 11, 0, 0);
    QueueState queue = state.queue(MAIL, 0);

    queue.load(QueueRecord.selfMade(1, 1), stored);

    assertThat(queue.windows()).extracting(ReadyWindow::priority).containsExactly(5, -3);
    assertThat(queue.windows()).extracting(ReadyWindow::lowestUnleased).containsExactly(30L, 40L);
    assertThat(queue.depth()).isEqualTo(3);
    assertThat(queue.counters().ready()).containsExactly(lines[1], lines[0]);
    assertThat(queue.counters().agendaAtMs()).isEqualTo(9);
    assertThat(queue.counters().nextDelayedAtMs()).isEqualTo(11);
  }

  @Test
  void window_newPriority_isPutInServingOrder() {
    QueueState queue = loaded(MAIL, 1, 0);

    queue.window(0, 50);
    queue.window(9, 50);
    queue.window(-9, 50);

    assertThat(queue.windows()).extracting(ReadyWindow::priority).containsExactly(9, 0, -9);
    assertThat(queue.window(9, 99)).isSameAs(queue.windows().get(0));
    assertThat(queue.counters().ready()).isEmpty();
  }

  @Test
  void passedOver_moreWorkersThanRemembered_startsAfresh() {
    QueueState queue = loaded(MAIL, 1, 0);
    for (int i = 0; i <= 1_000; i++) {
      queue.passedOver().set("worker " + i, new PassedOver.Passed(7, i));
    }

    assertThat(queue.passedOver().of("worker 999")).isNull();
    assertThat(queue.passedOver().of("worker 1000")).isEqualTo(new PassedOver.Passed(7, 1_000));
  }
}
