package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotRingTest {

  private static final int PUTTER_COUNT = 3;
  private static final long WHILE_NS = TimeUnit.MILLISECONDS.toNanos(300);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 4", "65536, 65536", "65537, 131072"})
  void capacity_ofAnyLength_isTheNextPowerOfTwo(int least, int capacity) {
    assertThat(new SlotRing<String>(least).capacity()).isEqualTo(capacity);
  }

  @Test
  void counts_afterPutsAndTakes_areThoseSinceTheBeginning() {
    SlotRing<Integer> ring = new SlotRing<>(2);
    for (int i = 0; i < 5; i++) {
      assertThat(ring.isEmpty()).isTrue();
      assertThat(ring.offer(i)).isTrue();
      assertThat(ring.size()).isEqualTo(1);
      assertThat(ring.poll()).isEqualTo(i);
    }

    assertThat(ring.offer(5)).isTrue();
    assertThat(ring.offer(6)).isTrue();
    assertThat(ring.offer(7)).isFalse();
    assertThat(ring.putCount()).isEqualTo(7);
    assertThat(ring.takenCount()).isEqualTo(5);
    assertThat(ring.size()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void offerAndPoll_byManyThreads_eachIsTakenOnceAndInOrder(int capacity) throws Exception {
    SlotRing<long[]> ring = new SlotRing<>(capacity);
    CountDownLatch puttersLeft = new CountDownLatch(PUTTER_COUNT);
    for (int i = 0; i < PUTTER_COUNT; i++) {
      int putter = i;
      daemon(
          () -> {
            putForAWhile(ring, putter);
            puttersLeft.countDown();
          });
    }
    CompletableFuture<List<Long>> wrong = new CompletableFuture<>();
    daemon(() -> wrong.complete(takeAll(ring, puttersLeft)));

    assertThat(wrong.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(ring.takenCount()).isPositive().isEqualTo(ring.putCount());
  }

  /** Nobody waits for it at the end: a slot that stays empty holds the one who takes for ever. */
  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void putForAWhile(SlotRing<long[]> ring, int putter) {
    long endNs = System.nanoTime() + WHILE_NS;
    for (long next = 0; System.nanoTime() - endNs < 0; ) {
      if (ring.offer(new long[] {putter, next})) {
        next++;
      } else {
        Thread.yield();
      }
    }
  }

  /** Takes until nothing comes any more; answers those that came out of their turn. */
  private static List<Long> takeAll(SlotRing<long[]> ring, CountDownLatch puttersLeft) {
    long[] next = new long[PUTTER_COUNT];
    List<Long> wrong = new ArrayList<>();
    while (puttersLeft.getCount() > 0 || !ring.isEmpty()) {
      long[] element = ring.poll();
      if (element == null) {
        Thread.yield();
      } else if (element[1] != next[(int) element[0]]++) {
        wrong.add(element[1]);
      }
    }
    return wrong;
  }
}
