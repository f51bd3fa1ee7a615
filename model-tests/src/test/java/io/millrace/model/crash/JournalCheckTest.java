package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker finds each kind of violation: a check that finds nothing proves nothing. */
class JournalCheckTest {

  private static final String A = "mail:0:life:1";
  private static final String B = "mail:0:life:2";
  private static final List<Map.Entry<String, Integer>> NONE = List.of();

  @Test
  void violations_cleanRun_findsNone() {
    List<Line> lines =
        List.of(
            line(Event.ENQUEUE, A),
            line(Event.ENQUEUED, A),
            line(Event.ENQUEUE, B),
            line(Event.ENQUEUED, B),
            leased(A, 1, 1),
            line(Event.COMPLETE, A),
            line(Event.COMPLETED, A));

    assertThat(JournalCheck.violations(lines, List.of(Map.entry(B, 1)), List.of())).isEmpty();
  }

  @Test
  void violations_killedBeforeTheAnswer_eitherOutcomeIsRight() {
    List<Line> lines =
        List.of(
            line(Event.ENQUEUED, A),
            leased(A, 1, 1),
            line(Event.COMPLETE, A),
            line(Event.BEGIN, "life"));

    assertThat(JournalCheck.violations(lines, NONE, List.of())).isEmpty();
    assertThat(JournalCheck.violations(lines, List.of(Map.entry(A, 2)), List.of())).isEmpty();
  }

  @Test
  void violations_acknowledgedJobIsNowhere_isLost() {
    assertThat(JournalCheck.violations(List.of(line(Event.ENQUEUED, A)), NONE, List.of()))
        .containsExactly("lost: " + A);
  }

  @Test
  void violations_completedJobComesBack_isFound() {
    List<Line> lines =
        List.of(
            line(Event.ENQUEUED, A),
            leased(A, 1, 1),
            line(Event.COMPLETE, A),
            line(Event.COMPLETED, A),
            leased(A, 2, 2));

    assertThat(JournalCheck.violations(lines, NONE, List.of()))
        .singleElement()
        .asString()
        .startsWith("served after it was finished");
    assertThat(JournalCheck.violations(lines.subList(0, 4), List.of(Map.entry(A, 2)), List.of()))
        .containsExactly("back after it was completed: " + A);
  }

  @Test
  void violations_twoHoldersAtOnce_isFoundButNotOverADeath() {
    List<Line> lines = List.of(leased(A, 1, 1), leased(A, 2, 2));

    assertThat(JournalCheck.violations(lines, NONE, List.of()))
        .singleElement()
        .asString()
        .startsWith("held by two");
    assertThat(
            JournalCheck.violations(
                List.of(leased(A, 1, 1), line(Event.BEGIN, "life"), leased(A, 2, 2)),
                NONE,
                List.of()))
        .isEmpty();
  }

  @Test
  void violations_laterJobServedFirst_isFoundUnlessTheEarlierWasHeldByTheDead() {
    List<Line> lines = List.of(line(Event.ENQUEUED, A), line(Event.ENQUEUED, B), leased(B, 1, 1));

    assertThat(JournalCheck.violations(lines, List.of(Map.entry(A, 1), Map.entry(B, 2)), List.of()))
        .containsExactly("served after later ones: " + A);
    assertThat(JournalCheck.violations(lines, List.of(Map.entry(A, 2), Map.entry(B, 2)), List.of()))
        .isEmpty();
  }

  @Test
  void violations_sameJobTwiceSameTokenTwiceDamagedPayload_areFound() {
    assertThat(
            JournalCheck.violations(
                List.of(), List.of(Map.entry(A, 1), Map.entry(A, 1)), List.of()))
        .containsExactly("doubled: " + A);
    assertThat(
            JournalCheck.violations(
                List.of(leased(A, 7, 1), leased(B, 7, 1)), List.of(Map.entry(A, 2)), List.of()))
        .singleElement()
        .asString()
        .startsWith("token given twice");
    assertThat(JournalCheck.violations(List.of(leased("damaged", 7, 1)), NONE, List.of()))
        .singleElement()
        .asString()
        .startsWith("damaged payload");
  }

  private static Line line(Event event, String job) {
    return new Line(event, job, "-");
  }

  private static Line leased(String job, long token, int attempt) {
    return new Line(Event.LEASED, job, token + "/" + attempt);
  }
}
