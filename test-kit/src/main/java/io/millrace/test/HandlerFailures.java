package io.millrace.test;

import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.WorkerListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions of handlers that are to fail the test, until the test is told of them: failed
 * assertions, and, of a strict engine, those that a job died of and those thrown after its
 * completion. Any thread.
 */
final class HandlerFailures implements WorkerListener {

  private static final int TOLD_MAX = 10;
  private static final int CAUSES_MAX = 50;

  private final List<Class<? extends Throwable>> allowed = new ArrayList<>();
  private final List<Throwable> thrown = new ArrayList<>();
  private final StringBuilder told = new StringBuilder();
  private boolean isStrict;
  private int count;

  /** Fails the test, from now on, for each exception that no further attempt makes good. */
  synchronized void beStrict() {
    isStrict = true;
  }

  /** Expects exceptions of this class and its subclasses, from now on. */
  synchronized void allow(Class<? extends Throwable> type) {
    allowed.add(Objects.requireNonNull(type, "type"));
  }

  @Override
  public void ended(JobContext job, JobRunEnd end) {
    end.thrown().filter(e -> isFailure(e, end.outcome())).ifPresent(e -> add(job, end, e));
  }

  private synchronized boolean isFailure(Throwable e, Outcome outcome) {
    boolean isLast = isStrict && (outcome == Outcome.DIED || outcome == Outcome.COMPLETED);
    return !(e instanceof SimulatedCrash)
        && (isLast || isAssertion(e))
        && allowed.stream().noneMatch(type -> type.isInstance(e));
  }

  /** Tells whether the exception is a failed assertion, or is caused by one. */
  private static boolean isAssertion(Throwable e) {
    @Nullable Throwable next = e;
    for (int i = 0; i < CAUSES_MAX && next != null; i++) {
      if (next instanceof AssertionError) {
        return true;
      }
      next = cause(next);
    }
    return false;
  }

  private static @Nullable Throwable cause(Throwable e) {
    try {
      return e.getCause();
    } catch (RuntimeException untold) {
      return null;
    }
  }

  private synchronized void add(JobContext job, JobRunEnd end, Throwable e) {
    count++;
    if (thrown.size() < TOLD_MAX) {
      thrown.add(e);
      told.append("\n  ").append(told(job, end, e));
    }
  }

  private static String told(JobContext job, JobRunEnd end, Throwable e) {
    String attempt = job.attempt() + "/" + job.maxAttempts();
    Instant now = job.now();
    return "job of type "
        + job.type()
        + ", attempt "
        + attempt
        + " at "
        + now
        + ", "
        + end.outcome()
        + ": "
        + said(e)
        + ", id="
        + job.jobId();
  }

  /** Returns the exception's own text; the name of its class if even asking for the text fails. */
  private static String said(Throwable e) {
    try {
      return String.valueOf(e);
    } catch (RuntimeException unprintable) {
      return e.getClass().getName();
    }
  }

  /**
   * Tells the test of the exceptions, once.
   *
   * @throws AssertionError there are some; the first is its cause, and the others are suppressed
   */
  synchronized void check() {
    if (count == 0) {
      return;
    }
    String rest = count > thrown.size() ? "\n  and " + (count - thrown.size()) + " more" : "";
    AssertionError failure =
        new AssertionError(
            "handlers threw what the test does not expect (allowFailures says what it does): count="
                + count
                + told
                + rest,
            thrown.get(0));
    thrown.stream().skip(1).forEach(failure::addSuppressed);
    count = 0;
    thrown.clear();
    told.setLength(0);
    throw failure;
  }
}
