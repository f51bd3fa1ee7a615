package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.console.http.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PatienceTest {

  private static final Duration SHORT = Duration.ofMillis(50);

  private final CountDownLatch isOver = new CountDownLatch(1);
  private final CountDownLatch hasLeft = new CountDownLatch(1);

  @Test
  void ask_answer_isHandedOn() {
    try (Patience patience = patience(Duration.ofSeconds(30))) {
      assertThat(patience.<String>ask(() -> "yes")).isEqualTo("yes");
      assertThat(patience.<String>actLong(() -> "done")).isEqualTo("done");
    }
  }

  @Test
  void ask_processIsHalted_endsWithASentenceHoweverOftenItIsAsked() {
    try (Patience patience = patience(SHORT)) {
      for (int i = 0; i < 20; i++) { // more than there are threads, all of which hang
        assertThatThrownBy(() -> patience.ask(this::hang))
            .isInstanceOf(RefusedException.class)
            .hasMessage("the process does not answer: pid=7")
            .extracting(e -> ((RefusedException) e).status())
            .isEqualTo(503);
      }
      assertThatThrownBy(() -> patience.act(this::hang))
          .hasMessage("the process does not answer, look whether it has done that: pid=7");
      isOver.countDown();
    }
  }

  @Test
  void ask_failureOfTheStore_isThatOfTheStore() {
    try (Patience patience = patience(Duration.ofSeconds(30))) {
      assertThatThrownBy(
              () ->
                  patience.ask(
                      () -> {
                        throw new CorruptDataException("stored row is corrupt");
                      }))
          .isInstanceOf(CorruptDataException.class)
          .hasMessage("stored row is corrupt");
    }
  }

  @Test
  void close_questionsHang_leavesTheProcessWithoutWaiting() throws InterruptedException {
    try (Patience patience = patience(SHORT)) {
      assertThatThrownBy(() -> patience.ask(this::hang)).isInstanceOf(RefusedException.class);
    }

    hasLeft.await(); // the test's time limit ends it
    isOver.countDown();
  }

  @Test
  void askLong_processAnswersOtherQuestions_isWaitedFor() {
    try (Patience patience =
        new Patience(7, isOver::countDown, hasLeft::countDown, Duration.ofSeconds(1))) {
      assertThat(patience.<Boolean>askLong(this::hang)).isTrue(); // until it is asked for a sign
    }
  }

  @Test
  void ask_manyLongQuestionsWait_isAnsweredBesideThem() {
    try (Patience patience = patience(Duration.ofSeconds(30))) {
      List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) { // more than there are threads
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        new Thread(() -> answer.complete(patience.askLong(this::hang))).start();
        waiting.add(answer);
      }

      assertThat(patience.<String>ask(() -> "yes")).isEqualTo("yes");

      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      isOver.countDown();
      waiting.forEach(answer -> assertThat(answer.join()).isTrue());
    }
  }

  @Test
  void actLong_processAnswersNothing_endsWithASentence() {
    try (Patience patience = new Patience(7, this::hang, hasLeft::countDown, SHORT)) {
      assertThatThrownBy(() -> patience.actLong(this::hang))
          .isInstanceOf(RefusedException.class)
          .hasMessage("the process does not answer, look whether it has done that: pid=7");
      isOver.countDown();
    }
  }

  private Patience patience(Duration most) {
    return new Patience(7, () -> {}, hasLeft::countDown, most);
  }

  /** Hangs as a read from a halted process does: no interrupt ends it. */
  private boolean hang() {
    while (isOver.getCount() > 0) {
      try {
        isOver.await();
      } catch (InterruptedException e) {
        continue;
      }
    }
    return true;
  }
}
