package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.MemoryLog.Call;
import io.millrace.spi.StoreFailedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A close while the log does not answer the thread that folds, and nobody else is inside. */
@Tag("slow")
class CloseBesideFoldTest {

  private final MemtableRig rig = new MemtableRig(1);
  private final Semaphore hung = new Semaphore(0);
  private final Semaphore answer = new Semaphore(0);

  @Test
  @Tag("thorough")
  void close_logDoesNotAnswerTheThreadThatFolds_saysSo() throws Exception {
    rig.log.onCall =
        call -> {
          if (call == Call.TURN) {
            hung.release();
            answer.acquireUninterruptibly();
          }
        };
    // Room is scarce when it is asked first, so that the thread that folds seals the layer.
    AtomicInteger asked = new AtomicInteger();
    rig.options = rig.options.room(() -> asked.getAndIncrement() == 0 ? 0 : 1 << 20);
    rig.open();
    rig.put("a", "1");
    hung.acquire();

    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> rig.store.close());

    try {
      assertThatThrownBy(() -> close.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreFailedException.class);
    } finally {
      answer.release(100);
    }
  }
}
