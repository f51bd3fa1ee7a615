package io.millrace.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a worker: those of its handlers, which may be the user's, a timer, and a guard.
 * The last two keep the JVM from ending until the worker has stopped.
 */
final class WorkerThreads implements AutoCloseable {

  private static final long IDLE_SECONDS_MAX = 60;

  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor own;

  /** The thread that asks the user's executor, which may block, or run the handler right there. */
  private final ThreadPoolExecutor asking;

  private final Optional<Executor> users;
  private final String name;
  private volatile @Nullable Thread guard;
  private volatile boolean isClosed;

  WorkerThreads(String name, Optional<Executor> users) {
    this.name = name;
    this.users = users;
    timer = new ScheduledThreadPoolExecutor(1, work -> new Thread(work, name + "-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    own =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons(name));
    asking =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons(name + "-asking"));
    asking.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
      thread.setDaemon(true); // a handler that never ends must not keep the JVM from its end
      return thread;
    };
  }

  /**
   * Starts the threads other than the handlers'. If one cannot be had, this throws at once.
   *
   * @param work is called each time that this is over, whatever it throws. It asks for no memory by
   *     itself, and neither does what is around it, so that it is called whatever has happened
   */
  void begin(Duration time, Runnable work) {
    Thread thread = new Thread(() -> guard(time.toNanos(), work), name + "-guard");
    guard = thread;
    try {
      timer.prestartCoreThread();
      thread.start();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /**
   * Calls the work again and again. Also restarts the timer's thread, which asks for memory when it
   * waits, and so may have been ended by an error.
   */
  private void guard(long everyNs, Runnable work) {
    while (!isClosed) {
      try {
        Thread.interrupted(); // or it would not wait any more
        LockSupport.parkNanos(this, everyNs);
        timer.prestartCoreThread();
        work.run();
      } catch (Throwable e) {
        // It comes again.
      }
    }
  }

  /**
   * Runs a handler. The user's executor may block, or run the handler right there. It is asked on a
   * thread for that alone, since the caller's may be the one that completes the engine's futures,
   * and the timer's has leases to keep.
   *
   * @param refused is told why the handler cannot be run
   */
  void run(Runnable handler, Consumer<Throwable> refused) {
    if (users.isPresent()) {
      Runnable ask = () -> execute(users.get(), handler, refused);
      execute(asking, ask, refused);
    } else {
      execute(own, handler, refused);
    }
  }

  private static void execute(Executor executor, Runnable work, Consumer<Throwable> refused) {
    try {
      executor.execute(work);
    } catch (Throwable e) { // refused, no thread can be had, or the user's executor is broken
      refused.accept(e);
    }
  }

  /** Does work that may take long, on a thread of its own. */
  void runBeside(Runnable work) {
    execute(own, work, thrown -> after(Duration.ofSeconds(1), () -> runBeside(work)));
  }

  /** Does quick work when the time is over; does nothing any more after {@link #close}. */
  Future<?> after(Duration time, Runnable work) {
    try {
      return timer.schedule(work, time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Ends the threads. One that runs a handler ends when the handler does. */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(guard);
    timer.shutdown();
    own.shutdown();
    asking.shutdown();
  }
}
