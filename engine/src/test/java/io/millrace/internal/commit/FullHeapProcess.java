package io.millrace.internal.commit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process whose answer thread fails for the first time when the heap is full to the last bytes.
 * It prints how many answers were given, how many failures were told instead, and how many nobody
 * was told of. It must be small.
 */
final class FullHeapProcess {

  private static final int ANSWER_COUNT = 20_000;
  private static final int WARM_COUNT = 50;
  private static final int LARGEST = 1 << 16;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final AnswerThread answers = new AnswerThread(null);
  private final Promise[] promises = new Promise[ANSWER_COUNT];

  /** The newest of the blocks that fill the heap; each one refers to the one before. */
  private Object @Nullable [] hog;

  private FullHeapProcess() {
    for (int i = 0; i < promises.length; i++) {
      promises[i] = new Promise();
    }
  }

  /** An answer that takes some memory. */
  private static final class Promise extends Answer {
    final CompletableFuture<byte[]> future = new CompletableFuture<>();

    @Override
    void give() {
      future.complete(new byte[100]);
    }

    @Override
    void failed(Throwable cause) {
      future.completeExceptionally(cause);
    }
  }

  /** Runs the process; without arguments. */
  public static void main(String[] args) {
    new FullHeapProcess().run();
  }

  private void run() {
    answers.start();
    give(0, WARM_COUNT);
    // Twice: what is used for the first time takes memory.
    fill();
    hog = null;
    fill();
    give(WARM_COUNT, ANSWER_COUNT);
    hog = null;
    tell();
  }

  private void fill() {
    for (int size = LARGEST; size > 2; size >>= 1) {
      boolean isMore = true;
      while (isMore) {
        isMore = isTaken(size);
      }
    }
  }

  private boolean isTaken(int size) {
    try {
      Object[] block = new Object[size];
      block[0] = hog;
      hog = block;
      return true;
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  private void give(int from, int to) {
    for (int i = from; i < to; i++) {
      answers.add(promises[i]);
      answers.wake();
      if (i % 10 == 0) {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  private void tell() {
    long endNs = System.nanoTime() + PATIENCE_NS;
    int given = 0;
    int failed = 0;
    for (Promise promise : promises) {
      while (!promise.future.isDone() && System.nanoTime() - endNs < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      if (promise.future.isCompletedExceptionally()) {
        failed++;
      } else if (promise.future.isDone()) {
        given++;
      }
    }
    int lost = ANSWER_COUNT - given - failed;
    System.out.println("lost " + lost + ", failed " + failed + ", given " + given);
  }
}
