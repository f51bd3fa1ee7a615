package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process whose heap is filled to the last bytes, again and again, while callers use an engine in
 * it. It must be small for that.
 *
 * <p>It says what it found ({@code violation: …}) and {@code waiting} when it waits to be ended
 * from outside; the numbers of the jobs whose enqueue was acknowledged are in a file by then.
 */
final class WantOfMemoryWorker {

  static final String KEPT = "kept";

  private static final int CALL_COUNT_MAX = 30_000;
  private static final int BLOCK_COUNT_MAX = 2_000_000;
  private static final int CALLER_COUNT = 3;
  private static final int WARM_CALL_COUNT = 200;
  private static final long PATIENCE_SECONDS = 60;

  private final JobEngine engine;
  private final JobQueue kept;
  private final JobQueue worked;
  private final CompletableFuture<?>[] answers = new CompletableFuture<?>[CALL_COUNT_MAX];
  private final AtomicInteger callCount = new AtomicInteger();
  private final byte[][] hog = new byte[BLOCK_COUNT_MAX][];
  private volatile boolean isOver;

  private WantOfMemoryWorker(JobEngine engine) {
    this.engine = engine;
    this.kept = engine.queue(KEPT);
    this.worked = engine.queue("worked");
  }

  /** Arguments: store's location, how often the heap is filled, and the file of what was kept. */
  public static void main(String[] args) throws Exception {
    EngineOptions options =
        EngineOptions.DEFAULT.reopenAfter(
            // Some are left when there is memory again, however long it took to fill it.
            Collections.nCopies(EngineOptions.REOPEN_COUNT_MAX, Duration.ofMillis(500)));
    new WantOfMemoryWorker(JobEngine.open(args[0], options))
        .run(Integer.parseInt(args[1]), Path.of(args[2]));
  }

  private void run(int rounds, Path acknowledged) throws Exception {
    Thread[] callers = new Thread[CALLER_COUNT];
    for (int i = 0; i < CALLER_COUNT; i++) {
      callers[i] = new Thread(this::call, "caller-" + i);
      callers[i].setDaemon(true);
      callers[i].start();
    }
    while (callCount.get() < WARM_CALL_COUNT) {
      LockSupport.parkNanos(1_000_000);
    }
    int poisoned = 0;
    for (int i = 0; i < rounds; i++) {
      fill();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20L << (i % 5)));
      Arrays.fill(hog, null);
      if (engine.health().status() == EngineHealth.Status.POISONED) {
        poisoned++;
      }
      awaitWork();
    }
    isOver = true;
    for (Thread caller : callers) {
      caller.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      require(!caller.isAlive(), "a blocking call is not answered");
    }
    tell(acknowledged);
    System.out.println(
        "tried: rounds=" + rounds + ", poisoned=" + poisoned + ", calls=" + callCount);
    System.out.println("waiting");
    Thread.currentThread().join();
  }

  /** Takes all memory that there is, in ever smaller pieces. */
  private void fill() {
    int count = 0;
    for (int size = 1 << 18; size >= 16; size >>= 1) {
      try {
        while (count < hog.length) {
          hog[count] = new byte[size];
          count++;
        }
      } catch (OutOfMemoryError full) {
        continue;
      }
    }
  }

  /** Waits until the engine works again, by itself. */
  private void awaitWork() {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Throwable newest = null;
    while (System.nanoTime() - endNs < 0) {
      try {
        worked.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT).get(5, TimeUnit.SECONDS);
        return;
      } catch (Exception | Error e) {
        newest = e;
        LockSupport.parkNanos(5_000_000);
      }
    }
    require(false, "the engine does not work again: " + engine.health() + ", " + newest);
  }

  private void call() {
    while (!isOver) {
      int number = callCount.getAndIncrement();
      if (number >= CALL_COUNT_MAX) {
        callCount.set(CALL_COUNT_MAX);
        return;
      }
      try {
        byte[] payload = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        answers[number] = kept.enqueueAsync(payload, EnqueueOptions.DEFAULT);
        worked.enqueue(new byte[100]);
        for (Lease lease :
            worked.claim(ClaimOptions.by("it").max(3).waiting(Duration.ofMillis(20)))) {
          Dropped.result(lease.completeAsync());
        }
        engine.peek(kept.name(), io.millrace.api.JobState.READY, PageRequest.first(1));
      } catch (Throwable e) {
        LockSupport.parkNanos(1_000_000);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void tell(Path acknowledged) throws Exception {
    StringBuilder numbers = new StringBuilder();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (int i = 0; i < Math.min(CALL_COUNT_MAX, callCount.get()); i++) {
      CompletableFuture<?> answer = answers[i];
      while (answer != null && !answer.isDone() && System.nanoTime() - endNs < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      if (answer != null) {
        require(answer.isDone(), "an asynchronous call is not answered: number=" + i);
        if (!answer.isCompletedExceptionally() && answer.isDone()) {
          numbers.append(i).append('\n');
        }
      }
    }
    Files.write(acknowledged, numbers.toString().getBytes(UTF_8));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      System.out.println("violation: " + otherwise);
    }
  }
}
