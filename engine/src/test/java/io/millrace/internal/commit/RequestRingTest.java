package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOverloadedException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestRingTest {

  private final AnswerThread answerThread = new AnswerThread(null);
  private final RequestRing ring =
      new RequestRing(
          EngineOptions.DEFAULT.ringSize(2).overloadWait(Duration.ofMillis(5)), answerThread);

  @AfterEach
  void close() {
    answerThread.close();
  }

  private static Control submission() {
    return new Control(() -> {});
  }

  @Test
  void take_afterPuts_isInOrderAndThenNothing() {
    Control first = submission();
    Control second = submission();
    ring.put(first);
    ring.put(second);

    assertThat(ring.take()).isSameAs(first);
    assertThat(ring.take()).isSameAs(second);
    assertThat(ring.take()).isNull();
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void put_fullForLongerThanCallersWait_isRefusedAndNotInTheRing() {
    ring.put(submission());
    ring.put(submission());

    assertThatThrownBy(() -> ring.put(submission()))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(
            "too many requests are queued: waitedMs=5, ringSize=2; nothing happened, try again"
                + " later or raise overloadWait");

    ring.take();
    ring.take();
    assertThat(ring.take()).isNull();
  }

  @Test
  void put_fullAndInterrupted_isRefusedAtOnceAndTheInterruptStays() {
    ring.put(submission());
    ring.put(submission());
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ring.put(submission()))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessageContaining("interrupted");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void end_whateverIsInAndComesLater_isRefused() {
    Control before = submission();
    Control after = submission();
    ring.put(before);

    ring.end();
    ring.put(after);

    for (Control refused : new Control[] {before, after}) {
      assertThat(refused.done()).isCompletedExceptionally();
      assertThatThrownBy(() -> refused.done().join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(EngineClosedException.class);
    }
  }

  @Test
  void end_whilePutsRace_everySubmissionIsTakenOrRefused() throws Exception {
    for (int round = 0; round < 200; round++) {
      RequestRing raced = new RequestRing(EngineOptions.DEFAULT.ringSize(16), answerThread);
      Control control = submission();
      CyclicBarrier start = new CyclicBarrier(2);
      Thread producer =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                raced.put(control);
              });
      producer.start();
      start.await();
      raced.end();
      producer.join();

      assertThat(control.done()).isCompletedExceptionally();
    }
  }
}
