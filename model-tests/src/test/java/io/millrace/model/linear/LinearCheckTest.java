package io.millrace.model.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.linear.LinearCheck.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Histories made by hand, of which everybody can say whether an order explains them. */
class LinearCheckTest {

  private static final int MAIL = 0;
  private static final int OTHER = 1;

  private final List<Event> events = new ArrayList<>();

  private static Call enqueue(int job) {
    return enqueue(job, "");
  }

  private static Call enqueue(int job, String uniqueKey) {
    return new Call.Enqueue(MAIL, List.of(new Call.NewJob(job, 0, 0, uniqueKey)));
  }

  private static Call claim() {
    return new Call.Claim(List.of(MAIL), 1, Call.Patience.NONE);
  }

  private static Call waitingClaim() {
    return new Call.Claim(List.of(MAIL), 1, Call.Patience.WAITS);
  }

  private static Object granted(int job, long token) {
    return List.of(new Seen.Grant(MAIL, job, token, 1, 0, 0));
  }

  private static Call hold(Call.HolderAct act, int job, long token) {
    return new Call.Hold(act, MAIL, job, token, 7);
  }

  private static Call stats() {
    return new Call.Stats(MAIL);
  }

  private static Object counts(JobState state, long count, Map<Total, Long> totals) {
    return new Seen.StatsSeen(Map.of(state, count), totals, Call.Serving.RESUMED);
  }

  private void call(int thread, long begin, long end, Call call, Object answer) {
    events.add(Event.of(thread, begin, end, call, answer));
  }

  private void enqueued(int job, long begin, long end) {
    call(0, begin, end, enqueue(job), List.of("enqueued"));
  }

  private static SpecState empty() {
    SpecState.SpecQueue unborn = SpecState.SpecQueue.UNBORN;
    return SpecState.of(List.of(unborn, unborn), 0);
  }

  private boolean isExplained(Reads reads) {
    return LinearCheck.check(events, empty(), reads).isEmpty();
  }

  private boolean isExplained() {
    return isExplained(Reads.SEE_GRANTS);
  }

