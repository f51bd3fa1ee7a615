package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.worker.FailureLine.Kind;
import io.millrace.worker.FailureLine.Others;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log which jobs died, which attempts failed, and what else handlers threw. Any thread.
 *
 * <p>It hears of a run when the run's lease is over, and only remembers it; another thread writes.
 * So a log that is slow or hangs delays no lease and no answer of the engine. The first end of each
 * kind (what became of the job, its type, the class of the exception) is written in full. Others of
 * the kind within {@link #FOLD} of it are counted, and their count is written when that time is
 * over. Of more than {@value #KINDS_MAX} kinds at a time the rest are counted together. After
 * {@link #close} each end is written at once, by the thread that reports it.
 */
final class FailureLog implements AutoCloseable {

  static final Duration FOLD = Duration.ofMinutes(1);

  static final int KINDS_MAX = 200;

  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
  private static final long CLOSE_WAIT_NS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final String worker;
  private final RetryLog retries;
  private final Logger log;
  private final LongSupplier nowNs;
  private final Map<Kind, Folded> kinds = new LinkedHashMap<>();
  private Executor writer;
  private long foldNs;
  private long unnamed;
  private long unnamedSinceNs;
  private State state = State.RESTS;

  private enum State {
    RESTS,
    ASKED,
    WRITES
  }

  /** The latest ends of one kind. Guarded by the lock of the log. */
  private static final class Folded {
    final long sinceNs;
    final RetryLog.Level level;
    @Nullable EndedRun first;
    @Nullable JobId last;
    long count;

    Folded(long sinceNs, RetryLog.Level level, EndedRun first) {
      this.sinceNs = sinceNs;
      this.level = level;
      this.first = first;
    }

    void count(JobId job) {
      count++;
      last = job;
    }
  }

  private FailureLog(WorkerSetup setup, long foldNs, Executor writer) {
    this.worker = setup.name;
    this.retries = setup.retryLog;
    this.log = setup.failureLogger.orElse(LOG);
    this.nowNs = setup.failureClock;
    this.foldNs = foldNs;
    this.writer = writer;
  }

  /**
   * Creates the log of a worker.
   *
   * @param beside runs work that may wait, on a thread of its own
   */
  static FailureLog of(WorkerSetup setup, Executor beside) {
    // Under a driver handlers run one by one: each has its line, in the order of its time.
    boolean isDriven = setup.queues instanceof WorkerDriver;
    return new FailureLog(setup, isDriven ? 0 : FOLD.toNanos(), isDriven ? Runnable::run : beside);
  }

  /** Notes that a run has ended, and its lease. Never throws. */
  void ended(JobRun run, Outcome outcome) {
    if (outcome == Outcome.COMPLETED && !run.hasThrown()) {
      return;
    }
    try {
      note(run.ended(outcome));
    } catch (Throwable e) { // for want of memory, say
      countUnnamed();
    }
  }

  private void note(EndedRun run) {
    @Nullable Kind kind = FailureLine.kind(retries, run);
    if (kind != null && isFirst(kind, run)) {
      writeWhatIsDue();
    }
  }

  /** Notes an end; returns whether it is the first of its kind. */
  private synchronized boolean isFirst(Kind kind, EndedRun run) {
    @Nullable Folded folded = kinds.get(kind);
    if (folded != null) {
      folded.count(run.lease().jobId());
      return false;
    }
    if (kinds.size() >= KINDS_MAX) {
      countUnnamed();
      return false;
    }
    RetryLog.Level level = FailureLine.level(retries, kind, run);
    kinds.put(kind, new Folded(nowNs.getAsLong(), level, run));
    return true;
  }

  private synchronized void countUnnamed() {
    if (unnamed++ == 0) {
      unnamedSinceNs = nowNs.getAsLong();
    }
  }

  /** Starts to write the lines that are due. Never throws. To be called every now and then. */
  void writeWhatIsDue() {
    Executor asked;
    synchronized (this) {
      if (state != State.RESTS || !isAnyDue()) {
        return;
      }
      state = State.ASKED;
      asked = writer;
    }
    try {
      asked.execute(this::write);
    } catch (Throwable e) { // the next call asks again
      rest();
    }
  }

  private boolean isAnyDue() {
    return (unnamed > 0 && isOver(unnamedSinceNs))
        || kinds.values().stream().anyMatch(it -> it.first != null || isOver(it.sinceNs));
  }

  private boolean isOver(long sinceNs) {
    return nowNs.getAsLong() - sinceNs >= foldNs;
  }

  private void write() {
    try {
      begun();
      for (@Nullable Supplier<FailureLine> next = next(); next != null; next = next()) {
        write(next);
      }
    } catch (Throwable e) {
      rest();
    }
  }

  private synchronized void begun() {
    state = State.WRITES;
  }

  private synchronized void rest() {
    state = State.RESTS;
    notifyAll();
  }

  /**
   * Returns the next line to be written; null if none is due, and then the writer rests. The line
   * is made outside of the lock, since that calls methods of the user's exception.
   */
  private synchronized @Nullable Supplier<FailureLine> next() {
    Iterator<Map.Entry<Kind, Folded>> all = kinds.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Kind, Folded> entry = all.next();
      Folded folded = entry.getValue();
      @Nullable EndedRun first = folded.first;
      if (first != null) {
        folded.first = null;
        return () -> FailureLine.of(worker, retries, entry.getKey(), first);
      }
      if (isOver(folded.sinceNs)) {
        all.remove();
        if (folded.last != null) {
          long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNs.getAsLong() - folded.sinceNs) + 1;
          Others others = new Others(folded.count, seconds, folded.last);
          return () -> FailureLine.others(worker, entry.getKey(), folded.level, others);
        }
      }
    }
    if (unnamed > 0 && isOver(unnamedSinceNs)) {
      long count = unnamed;
      unnamed = 0;
      return () -> FailureLine.unnamed(worker, count);
    }
    rest();
    return null;
  }

  /**
   * Writes a line. If the exception or the logger fails, a plain line is tried, and if that fails
   * as well, the line is counted with those that have no name.
   */
  private void write(Supplier<FailureLine> made) {
    try {
      FailureLine line = made.get();
      try {
        line.write(log);
      } catch (Throwable e) {
        line.plain().write(log);
      }
    } catch (Throwable e) {
      countUnnamed();
    }
  }

  /** Writes all that is not written yet, on this thread. */
  @Override
  public void close() {
    synchronized (this) {
      foldNs = 0;
      writer = Runnable::run;
      awaitWriter();
      state = State.RESTS;
    }
    writeWhatIsDue();
  }

  /** Waits for the writer, so that a process that ends does not lose the lines it has taken. */
  private void awaitWriter() {
    long endNs = System.nanoTime() + CLOSE_WAIT_NS_MAX;
    try {
      while (state == State.WRITES && endNs - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(endNs - System.nanoTime(), 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
