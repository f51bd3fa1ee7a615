package io.millrace.spi.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CallGateTest {

  private final CallGate gate = new CallGate();
  private final AtomicInteger restCount = new AtomicInteger();

  @Test
  void leaveToLast_callsInside_theLastOneOutDoesTheRestOnce() {
    gate.enter();
    gate.enter();
    assertThat(gate.close()).isTrue();
    assertThat(gate.awaitEmpty(1)).isFalse();

    gate.leaveToLast(restCount::incrementAndGet);

    gate.exit();
    assertThat(restCount).hasValue(0);
    assertThat(gate.tryEnter()).isFalse();
    assertThat(restCount).hasValue(0);
    gate.exit();
    assertThat(restCount).hasValue(1);
    assertThatThrownBy(gate::enter).isInstanceOf(StoreClosedException.class);
    assertThat(gate.close()).isFalse();
    assertThat(restCount).hasValue(1);
  }

  @Test
  void leaveToLast_nobodyInside_isDoneAtOnce() {
    assertThat(gate.close()).isTrue();

    gate.leaveToLast(restCount::incrementAndGet);

    assertThat(restCount).hasValue(1);
    assertThat(gate.tryEnter()).isFalse();
    assertThat(restCount).hasValue(1);
  }

  @Tag("slow")
  @Test
  void leaveToLast_besideCallsThatComeAndGo_isDoneOnceWhenNobodyIsInside() throws Exception {
    for (int round = 0; round < 300; round++) {
      CallGate raced = new CallGate();
      AtomicInteger inside = new AtomicInteger();
      List<Integer> found = new ArrayList<>();
      CountDownLatch rest = new CountDownLatch(1);
      CountDownLatch underWay = new CountDownLatch(3);
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        callers.add(CompletableFuture.runAsync(() -> callUntilClosed(raced, inside, underWay)));
      }
      underWay.await();

      raced.close();
      raced.leaveToLast(
          () -> {
            found.add(inside.get());
            rest.countDown();
          });

      for (CompletableFuture<Void> caller : callers) {
        caller.get(30, TimeUnit.SECONDS);
      }
      assertThat(rest.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(found).containsExactly(0);
    }
  }

  private static void callUntilClosed(
      CallGate gate, AtomicInteger inside, CountDownLatch underWay) {
    while (gate.tryEnter()) {
      inside.incrementAndGet();
      inside.decrementAndGet();
      gate.exit();
      underWay.countDown();
    }
    underWay.countDown();
  }
}
