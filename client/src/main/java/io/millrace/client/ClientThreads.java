package io.millrace.client;

import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.millrace.protocol.EventLoops;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a client. Any thread. */
final class ClientThreads {

  private static final Logger LOG = LoggerFactory.getLogger(ClientThreads.class);

  /** The threads at first: so many that a few who wait for anything hold up nobody. */
  private static final int THREAD_COUNT = 32;

  private static final int THREAD_COUNT_MAX = 10_000;
  private static final long KEPT_ALIVE_SECONDS = 10;

  private final EventLoops connections = new EventLoops(1, "millrace-client-connection");

  /** The threads of users' work, one more for each that waits for an answer. */
  private final ForkJoinPool users = users();

  private static ForkJoinPool users() {
    AtomicInteger number = new AtomicInteger();
    return new ForkJoinPool(
        THREAD_COUNT,
        pool -> {
          ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
          thread.setName("millrace-client-answers-" + number.incrementAndGet());
          return thread;
        },
        null,
        true,
        0,
        THREAD_COUNT_MAX,
        1,
        pool -> true,
        KEPT_ALIVE_SECONDS,
        TimeUnit.SECONDS);
  }

  /** Returns the threads of connections. */
  EventLoops connections() {
    return connections;
  }

  /** Returns the thread of the connection, and of what happens later. It must not be held up. */
  EventLoop connection() {
    return connections.group().next();
  }

  /** Does work of users, who may wait there; on this thread if no other can be had. */
  void run(Runnable work) {
    try {
      users.execute(work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.debug("no thread for answers", e);
      work.run();
    }
  }

  /** Ends the threads, after the work that they have. */
  void close() {
    users.shutdown();
    connections.close();
  }
}
