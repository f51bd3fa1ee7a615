package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.internal.transition.lease.CheckLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTest {

  private static final Request.Terms TERMS = new Request.Terms(0, 0, Durability.SYNCED);

  private final AnswerThread answerThread = new AnswerThread(null);

  @AfterEach
  void close() {
    answerThread.close();
  }

  private static Request<Integer> blocking() {
    return Request.blocking(new CheckLeases(0), TERMS);
  }

  @Test
  void tell_waiting_isAnsweredOnce() {
    Request<Integer> request = blocking();
    request.resolve(7, 3, Durability.SYNCED);

    assertThat(request.tell(answerThread)).isTrue();
    assertThat(request.tell(answerThread)).isFalse();
    assertThat(request.abandon()).isFalse();
    assertThat(request.await()).isTrue();
    assertThat(request.answer()).isEqualTo(7);
  }

  @Test
  void abandon_beforeTheAnswer_neverBecomesAnswered() {
    Request<Integer> request = blocking();

    assertThat(request.abandon()).isTrue();
    request.resolve(7, 3, Durability.SYNCED);

    assertThat(request.tell(answerThread)).isFalse();
    assertThat(request.isAbandoned()).isTrue();
    assertThat(request.isAnswered()).isFalse();
    assertThat(request.await()).isFalse();
  }

  @Test
  void await_interrupted_isAbandonedAndTheInterruptStays() {
    Request<Integer> request = blocking();
    Thread.currentThread().interrupt();

    boolean hasAnswer = request.await();

    assertThat(hasAnswer).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(request.isAbandoned()).isTrue();
  }

  @Test
  void refuse_waiting_isToldByException() {
    Request<Integer> request = blocking();
    IllegalStateException why = new IllegalStateException("why");

    request.refuse(why, answerThread);

    assertThat(request.await()).isTrue();
    assertThatThrownBy(request::answer).isSameAs(why);
  }

  @Test
  void refuse_answeredAlready_keepsItsAnswer() {
    Request<Integer> request = blocking();
    request.resolve(7, 3, Durability.SYNCED);
    request.tell(answerThread);

    request.refuse(new IllegalStateException("too late"), answerThread);

    assertThat(request.answer()).isEqualTo(7);
  }

  @Test
  void tellAndAbandon_race_exactlyOneWins() throws Exception {
    AtomicInteger told = new AtomicInteger();
    List<Integer> wins = new ArrayList<>();
    for (int round = 0; round < 500; round++) {
      Request<Integer> request =
          Request.listening(new CheckLeases(0), TERMS, answered -> told.incrementAndGet());
      request.resolve(round, 0, Durability.BUFFERED);
      CyclicBarrier start = new CyclicBarrier(2);
      AtomicInteger wonCount = new AtomicInteger();
      Thread caller =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                wonCount.addAndGet(request.abandon() ? 1 : 0);
              });
      caller.start();
      start.await();
      boolean isTold = request.tell(answerThread);
      caller.join();
      wins.add(wonCount.get() + (isTold ? 1 : 0));
    }

    assertThat(wins).containsOnly(1);
  }
}
