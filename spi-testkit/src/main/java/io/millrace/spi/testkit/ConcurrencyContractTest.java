package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Contract of concurrency: many threads read while one writes, and closing hurts none of them. */
public abstract class ConcurrencyContractTest extends StoreContract {

  private static final int READER_COUNT = 8;
  private static final int ROWS_PER_BATCH = 10;

  protected ConcurrencyContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void reads_onManyThreadsDuringWrites_seeOnlyWholeBatches() throws Exception {
    OrderedStore store = open();
    writeSameEverywhere(store);
    AtomicBoolean isDone = new AtomicBoolean();
    CountDownLatch started = new CountDownLatch(READER_COUNT);
    ExecutorService threads = Executors.newFixedThreadPool(READER_COUNT);
    try {
      List<Future<Void>> readers = new ArrayList<>();
      for (int i = 0; i < READER_COUNT; i++) {
        readers.add(
            threads.submit(
                () -> {
                  long newest = checkSameEverywhere(store, 0);
                  started.countDown();
                  while (!isDone.get()) {
                    newest = checkSameEverywhere(store, newest);
                  }
                  return null;
                }));
      }
      started.await();

      for (int i = 0; i < 500; i++) {
        writeSameEverywhere(store);
        if (i % 50 == 0) {
          store.sync();
        }
      }

      isDone.set(true);
      for (Future<Void> reader : readers) {
        reader.get();
      }
    } finally {
      isDone.set(true);
      threads.shutdownNow();
    }
    assertThat(store.lastCommit()).isEqualTo(501);
  }

  @Test
  void reads_onAnInterruptedThread_workAndKeepTheFlag() {
    OrderedStore store = open();
    writeNumbered(store, 3);

    Thread.currentThread().interrupt();
    List<String> seen = rows(store);
    boolean isInterrupted = Thread.interrupted();

    assertThat(seen).isEqualTo(numberedRows(3));
    assertThat(isInterrupted).isTrue();
    writeNumbered(store, 1);
    assertThat(rows(store)).isEqualTo(numberedRows(4));
  }

  @Test
  void reads_onManyShortLivedThreads_work() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 1);

    for (int i = 0; i < 300; i++) {
      AtomicLong seen = new AtomicLong();
      Thread thread = new Thread(() -> seen.set(rows(store).size()));
      thread.start();
      thread.join();
      assertThat(seen).hasValue(1);
    }
  }

  @Test
  void close_underLoad_everyCallWorksOrIsToldThatTheStoreIsClosed() throws Exception {
    for (int round = 0; round < 10; round++) {
      OrderedStore store = open(options().storeBytesMax(64L << 20));
      ExecutorService threads = Executors.newFixedThreadPool(READER_COUNT + 1);
      CountDownLatch busy = new CountDownLatch(READER_COUNT + 1);
      try {
        List<Future<?>> calls = new ArrayList<>();
        calls.add(
            threads.submit(
                () ->
                    untilClosed(
                        busy,
                        () -> {
                          writeSameEverywhere(store);
                          store.sync();
                        })));
        for (int i = 0; i < READER_COUNT; i++) {
          calls.add(threads.submit(() -> untilClosed(busy, () -> rows(store))));
        }
        busy.await();

        store.close();

        for (Future<?> call : calls) {
          call.get();
        }
        assertThatThrownBy(store::read).isInstanceOf(StoreClosedException.class);
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void close_fromManyThreads_closesOnceAndEveryoneReturns() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 1);
    ExecutorService threads = Executors.newFixedThreadPool(READER_COUNT);
    try {
      List<Future<?>> closers = new ArrayList<>();
      for (int i = 0; i < READER_COUNT; i++) {
        closers.add(threads.submit(store::close));
      }
      for (Future<?> closer : closers) {
        closer.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(open().info().name()).isEqualTo(fixture.name());
  }

  @Test
  void close_duringAScan_waitsForIt() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 3);
    AtomicBoolean isVisited = new AtomicBoolean();
    AtomicBoolean wasVisitedBeforeClosed = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              store.close();
              wasVisitedBeforeClosed.set(isVisited.get());
            });

    try (ReadView view = store.read()) {
      view.scan(
          EMPTY,
          hex("ff"),
          10,
          (key, value) -> {
            closer.start();
            awaitBlocked(closer);
            isVisited.set(true);
            return false;
          });
    }
    closer.join();

    assertThat(wasVisitedBeforeClosed).isTrue();
  }

  /** Waits until the thread waits for something, or has ended because it did not wait. */
  private static void awaitBlocked(Thread thread) {
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
  }

  private static void untilClosed(CountDownLatch busy, Runnable call) {
    try {
      call.run();
      busy.countDown();
      while (true) {
        call.run();
      }
    } catch (StoreClosedException e) {
      assertThat(busy.getCount()).isZero();
    } finally {
      busy.countDown();
    }
  }

  /** Writes a batch that gives all rows the number of the batch. */
  private static void writeSameEverywhere(OrderedStore store) {
    WriteBatch batch = nextBatch(store);
    for (int i = 0; i < ROWS_PER_BATCH; i++) {
      batch.put(
          new byte[] {(byte) (i * 20)},
          ByteBuffer.allocate(Long.BYTES).putLong(batch.number()).array());
    }
    store.write(batch);
  }

  private static long checkSameEverywhere(OrderedStore store, long newestBefore) {
    try (ReadView view = store.read()) {
      assertThat(view.commit()).isGreaterThanOrEqualTo(newestBefore);
      int count =
          view.scan(
              EMPTY,
              hex("ff"),
              100,
              (key, value) -> {
                assertThat(ByteBuffer.wrap(value).getLong()).isEqualTo(view.commit());
                return true;
              });
      assertThat(count).isEqualTo(ROWS_PER_BATCH);
      byte[] first = view.get(hex("00"));
      assertThat(ByteBuffer.wrap(first).getLong()).isEqualTo(view.commit());
      return view.commit();
    }
  }
}
