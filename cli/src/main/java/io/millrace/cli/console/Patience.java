package io.millrace.cli.console;

import io.millrace.cli.place.AttachException;
import io.millrace.cli.text.Reason;
import io.millrace.console.http.RefusedException;
import io.millrace.console.thread.Threads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The one who waits for the answers of another process, but not for ever: a process that is halted
 * keeps its connections, and whoever asks it. So each question goes to a thread of its own, which
 * may hang, and the one who asks is told so in time. What goes wrong becomes a sentence for
 * visitors. Any thread may ask.
 */
final class Patience implements AutoCloseable {

  private static final int THREAD_COUNT_MAX = 16;
  private static final int LONG_THREAD_COUNT_MAX = 4;
  private static final int WAITING_COUNT_MAX = 1_000;

  /** The time for work that grows with the store, such as a copy of it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final String SILENT = "the process does not answer: pid=";
  private static final String UNKNOWN =
      "the process does not answer, look whether it has done that: pid=";

  private final long pid;
  private final Runnable sign;
  private final Runnable leaving;
  private final Duration most;
  private final ThreadPoolExecutor threads;

  /** The threads that wait for what takes long, so that the others are there for the rest. */
  private final ThreadPoolExecutor longThreads;

  /**
   * Creates the one for a process.
   *
   * @param sign asks the process for something that costs nothing
   * @param leaving ends the connection
   * @param most how long an answer is waited for that should come at once
   */
  Patience(long pid, Runnable sign, Runnable leaving, Duration most) {
    this.pid = pid;
    this.sign = sign;
    this.leaving = leaving;
    this.most = most;
    this.threads = Threads.pool("millrace-console-asks", THREAD_COUNT_MAX, WAITING_COUNT_MAX);
    this.longThreads =
        Threads.pool("millrace-console-asks-long", LONG_THREAD_COUNT_MAX, WAITING_COUNT_MAX);
  }

  /**
   * Returns the answer to a question that changes nothing.
   *
   * @throws RefusedException there is none, and why
   */
  <T> T ask(Supplier<T> question) {
    return answer(question, most, SILENT);
  }

  /**
   * Returns the answer to a question that may take long, as long as the process answers others; see
   * {@link #ask}.
   */
  <T> T askLong(Supplier<T> question) {
    return answer(question, LONG, SILENT);
  }

  /** Returns the outcome of a change; see {@link #ask}. */
  <T> T act(Supplier<T> change) {
    return answer(change, most, UNKNOWN);
  }

  /** Returns the outcome of a change that may take long; see {@link #askLong}. */
  <T> T actLong(Supplier<T> change) {
    return answer(change, LONG, UNKNOWN);
  }

  private <T> T answer(Supplier<T> question, Duration limit, String silence) {
    long endNs = System.nanoTime() + limit.toNanos();
    Future<T> answer = begin(limit.equals(LONG) ? longThreads : threads, question);
    try {
      while (!isThereIn(most, answer)) {
        if (System.nanoTime() - endNs >= 0 || !isThereIn(most, begin(threads, this::sign))) {
          answer.cancel(true);
          throw new RefusedException(503, silence + pid);
        }
      }
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new RefusedException(503, "the console ends");
    } catch (ExecutionException e) {
      throw told(Objects.requireNonNull(e.getCause(), "cause"));
    }
  }

  private boolean sign() {
    sign.run();
    return true;
  }

  private <T> Future<T> begin(ThreadPoolExecutor by, Supplier<T> question) {
    try {
      return by.submit(question::get);
    } catch (RejectedExecutionException e) {
      throw new RefusedException(
          503,
          "too many questions wait for the process: pid=" + pid + ", limit=" + WAITING_COUNT_MAX);
    }
  }

  private static boolean isThereIn(Duration time, Future<?> answer)
      throws InterruptedException, ExecutionException {
    try {
      answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** Returns the failure as the console tells it. */
  private static RuntimeException told(Throwable failure) {
    if (failure instanceof AttachException told) {
      String sentence = Reason.plain(String.valueOf(told.getMessage()));
      return new RefusedException(told.isOfWrongArgument() ? 400 : 503, sentence);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  /** Leaves the process, without waiting for it: it may be halted. */
  @Override
  public void close() {
    threads.shutdownNow();
    longThreads.shutdownNow();
    Thread last = new Thread(leaving, "millrace-console-leaves");
    last.setDaemon(true);
    last.start();
  }
}
