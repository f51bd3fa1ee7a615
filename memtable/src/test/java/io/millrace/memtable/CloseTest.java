package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.MemoryLog.Call;
import io.millrace.spi.StoreFailedException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A close beside a disk that does not answer. */
@Tag("thorough")
class CloseTest {

  private final MemtableRig rig = new MemtableRig(1);
  private final Semaphore hung = new Semaphore(0);
  private final Semaphore answer = new Semaphore(0);

  @Test
  void close_logDoesNotAnswer_saysSoAndLeavesTheRestToTheCallUnderWay() throws Exception {
    rig.log.onCall =
        call -> {
          if (call == Call.SYNC) {
            hung.release();
            answer.acquireUninterruptibly();
          }
        };
    rig.options = rig.options.layer(1 << 20, 1);
    rig.open();
    rig.base.hold(HeldStore.Point.BEFORE_WRITE);
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(
            () -> {
              rig.put("a", "1");
              rig.put("b", "1");
              rig.store.sync();
            });
    hung.acquire();
    CompletableFuture<Void> copy =
        CompletableFuture.runAsync(() -> rig.store.backupTo(Path.of("copy")));

    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> rig.store.close());

    assertThatThrownBy(() -> close.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StoreFailedException.class);
    answer.release();
    rig.base.letGo();
    writes.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(() -> copy.get(30, TimeUnit.SECONDS)).isNotNull();
    rig.log.onCall = call -> {};
    rig.open();
    assertThat(rig.rows()).containsExactly("a=1", "b=1");
    rig.store.close();
  }
}
