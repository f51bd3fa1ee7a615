package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.protocol.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The making of a caller's answer of the server's, and the fate of one that nobody wants. */
@Timeout(60)
class AnsweredTest {

  /** The work of users, which is done when the test says so. */
  private final Deque<Runnable> left = new ArrayDeque<>();

  private final List<String> unwanted = new ArrayList<>();
  private final CompletableFuture<String> sent = new CompletableFuture<>();
  private final List<Thread> makers = new ArrayList<>();
  private final Answered<String, String> future =
      new Answered<>(
          new Calls() {
            @Override
            public <C extends Call<A>, A> CompletableFuture<A> send(C call) {
              throw new AssertionError("nothing is sent here");
            }

            @Override
            public void run(Runnable work) {
              left.add(work);
            }
          },
          sent,
          answer -> {
            makers.add(Thread.currentThread());
            return "made of " + answer;
          },
          unwanted::add);

  @AfterEach
  void clearInterruptStatus() {
    Thread.interrupted();
  }

  private FutureTask<String> waiter() throws Exception {
    FutureTask<String> waiting = new FutureTask<>(() -> Caller.await(future));
    Thread thread = new Thread(waiting, "waiter");
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return waiting;
  }

  @Test
  void whoWaits_makesIt() throws Exception {
    FutureTask<String> waiting = waiter();
    sent.complete("it");

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("made of it");
    assertThat(left).isEmpty();
    assertThat(makers).extracting(Thread::getName).containsExactly("waiter");
  }

  @Test
  void forOthers_itIsMadeWhereTheyMayWait() {
    sent.complete("it");
    assertThat(future).isNotDone();
    left.remove().run();

    assertThat(future).isCompletedWithValue("made of it");
  }

  @Test
  void whoeverWaitsAfterIt_makesItOnce() {
    sent.complete("it");
    assertThat(Caller.await(future)).isEqualTo("made of it");
    left.remove().run();

    assertThat(makers).hasSize(1);
    assertThat(unwanted).isEmpty();
  }

  @Test
  void whoIsInterrupted_leavesItToOthers() throws Exception {
    Thread.currentThread().interrupt();
    assertThatThrownBy(future::awaitAndMake).isInstanceOf(InterruptedException.class);
    sent.complete("it");
    left.remove().run();

    assertThat(future).isCompletedWithValue("made of it");
  }

  @Test
  void failures_areTheCallsOwn() throws Exception {
    FutureTask<String> waiting = waiter();
    sent.completeExceptionally(new IllegalArgumentException("wrong"));

    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatComesAfterTheFutureWasCancelled_isUnwanted() {
    future.ending();
    sent.complete("it");
    future.cancel(false);

    assertThat(unwanted).containsExactly("made of it");
    left.forEach(Runnable::run);
    assertThat(unwanted).hasSize(1);
  }

  @Test
  void cancelling_endsTheCall() {
    future.ending();
    future.cancel(false);

    assertThat(sent).isCancelled();
    assertThat(unwanted).isEmpty();
  }

  @Test
  void futureThatIsEndedByOthers_isNotWaitedFor() throws Exception {
    FutureTask<String> waiting = waiter();
    future.completeExceptionally(new TimeoutException("late"));

    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(TimeoutException.class);
    sent.complete("it");
    left.forEach(Runnable::run);
    assertThat(unwanted).isEmpty();
  }
}
