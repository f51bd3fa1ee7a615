package io.millrace.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a client. Any thread. */
final class ClientThreads {

  private static final Logger LOG = LoggerFactory.getLogger(ClientThreads.class);

  private final ExecutorService answers =
      Executors.newCachedThreadPool(named("millrace-client-answers-"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(named("millrace-client-clock-"));

  /** Returns the thread of what happens later. */
  ScheduledExecutorService clock() {
    return clock;
  }

  /** Does work on a thread of its own; on this one if no other can be had. */
  void run(Runnable work) {
    try {
      answers.execute(work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.debug("no thread for answers", e);
      work.run();
    }
  }

  void close() {
    answers.shutdown();
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
