package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.testkit.ForwardingStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The duties of the thread that folds, besides folding. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FoldLoopTest {

  private final MemtableRig rig = new MemtableRig(1);
  private final AtomicInteger settleCount = new AtomicInteger();

  @AfterEach
  void close() {
    rig.store.close();
  }

  @Test
  void run_alwaysSomethingToFold_seesToTheStoreBeneathAllTheSame() {
    rig.options = rig.options.layer(1, 1);
    rig.front = this::counting;
    rig.open();

    for (int i = 0; i < 20; i++) {
      rig.put("key " + i, "1");
    }
    rig.awaitFolded(18);

    assertThat(settleCount.get()).isGreaterThan(10);
  }

  @Test
  void interrupt_ofTheThread_isForgotten() {
    AtomicReference<@Nullable Thread> folding = new AtomicReference<>();
    rig.options =
        rig.options.threads(
            work -> {
              folding.set(new Thread(work));
              return folding.get();
            });
    rig.front = this::counting;
    rig.open();
    Thread thread = folding.get();
    rig.await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    int before = settleCount.get();

    thread.interrupt();

    rig.await(() -> settleCount.get() > before);
    rig.await(() -> thread.getState() == Thread.State.TIMED_WAITING && !thread.isInterrupted());
    rig.put("a", "1");
    rig.seal();
    rig.awaitFolded(1);
  }

  private OrderedStore counting(OrderedStore inner) {
    return new ForwardingStore(inner) {
      @Override
      public void settle() {
        settleCount.incrementAndGet();
        store.settle();
      }
    };
  }
}
