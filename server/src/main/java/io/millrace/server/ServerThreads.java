package io.millrace.server;

import io.millrace.protocol.EventLoops;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a server. Any thread. */
final class ServerThreads {

  /** The most calls at a time that block, and below the most that wait for their turn. */
  private static final int BLOCKING_COUNT = 16;

  private static final int WAITING_COUNT = 1_000;

  /** The most requests by HTTP that are read or answered at a time; no other holds a thread. */
  private static final int HTTP_COUNT = 64;

  private static final int HTTP_WAITING_COUNT = 20_000;

  private final ThreadPoolExecutor blocking =
      new ThreadPoolExecutor(
          BLOCKING_COUNT,
          BLOCKING_COUNT,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_COUNT),
          named("millrace-server-call-"));
  private final ThreadPoolExecutor http =
      new ThreadPoolExecutor(
          HTTP_COUNT,
          HTTP_COUNT,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(HTTP_WAITING_COUNT),
          named("millrace-server-http-"));

  /** At least two: a client that keeps one busy does not hold up all others. */
  private final EventLoops connections =
      new EventLoops(
          Math.max(2, Runtime.getRuntime().availableProcessors()), "millrace-server-connections");

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(named("millrace-server-clock-"));

  ServerThreads() {
    blocking.allowCoreThreadTimeOut(true);
    http.allowCoreThreadTimeOut(true);
  }

  Executor blocking() {
    return blocking;
  }

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
    http.shutdown();
    if (!http.awaitTermination(mostMs, TimeUnit.MILLISECONDS)) {
      http.shutdownNow();
    }
  }

  void close() {
    blocking.shutdownNow();
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
