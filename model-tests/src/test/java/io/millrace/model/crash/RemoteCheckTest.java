package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.Findings.Figure;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import io.millrace.model.crash.RemoteCheck.Outage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stories of one job, told wrongly in each way. */
class RemoteCheckTest {

  private static final String JOB = "one.p.0";
  private static final long LEASE_US = 100;

  private final List<Line> lines = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private final Map<String, Long> made = new HashMap<>();
  private final Map<String, Long> done = new HashMap<>();
  private long nowUs;

  private RemoteCheckTest at(long us) {
    nowUs = us;
    return this;
  }

  private RemoteCheckTest line(Event event, String job, Object... facts) {
    lines.add(new Line(nowUs, event, job, List.of(facts).stream().map(Object::toString).toList()));
    return this;
  }

  private RemoteCheckTest ask(RemoteOp op) {
    return line(Event.ASK, JOB, op, "call-" + op, "-");
  }

  private RemoteCheckTest ask(RemoteOp op, long token) {
    return line(Event.ASK, JOB, op, "call-" + op + token, token);
  }

  private RemoteCheckTest enqueued(String id) {
    return ask(RemoteOp.ENQUEUE)
        .line(Event.TOLD, JOB, RemoteOp.ENQUEUE, Reply.OK, "call-ENQUEUE", id);
  }

  private RemoteCheckTest told(RemoteOp op, long token, Reply reply) {
    return line(Event.TOLD, JOB, op, reply, "call-" + op + token, "-");
  }

  /** Claims at once. */
  private RemoteCheckTest leased(String life, long token) {
    String claim = life + ".c-" + token;
    return line(Event.ASK, claim, RemoteOp.CLAIM, claim)
        .line(Event.LEASED, JOB, claim, "id1", token);
  }

  private RemoteCheckTest completed(long token) {
    return ask(RemoteOp.COMPLETE, token).told(RemoteOp.COMPLETE, token, Reply.OK);
  }

  private Findings found() {
    return RemoteCheck.check(lines, outages, LEASE_US, made, done);
  }

  private void finds(Finding... expected) {
    Findings found = found();
    for (Finding each : Finding.values()) {
      assertThat(found.count(each))
          .as(each + ": " + found.messages())
          .isEqualTo(List.of(expected).contains(each) ? 1 : 0);
    }
  }

  @Test
  void check_storyIsRight_findsNothing() {
    at(1).enqueued("id1").at(10).leased("two", 7).at(20).ask(RemoteOp.FAIL, 7);
    at(30).leased("one", 8).at(40).ask(RemoteOp.EXTEND, 8).told(RemoteOp.EXTEND, 8, Reply.OK);
    at(50).completed(8).line(Event.TOLD, JOB, RemoteOp.END, Reply.OK, "-", "-");

    finds();
    assertThat(found().figure(Figure.SERVED)).isEqualTo(2);
  }

  @Test
  void check_unansweredEnqueueNeverHappened_findsNothing() {
    at(1).ask(RemoteOp.ENQUEUE);

    finds();
  }

  @Test
  void check_answeredJobIsNotServed_isLost() {
    at(1).enqueued("id1");

    finds(Finding.LOST);
  }

  @Test
  void check_jobIsGoneThatNobodyCompleted_isLost() {
    at(1).enqueued("id1").at(2).leased("one", 7).at(3).ask(RemoteOp.FAIL, 7);

    finds(Finding.LOST);
  }

  @Test
  void check_jobHasTwoIds_isDuplicated() {
    at(1).enqueued("id2").at(2).leased("one", 7).completed(7);

    finds(Finding.DUPLICATED);
  }

  @Test
  void check_refusedJobIsServed_isUnexpected() {
    at(1).ask(RemoteOp.ENQUEUE);
    line(Event.TOLD, JOB, RemoteOp.ENQUEUE, Reply.REFUSED, "call-ENQUEUE", "-");
    at(2).leased("one", 7).completed(7);

    finds(Finding.UNEXPECTED);
  }

  @Test
  void check_leaseIsGrantedBeforeTheOneBeforeIsOver_isOverlapping() {
    at(1).enqueued("id1").at(10).leased("one", 7).at(109).leased("two", 8).at(120).completed(8);

    finds(Finding.OVERLAPPING_LEASES);
  }

  @Test
  void check_leaseIsGrantedBeforeAnExtendedOneIsOver_isOverlapping() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    at(20).ask(RemoteOp.EXTEND, 7).told(RemoteOp.EXTEND, 7, Reply.OK);
    at(119).leased("two", 8).at(120).completed(8);

