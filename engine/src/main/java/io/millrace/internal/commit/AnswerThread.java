package io.millrace.internal.commit;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where futures are completed: on the user's executor, or on one thread of the engine. Never on the
 * commit loop, for user code that depends on a future may block.
 */
final class AnswerThread implements Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerThread.class);
  private static final long CLOSE_WAIT_MS = 5_000;

  private final @Nullable Executor users;
  private final ThreadPoolExecutor own;

  AnswerThread(@Nullable Executor users) {
    this.users = users;
    this.own =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), AnswerThread::newThread);
    own.allowCoreThreadTimeOut(true);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "millrace-answer");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs it soon, on another thread than the caller's if the user's executor does; never drops it
   * while open, and throws nothing, whatever the executor or the answer does.
   */
  @Override
  public void execute(Runnable answer) {
    if (users != null) {
      try {
        users.execute(() -> runAlone(answer));
        return;
      } catch (Throwable e) {
        LOG.warn(
            "the executor for futures refused an answer; it is given on the engine's own thread",
            e);
      }
    }
    try {
      own.execute(answer);
    } catch (RejectedExecutionException e) {
      // The engine has closed meanwhile: whoever came too late is told on the thread that found it.
      runAlone(answer);
    }
  }

  /**
   * Runs them soon, in order: one hand-over for all of them on the engine's own thread, and one for
   * each on the user's executor, which may have many threads. Empties the list.
   */
  void executeAll(List<Runnable> answers) {
    if (answers.isEmpty()) {
      return;
    }
    if (users == null) {
      List<Runnable> sweep = List.copyOf(answers);
      execute(() -> sweep.forEach(AnswerThread::runAlone));
    } else {
      answers.forEach(this::execute);
    }
    answers.clear();
  }

  /** Whatever an answer throws, the others of its sweep are given. */
  private static void runAlone(Runnable answer) {
    try {
      answer.run();
    } catch (Throwable e) {
      LOG.error("code that takes an answer failed", e);
    }
  }

  /** Lets the answers that wait be given. */
  @Override
  public void close() {
    own.shutdown();
    boolean wasInterrupted = false;
    try {
      if (!own.awaitTermination(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("code that depends on a future is still running; not waiting for it any longer");
      }
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