  @Test
  void check_oneAfterTheOther_isExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    call(1, 5, 6, hold(Call.HolderAct.COMPLETE, 1, 5), "completed");
    call(0, 7, 8, claim(), List.of());

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_callsThatOverlap_mayHaveHappenedInEitherOrder() {
    call(0, 1, 9, enqueue(1), List.of("enqueued"));
    call(1, 2, 3, claim(), List.of());
    call(2, 4, 5, claim(), granted(1, 5));

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_jobClaimedByTwo_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 6, claim(), granted(1, 5));
    call(2, 4, 7, claim(), granted(1, 6));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_jobNotFoundAfterItsEnqueueWasAnswered_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), List.of());

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_jobGivenBeforeItsEnqueueBegan_isNotExplained() {
    call(1, 1, 2, claim(), granted(1, 5));
    enqueued(1, 3, 4);

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_uniqueKeyTakenTwice_isNotExplained() {
    call(0, 1, 4, enqueue(1, "key"), List.of("enqueued"));
    call(1, 2, 3, enqueue(2, "key"), List.of("enqueued"));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_uniqueKeyRaced_oneIsADuplicateOfTheOther() {
    call(0, 1, 4, enqueue(1, "key"), List.of("duplicate of 2"));
    call(1, 2, 3, enqueue(2, "key"), List.of("enqueued"));

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_statsThatNeverWere_areNotExplained() {
    call(0, 1, 9, enqueue(1), List.of("enqueued"));
    call(1, 2, 8, enqueue(2), List.of("enqueued"));
    call(2, 3, 4, stats(), counts(JobState.READY, 2, Map.of(Total.ENQUEUED, 2L)));
    call(2, 5, 6, stats(), counts(JobState.READY, 1, Map.of(Total.ENQUEUED, 1L)));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_countsAndTotalsOfDifferentMoments_areNotExplained() {
    enqueued(1, 1, 2);
    call(0, 3, 9, claim(), granted(1, 5));
    call(1, 4, 5, stats(), counts(JobState.LEASED, 1, Map.of(Total.ENQUEUED, 1L)));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_laterJobServedFirst_isNotExplained() {
    enqueued(1, 1, 2);
    enqueued(2, 3, 4);
    call(1, 5, 8, claim(), granted(2, 5));
    call(2, 6, 7, claim(), granted(1, 6));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_jobsWhoseEnqueuesOverlapped_mayBeServedInEitherOrder() {
    enqueued(1, 1, 3);
    enqueued(2, 2, 4);
    call(1, 5, 6, claim(), granted(2, 5));
    call(1, 7, 8, claim(), granted(1, 6));

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_laterLeaseWithSmallerToken_isNotExplained() {
    enqueued(1, 1, 2);
    enqueued(2, 3, 4);
    call(1, 5, 6, claim(), granted(1, 6));
    call(1, 7, 8, claim(), granted(2, 5));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_releasedJobAtTheBackOfItsLine_isNotExplained() {
    enqueued(1, 1, 2);
    enqueued(2, 3, 4);
    call(1, 5, 6, claim(), granted(1, 5));
    call(1, 7, 8, hold(Call.HolderAct.RELEASE, 1, 5), "released");
    call(2, 9, 10, claim(), granted(2, 6));

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_leaseUsedTwice_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    call(1, 5, 8, hold(Call.HolderAct.COMPLETE, 1, 5), "completed");
    call(2, 6, 7, hold(Call.HolderAct.FAIL, 1, 5), "retried");

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_callOfUnknownOutcome_mayHaveHappenedLateOrNever() {
    events.add(Event.unanswered(0, 1, enqueue(1)));
    call(1, 2, 3, claim(), List.of());
    call(1, 4, 5, claim(), granted(1, 5));
    events.add(Event.unanswered(0, 6, hold(Call.HolderAct.COMPLETE, 1, 5)));
    call(1, 7, 8, hold(Call.HolderAct.EXTEND, 1, 5), "extended");

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_waitingClaimForgottenBesideAReadyJob_isNotExplained() {
    events.add(Event.unanswered(1, 1, waitingClaim()));
    enqueued(1, 2, 3);

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_waitingClaimThatNothingCameFor_isExplained() {
    events.add(Event.unanswered(1, 1, waitingClaim()));
    enqueued(1, 2, 3);
    call(2, 4, 5, claim(), granted(1, 5));

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_lookThatMissesAGrant_isExplainedWhereClaimsDoNotWaitForTheirRecord() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    call(2, 5, 6, stats(), counts(JobState.READY, 1, Map.of(Total.ENQUEUED, 1L)));

    assertThat(isExplained(Reads.MAY_MISS_GRANTS)).isTrue();
    assertThat(isExplained(Reads.SEE_GRANTS)).isFalse();
  }

  @Test
  void check_lookThatMissesAGrantAndSeesWhatCameAfterIt_isExplainedWhereRecordsComeLater() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    enqueued(2, 5, 6);
    call(2, 7, 8, stats(), counts(JobState.READY, 2, Map.of(Total.ENQUEUED, 2L)));

    assertThat(isExplained(Reads.MAY_MISS_GRANTS)).isTrue();
    assertThat(isExplained(Reads.SEE_GRANTS)).isFalse();
  }

  @Test
  void check_lookThatMissesAGrantAndSeesALaterOne_isNotExplained() {
    enqueued(1, 1, 2);
    enqueued(2, 3, 4);
    call(1, 5, 6, claim(), granted(1, 5));
    call(1, 7, 8, claim(), granted(2, 6));
    call(2, 9, 10, new Call.Peek(MAIL), List.of(1));

    assertThat(isExplained(Reads.MAY_MISS_GRANTS)).isFalse();
  }

  @Test
  void check_lookThatMissesACompletion_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    call(1, 5, 6, hold(Call.HolderAct.COMPLETE, 1, 5), "completed");
    call(2, 7, 8, new Call.Peek(MAIL), List.of(1));

    assertThat(isExplained(Reads.MAY_MISS_GRANTS)).isFalse();
  }

  @Test
  void check_leaseThatRanOut_isStaleAndItsJobIsServedAgain() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    tick(2, 5, 9, 40_000);
    at(40_000, 6, 7, hold(Call.HolderAct.COMPLETE, 1, 5), "stale lease");
    at(40_000, 10, 11, claim(), List.of(new Seen.Grant(MAIL, 1, 6, 2, 0, 0)));

    assertThat(isExplained()).isTrue();
  }

  @Test
  void check_leaseThatOutlivesItsTime_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    tick(2, 5, 6, 40_000);
    at(40_000, 7, 8, hold(Call.HolderAct.COMPLETE, 1, 5), "completed");

    assertThat(isExplained()).isFalse();
  }

  @Test
  void check_leaseThatIsNotReapedInTime_isNotExplained() {
    enqueued(1, 1, 2);
    call(1, 3, 4, claim(), granted(1, 5));
    tick(2, 5, 6, 40_000);
    at(40_000, 7, 8, claim(), List.of());

    assertThat(isExplained()).isFalse();
  }

  private void tick(int thread, long begin, long end, long untilMs) {
    Event.Span span = new Event.Span(begin, end, 0, untilMs);
    for (Call call : List.of(new Call.Tick(untilMs), new Call.Settled(untilMs))) {
      events.add(new Event(thread, span, call, Optional.of(Seen.DONE)));
    }
  }

  private void at(long ms, long begin, long end, Call call, Object answer) {
    Event.Span span = new Event.Span(begin, end, ms, ms);
    events.add(new Event(3, span, call, Optional.of(answer)));
  }

  @Test
  void check_moreCallsThanASetHolds_isRefused() {
    IntStream.range(0, 65).forEach(i -> enqueued(i, 2 * i + 1, 2 * i + 2));

    assertThatThrownBy(this::isExplained)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("history is too long: calls=65, most=64");
  }

  @Test
  void check_unexplainedHistory_isShownAsATableWithoutNeedlessLooks() {
    enqueued(1, 1, 2);
    call(1, 3, 4, new Call.Peek(MAIL), List.of(1));
    call(1, 5, 6, claim(), List.of());
    History history = new History("seed=9", events, empty(), Reads.SEE_GRANTS);

    assertThatThrownBy(history::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no order of these calls explains their answers: seed=9")
        .hasMessageContaining("     5     6      T1  Claim[queues=[0], max=1, patience=NONE] -> []")
        .hasMessageContaining("in this order the most are explained:");
  }

  @Test
  void parts_callsOfOneQueueEach_areCheckedApart() {
    enqueued(1, 1, 2);
    call(1, 3, 4, new Call.Peek(OTHER), List.of());
    History apart = new History("", events, empty(), Reads.SEE_GRANTS);
    List<Event> more = new ArrayList<>(events);
    more.add(
        Event.of(
            2, 5, 6, new Call.Claim(List.of(MAIL, OTHER), 1, Call.Patience.NONE), granted(1, 5)));
    History together = new History("", more, empty(), Reads.SEE_GRANTS);

    assertThat(apart.parts()).containsExactly(List.of(events.get(0)), List.of(events.get(1)));
    assertThat(together.parts()).containsExactly(more);
  }
}