    finds(Finding.OVERLAPPING_LEASES);
  }

  @Test
  void check_leaseIsGrantedAfterTheOneBeforeIsOver_findsNothing() {
    at(1).enqueued("id1").at(10).leased("one", 7).at(110).leased("two", 8).at(120).completed(8);

    finds();
  }

  @Test
  void check_leaseIsGrantedAfterGoodbye_findsNothing() {
    at(1).enqueued("id1").at(10).leased("one", 7).at(20).line(Event.END, "one", "goodbye");
    at(21).leased("two", 8).completed(8);

    finds();
  }

  @Test
  void check_completedJobIsServed_isRedelivered() {
    at(1).enqueued("id1").at(2).leased("one", 7).completed(7).at(300).leased("one", 8);

    finds(Finding.REDELIVERED);
  }

  @Test
  void check_jobIsCompletedTwice_isFound() {
    at(1).enqueued("id1").at(2).leased("one", 7).completed(7);
    at(300).leased("one", 8).completed(8);

    finds(Finding.COMPLETED_TWICE);
  }

  @Test
  void check_leaseIsToldTwice_isFound() {
    at(1).enqueued("id1").at(2).leased("one", 7).leased("one", 7).completed(7);

    finds(Finding.NUMBER_REUSED);
  }

  @Test
  void check_leaseIsLostBeforeItsTime_isWrong() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    at(20).ask(RemoteOp.COMPLETE, 7).at(30).told(RemoteOp.COMPLETE, 7, Reply.NOTHING);

    finds(Finding.WRONG_ANSWER);
  }

  @Test
  void check_leaseIsNotHonouredByTheNextServer_isOverlapping() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    outages.add(new Outage(50, 55, 60));
    at(159).leased("two", 8).completed(8);

    finds(Finding.OVERLAPPING_LEASES);
  }

  @Test
  void check_leaseEndsWithItsTimeAfterARestart_findsNothing() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    outages.add(new Outage(50, 55, 60));
    at(160).leased("two", 8).completed(8);

    finds();
  }

  @Test
  void check_leaseEndsWhileItsServerDies_findsNothing() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    outages.add(new Outage(109, 111, 115));
    at(120).leased("two", 8).completed(8);

    finds();
  }

  @Test
  void check_callIsRepeatedAfterItsServerDied_mayComeTooLate() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    at(20).ask(RemoteOp.COMPLETE, 7).at(30).told(RemoteOp.COMPLETE, 7, Reply.NOTHING);
    outages.add(new Outage(25, 26, 27));

    finds();
  }

  @Test
  void check_endIsToldThatNobodyAskedFor_isWrong() {
    at(1).enqueued("id1").at(10).leased("one", 7);
    at(20).line(Event.TOLD, JOB, RemoteOp.END, Reply.OK, "-", "-").at(30).completed(7);

    finds(Finding.WRONG_ANSWER);
  }

  @Test
  void check_rowIsMadeWithoutItsJob_isTorn() {
    at(1).ask(RemoteOp.ENQUEUE_WITH_ROW);
    made.put(JOB, 1L);

    finds(Finding.TORN_CALL);
  }

  @Test
  void check_countedCompletionHasNoRow_isTorn() {
    at(1).enqueued("id1").at(2).leased("one", 7).ask(RemoteOp.COMPLETE_AND_COUNT, 7);
    told(RemoteOp.COMPLETE_AND_COUNT, 7, Reply.OK);

    finds(Finding.TORN_CALL);
  }

  @Test
  void check_jobIsServedAfterACountedCompletion_isTorn() {
    at(1).enqueued("id1").at(2).leased("one", 7).ask(RemoteOp.COMPLETE_AND_COUNT, 7);
    at(300).leased("one", 8).completed(8);
    done.put(JOB, 1L);

    finds(Finding.TORN_CALL);
  }

  @Test
  void check_completionIsCountedTwice_isFound() {
    at(1).enqueued("id1").at(2).leased("one", 7).ask(RemoteOp.COMPLETE_AND_COUNT, 7);
    done.put(JOB, 2L);

    finds(Finding.COMPLETED_TWICE);
  }

  @Test
  void check_rowIsOfNoJob_isUnexpected() {
    done.put(JOB, 1L);

    finds(Finding.UNEXPECTED);
  }
}
