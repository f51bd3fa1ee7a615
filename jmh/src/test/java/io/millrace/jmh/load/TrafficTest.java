package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class TrafficTest {

  private final Traffic traffic = new Traffic(1);

  private static CompletableFuture<Boolean> begin(BooleanSupplier waiting) throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread thread = new Thread(() -> done.complete(waiting.getAsBoolean()));
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING && !done.isDone()) {
      Thread.onSpinWait();
    }
    return done;
  }

  @Test
  void awaitRoom_asManyJobsAsThereMayBe_waitsUntilHalfOfThemAreDone() throws Exception {
    traffic.start(0, 10);
    assertThat(traffic.awaitRoom()).isTrue();
    traffic.enqueued(10);
    CompletableFuture<Boolean> hasRoom = begin(traffic::awaitRoom);
    for (int number = 0; number < 4; number++) {
      traffic.completed(traffic.ledger().next(0));
    }
    assertThat(hasRoom).isNotDone();

    traffic.completed(traffic.ledger().next(0));

    assertThat(hasRoom.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void awaitSpare_asFewJobsAsThereAreToBe_waitsUntilHalfOfTheOthersAreThere() throws Exception {
    traffic.start(100, 110);
    traffic.enqueued(100);
    CompletableFuture<Boolean> hasSpare = begin(traffic::awaitSpare);
    traffic.enqueued(4);
    assertThat(hasSpare).isNotDone();

    traffic.enqueued(1);

    assertThat(hasSpare.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void stop_callersWait_endsTheirWaiting() throws Exception {
    traffic.start(0, 1);
    traffic.enqueued(1);
    CompletableFuture<Boolean> hasRoom = begin(traffic::awaitRoom);

    traffic.stop();

    assertThat(hasRoom.get(10, TimeUnit.SECONDS)).isFalse();
  }
}
