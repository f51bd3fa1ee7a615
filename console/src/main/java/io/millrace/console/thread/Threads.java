package io.millrace.console.thread;

import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors whose threads have names, and do not keep the program from its end. */
public final class Threads {

  private Threads() {}

  /**
   * Returns so many threads, which end when they have had nothing to do for a while; work that has
   * to wait is refused if too much waits already.
   */
  public static ThreadPoolExecutor pool(String name, int countMax, int waitingCountMax) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            countMax,
            countMax,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waitingCountMax),
            daemons(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Returns a thread for what is done again and again. */
  public static ScheduledExecutorService scheduled(String name) {
    return Executors.newSingleThreadScheduledExecutor(daemons(name));
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread made = new Thread(work, name + "-" + number.incrementAndGet());
      made.setDaemon(true);
      return made;
    };
  }
}
