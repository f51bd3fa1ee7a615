package io.millrace.model.damage;

import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine that is closed at a random moment while eight threads call all that it has, each in a
 * loop until it is told that the engine is closed.
 */
final class CloseRound {

  static final int THREAD_COUNT = 8;

  private static final long CLOSE_AFTER_NS_MAX = 30_000_000;
  private static final long END_TIMEOUT_MS = 30_000;

  private final JobEngine engine;
  private final Random random;
  private final Set<JobId> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<JobId> mayBeGone = ConcurrentHashMap.newKeySet();
  private final Queue<CompletableFuture<?>> futures = new ConcurrentLinkedQueue<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong calls = new AtomicLong();
  private final CountDownLatch busy = new CountDownLatch(THREAD_COUNT);

  CloseRound(JobEngine engine, long seed) {
    this.engine = engine;
    this.random = new Random(seed);
  }

  /** A call under way, to be made again and again. */
  interface Call {
    void make(Random random) throws Exception;
  }

  JobEngine engine() {
    return engine;
  }

  /** A job was enqueued, and its enqueue was answered. */
  void acknowledge(JobId id) {
    acknowledged.add(id);
  }

  /** A job is about to be ended. */
  void end(JobId id) {
    mayBeGone.add(id);
  }

  /** The end was answered, and it was none. */
  void ended(JobId id, CompleteResult result) {
    if (result != CompleteResult.COMPLETED) {
      mayBeGone.remove(id);
    }
  }

  /** A future that must complete, whatever happens. */
  <T> CompletableFuture<T> watch(CompletableFuture<T> future) {
    futures.add(future);
    return future;
  }

  void violation(String text) {
    violations.add(text);
  }

  long callCount() {
    return calls.get();
  }

  Queue<String> violations() {
    return violations;
  }

  /** Jobs that must be there at the next opening. */
  List<JobId> kept() {
    return acknowledged.stream().filter(id -> !mayBeGone.contains(id)).toList();
  }

  /** Begins to call, and closes the engine; the callers may still be on their way out. */
  List<Thread> run(List<Call> loads) throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      Call call = loads.get(i % loads.size());
      long seed = random.nextLong();
      Thread thread = new Thread(() -> callUntilClosed(call, new Random(seed)), "caller-" + i);
      callers.add(thread);
      thread.start();
    }
    busy.await();
    LockSupport.parkNanos(random.nextLong(CLOSE_AFTER_NS_MAX));
    Thread other = new Thread(this::close, "closer");
    other.start();
    close();
    callers.add(other);
    return callers;
  }

  /** Waits until nobody calls any more, and every future has completed. */
  void end(List<Thread> callers) throws InterruptedException {
    for (Thread caller : callers) {
      caller.join(END_TIMEOUT_MS);
      if (caller.isAlive()) {
        violation(caller.getName() + " does not end: " + List.of(caller.getStackTrace()));
      }
    }
    long endMs = System.currentTimeMillis() + END_TIMEOUT_MS;
    for (CompletableFuture<?> future : futures) {
      while (!future.isDone() && System.currentTimeMillis() < endMs) {
        LockSupport.parkNanos(100_000);
      }
      if (!future.isDone()) {
        violation("a future does not complete");
      } else if (future.isCompletedExceptionally() && !future.isCancelled()) {
        future.handle(
            (answer, thrown) -> {
              checkClosed(thrown);
              return answer;
            });
      }
    }
  }

  private void checkClosed(Throwable thrown) {
    boolean isExpected =
        thrown instanceof EngineClosedException
            || thrown.getCause() instanceof EngineClosedException;
    if (!isExpected) {
      violation("a future ended otherwise: " + text(thrown));
    }
  }

  private void close() {
    try {
      engine.close();
    } catch (RuntimeException | Error e) {
      violation("close: " + text(e));
    }
  }

  private void callUntilClosed(Call call, Random random) {
    try {
      while (true) {
        call.make(random);
        calls.incrementAndGet();
        busy.countDown();
      }
    } catch (EngineClosedException e) {
      // So the engine is closed.
    } catch (Exception | Error e) {
      violation(Thread.currentThread().getName() + ": " + text(e));
    } finally {
      busy.countDown();
    }
  }

  static String text(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString().replaceAll("\\s+", " ");
  }

  /** A small payload. */
  static byte[] payload(Random random) {
    byte[] payload = new byte[20];
    random.nextBytes(payload);
    return payload;
  }
}
