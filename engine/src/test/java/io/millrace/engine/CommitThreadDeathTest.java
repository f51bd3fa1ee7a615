package io.millrace.engine;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.ForwardingStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The commit thread does not come back, as if it had died where nothing can be caught: everybody is
 * told, and the engine can be closed.
 */
@Timeout(20)
class CommitThreadDeathTest {

  private final CountDownLatch isHeld = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private volatile boolean isHolding;

  /** A store whose write does not return when it is told so. */
  private final class HeldStore extends ForwardingStore {

    HeldStore(OrderedStore store) {
      super(store);
    }

    @Override
    public void write(WriteBatch batch) {
      if (isHolding) {
        isHolding = false;
        isHeld.countDown();
        awaitOpen();
      }
      store.write(batch);
    }

    private void awaitOpen() {
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("the test was interrupted", e);
      }
    }
  }

  @Test
  void ended_inTheMiddleOfACommit_everybodyIsToldAndCloseReturns() throws Exception {
    StoreFactory factory = ForwardingStore.factory(new FaultyStore(1), HeldStore::new);
    JobEngine engine =
        JobEngine.open(factory, StoreOptions.of(Path.of("simulated")), EngineOptions.DEFAULT);
    JobQueue queue = engine.queue("mail");
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    waiting.add(engine.queue("none").claimAsync(ClaimOptions.by("it").waiting(ofMinutes(5))));
    waiting.add(engine.await(queue.enqueue(new byte[1], EnqueueOptions.DEFAULT).jobId()));
    isHolding = true;
    waiting.add(queue.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT));
    isHeld.await();
    waiting.add(queue.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT));
    LoopActionJoin join = new LoopActionJoin(engine);

    engine.loop().ended();

    assertThat(waiting)
        .allSatisfy(future -> assertThatThrownBy(future::get).hasCauseInstanceOf(Exception.class));
    join.await();
    assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.CLOSED);
    assertThatThrownBy(() -> queue.enqueue(new byte[1])).isInstanceOf(EngineClosedException.class);
    engine.close();
    open.countDown();
  }

  /** Somebody who waits for an action of the loop. */
  private static final class LoopActionJoin {
    private final Thread thread;

    LoopActionJoin(JobEngine engine) throws InterruptedException {
      CountDownLatch isIn = new CountDownLatch(1);
      int before = engine.loop().ringDepth();
      thread =
          new Thread(
              () -> {
                isIn.countDown();
                assertThatThrownBy(engine::reopen).isInstanceOf(EngineClosedException.class);
              });
      thread.start();
      isIn.await();
      while (engine.loop().ringDepth() == before) {
        Thread.onSpinWait();
      }
    }

    void await() throws InterruptedException {
      thread.join();
    }
  }
}
