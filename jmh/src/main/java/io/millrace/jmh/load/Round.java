package io.millrace.jmh.load;

import io.millrace.api.JobQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Outcome of one round of callers against one target.
 *
 * @param jobCount jobs enqueued, or, where there are consumers, completed
 * @param elapsed how long that took
 * @param allocatedBytes bytes that all threads of the process allocated meanwhile
 */
record Round(long jobCount, Duration elapsed, long allocatedBytes) {

  private static final Duration TICK = Duration.ofSeconds(1);

  double jobsPerSecond() {
    return jobCount * 1e9 / Math.max(1, elapsed.toNanos());
  }

  double allocatedBytesPerJob() {
    return (double) allocatedBytes / Math.max(1, jobCount);
  }

  /**
   * Starts all callers together, lets them run, and waits until none of their calls is under way.
   *
   * @param length how long they run, unless they fail or run out of room before
   * @param progress is told about once a second how many jobs have been done so far
   */
  static Round run(
      LoadOptions options, Target target, Traffic traffic, Duration length, LongConsumer progress) {
    List<Runnable> callers = callers(options, target, traffic);
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(callers.size());
    CountDownLatch measured = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (Runnable caller : callers) {
      Runnable task =
          () -> {
            await(start);
            try {
              caller.run();
            } catch (RuntimeException | Error e) {
              traffic.fail(e);
            }
            ended.countDown();
            // A thread that has ended is not asked what it allocated.
            await(measured);
          };
      Thread thread = thread(options.callers().threads(), task, threads.size());
      try {
        thread.start();
      } catch (OutOfMemoryError e) { // so it is told that the system has no more threads
        traffic.stop();
        start.countDown();
        measured.countDown();
        threads.forEach(Round::join);
        throw new TooFewThreadsException(callers.size(), threads.size(), e);
      }
      threads.add(thread);
    }
    long jobsBefore = jobs(options, traffic);
    long bytesBefore = Allocation.bytes();
    long startNs = System.nanoTime();
    start.countDown();
    awaitEnd(ended, startNs, length, () -> progress.accept(jobs(options, traffic) - jobsBefore));
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
    long jobCount = jobs(options, traffic) - jobsBefore;
    Round round = new Round(jobCount, elapsed, Allocation.bytes() - bytesBefore);
    traffic.stop();
    measured.countDown();
    threads.forEach(Round::join);
    return round;
  }

  private static Thread thread(LoadOptions.ThreadKind kind, Runnable task, int number) {
    return switch (kind) {
      case PLATFORM -> new Thread(task, "bench-caller-" + number);
      case VIRTUAL -> VirtualThreads.unstarted(task);
    };
  }

  private static List<Runnable> callers(LoadOptions options, Target target, Traffic traffic) {
    List<Runnable> callers = new ArrayList<>();
    for (int i = 0; i < options.callers().producerCount(); i++) {
      callers.add(new Producer(i, options, target, traffic));
    }
    Optional<JobQueues> queues =
        options.workload().isByWorker() ? target.forWorkers() : Optional.empty();
    if (queues.isPresent()) {
      callers.add(new WorkerCaller(options, queues.get(), traffic));
      return callers;
    }
    for (int i = 0;
        options.workload().hasConsumers() && i < options.callers().consumerCount();
        i++) {
      callers.add(new Consumer(options, target, traffic));
    }
    return callers;
  }

  private static long jobs(LoadOptions options, Traffic traffic) {
    return options.workload().hasConsumers() ? traffic.completedCount() : traffic.enqueuedCount();
  }

  private static void awaitEnd(
      CountDownLatch ended, long startNs, Duration length, Runnable progress) {
    try {
      long leftNs = length.toNanos();
      while (leftNs > 0 && !ended.await(Math.min(leftNs, TICK.toNanos()), TimeUnit.NANOSECONDS)) {
        leftNs = length.toNanos() - (System.nanoTime() - startNs);
        progress.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
