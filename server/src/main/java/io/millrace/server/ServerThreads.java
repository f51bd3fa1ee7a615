package io.millrace.server;

import io.millrace.protocol.EventLoops;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a server. Any thread. */
final class ServerThreads {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  /** The most calls at a time that block, and below the most that wait for their turn. */
  private static final int BLOCKING_COUNT = 16;

  private static final int WAITING_COUNT = 1_000;

  /** The most requests by HTTP that are read at a time, and that are answered. */
  private static final int HTTP_COUNT = 64;

  private static final int HTTP_WAITING_COUNT = 20_000;

  private final ThreadPoolExecutor blocking = pool("call", BLOCKING_COUNT, WAITING_COUNT);
  private final ThreadPoolExecutor slow = pool("slow", BLOCKING_COUNT, WAITING_COUNT);
  private final ThreadPoolExecutor httpRequests = pool("http", HTTP_COUNT, HTTP_WAITING_COUNT);
  private final ThreadPoolExecutor http = pool("answer", HTTP_COUNT, HTTP_WAITING_COUNT);
  private final EventLoops connections;

  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(1, named("millrace-server-clock-"));

  /**
   * Creates the threads, of which each starts when it has work.
   *
   * @param connectionCountMax the most connections by gRPC at a time
   */
  ServerThreads(int connectionCountMax) {
    // At least two: a client that keeps one busy does not hold up all others.
    connections =
        new EventLoops(
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            "millrace-server-connections",
            connectionCountMax,
            () ->
                LOG.warn("connection is refused, there are too many: most={}", connectionCountMax));
    clock.setRemoveOnCancelPolicy(true);
  }

  private static ThreadPoolExecutor pool(String name, int threadCount, int waitingCount) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threadCount,
            threadCount,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waitingCount),
            named("millrace-server-" + name + "-"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  Executor blocking() {
    return blocking;
  }

  /** Returns threads for calls that take long: quick ones do not wait for them. */
  Executor slow() {
    return slow;
  }

  /** Returns threads on which requests by HTTP come: slow senders hold up no answers. */
  Executor httpRequests() {
    return httpRequests;
  }

  /** Returns threads on which requests by HTTP are carried out and answered. */
  Executor http() {
    return http;
  }

  /** Returns the threads of gRPC's connections, which must not be held up. */
  EventLoops connections() {
    return connections;
  }

  ScheduledExecutorService clock() {
    return clock;
  }

  /**
   * Begins nothing more by HTTP, and waits until what was begun is answered.
   *
   * @param mostMs for how long, in milliseconds
   */
  void answerHttp(long mostMs) throws InterruptedException {
    httpRequests.shutdown();
    http.shutdown();
    if (!http.awaitTermination(mostMs, TimeUnit.MILLISECONDS)) {
      http.shutdownNow();
    }
  }

  void close() {
    blocking.shutdownNow();
    slow.shutdownNow();
    httpRequests.shutdownNow();
    http.shutdownNow();
    connections.close();
    clock.shutdownNow();
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
