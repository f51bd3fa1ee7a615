package io.millrace.model.fault;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.MillraceException;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process whose memory is used up by one of its threads again and again while others use an
 * engine: any allocation of any thread may fail, the engine's own among them.
 *
 * <p>What is known of the jobs is kept in arrays that are there from the start, for a list could
 * not grow.
 */
final class HeapWorker {

  private static final int JOB_COUNT_MAX = 200_000;
  private static final int CALLERS = 3;
  private static final long ANSWER_SECONDS_MAX = 60;
  private static final Duration LEASE = Duration.ofMinutes(30);
  private static final ClaimOptions CLAIM =
      ClaimOptions.by("consumer").leaseDuration(LEASE).waiting(Duration.ofMillis(10));

  private static final int ASKED = 1;
  private static final int KEPT = 2;
  private static final int COMPLETED = 3;
  private static final int SERVED_AGAIN = 4;

  private final JobEngine engine;
  private final AtomicIntegerArray jobs = new AtomicIntegerArray(JOB_COUNT_MAX);
  private final AtomicInteger nextJob = new AtomicInteger();
  private final AtomicInteger exhausted = new AtomicInteger();
  private final AtomicInteger failedCalls = new AtomicInteger();
  private final AtomicInteger reopened = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private volatile boolean isStopping;
  private volatile boolean isHogStopping;

  private HeapWorker(JobEngine engine) {
    this.engine = engine;
  }

  /** Arguments: store's location, for how many seconds. */
  public static void main(String[] args) {
    try (JobEngine engine = JobEngine.open(args[0])) {
      new HeapWorker(engine).run(Long.parseLong(args[1]));
    }
    System.out.println("done");
  }

  private void run(long seconds) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(begin("producer", this::produce));
      threads.add(begin("consumer", this::consume));
    }
    Thread hog = begin("hog", this::useUp);
    Thread operator = begin("operator", this::reopen);
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - endNs < 0) {
      Load.pause(10);
    }
    isHogStopping = true;
    awaitEnd(List.of(hog));
    isStopping = true;
    awaitEnd(threads);
    awaitEnd(List.of(operator));
    check();
  }

  private static Thread begin(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitEnd(List<Thread> threads) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS_MAX);
    for (Thread thread : threads) {
      while (thread.isAlive() && System.nanoTime() - endNs < 0) {
        Load.pause(1);
      }
      if (thread.isAlive()) {
        System.out.println(
            "violation: no answer: " + thread.getName() + List.of(thread.getStackTrace()));
      }
    }
  }

  /** Takes all memory there is, in ever smaller pieces, holds it a moment, and lets it go. */
  private void useUp() {
    while (!isHogStopping) {
      Object[] chain = new Object[2];
      try {
        for (int bytes = 1 << 20; bytes > 8; bytes /= 16) {
          chain = fill(chain, bytes);
        }
      } catch (OutOfMemoryError full) {
        chain = new Object[0];
      }
      exhausted.incrementAndGet();
      Load.pause(5);
      chain = new Object[2];
      Load.pause(5);
    }
  }

  private static Object[] fill(Object[] start, int bytes) {
    Object[] chain = start;
    try {
      while (true) {
        Object[] next = {chain, new byte[bytes]};
        chain = next;
      }
    } catch (OutOfMemoryError full) {
      return chain;
    }
  }

  private void produce() {
    JobQueue queue = engine.queue("mail");
    byte[][] payload = {new byte[Integer.BYTES]};
    while (!isStopping) {
      int job = nextJob.getAndIncrement();
      if (job >= JOB_COUNT_MAX) {
        return;
      }
      for (int i = 0; i < Integer.BYTES; i++) {
        payload[0][i] = (byte) (job >> (Byte.SIZE * i));
      }
      jobs.set(job, ASKED);
      if (call(() -> queue.enqueue(payload[0], EnqueueOptions.DEFAULT.maxAttempts(1_000)))
          != null) {
        jobs.compareAndSet(job, ASKED, KEPT);
      }
    }
  }

  private void consume() {
    JobQueue queue = engine.queue("mail");
    while (!isStopping) {
      List<Lease> leases = call(() -> queue.claim(CLAIM));
      if (leases != null && !leases.isEmpty()) {
        complete(leases.get(0));
      }
    }
  }

  private void complete(Lease lease) {
    Integer job = null;
    while (job == null) {
      job = call(() -> jobOf(lease.payload()));
    }
    if (jobs.get(job) == COMPLETED) {
      jobs.set(job, SERVED_AGAIN);
    }
    CompleteResult told = null;
    while (told == null) {
      told = call(lease::complete);
    }
    // Gone: an earlier try had succeeded, of which the caller could not be told.
    if (told == CompleteResult.STALE_LEASE || !jobs.compareAndSet(job, jobs.get(job), COMPLETED)) {
      wrong.incrementAndGet();
    }
  }

  private static int jobOf(byte[] payload) {
    int job = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      job |= (payload[i] & 0xFF) << (Byte.SIZE * i);
    }
    return job;
  }

  /** The answer, or null: the call failed, and the caller may not know whether it happened. */
  private <T> @Nullable T call(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (OutOfMemoryError | MillraceException | StoreException e) {
      failedCalls.incrementAndGet();
      return null;
    }
  }

  private void reopen() {
    while (!isStopping || engine.poison().isPresent()) {
      try {
        if (engine.poison().isPresent()) {
          engine.reopen();
          reopened.incrementAndGet();
        }
        Load.pause(1);
      } catch (OutOfMemoryError | MillraceException | StoreException e) {
        failedCalls.incrementAndGet();
      }
    }
  }

  private void check() {
    System.out.println(
        "tried: memory was used up %d times, %d calls failed, reopened %d times, %d jobs"
            .formatted(exhausted.get(), failedCalls.get(), reopened.get(), nextJob.get()));
    JobQueue queue = engine.queue("mail");
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    long leased;
    do {
      drain(queue);
      leased = queue.stats().orElseThrow().count(JobState.LEASED);
    } while (leased != 0 && System.nanoTime() - endNs < 0);
    say("leases that nobody holds", leased);
    say("told what cannot be", wrong.get());
    int[] counts = new int[SERVED_AGAIN + 1];
    for (int i = 0; i < Math.min(nextJob.get(), JOB_COUNT_MAX); i++) {
      counts[jobs.get(i)]++;
    }
    say("lost", counts[KEPT]);
    say("served after they were completed", counts[SERVED_AGAIN]);
    engine.verify().problems().forEach(problem -> System.out.println("violation: " + problem));
  }

  private void drain(JobQueue queue) {
    List<Lease> leases = queue.claim(CLAIM);
    while (!leases.isEmpty()) {
      complete(leases.get(0));
      leases = queue.claim(CLAIM);
    }
  }

  private static void say(String what, long count) {
    if (count != 0) {
      System.out.println("violation: " + what + ": " + count);
    }
  }
}
