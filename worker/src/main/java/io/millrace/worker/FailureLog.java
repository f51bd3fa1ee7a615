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
 * Tells the log which jobs died, which attempts failed, and what handlers threw besides. Any
 * thread.
 *
 * <p>It is told of a run when its lease is over, and only remembers that; another thread writes. So
 * a log that is slow, or hangs, keeps no lease and no answer of the engine. The first of each kind
 * (what became of the job, its type, the class of what was thrown) is written in whole. The others
 * that come within {@link #FOLD} of it are counted, and when that is over their count is written.
 * Of more than {@value #KINDS_MAX} kinds at a time the rest are counted as one. After {@link
 * #close} each is written at once, by the thread that tells of it.
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

  /** What came of one kind lately. Guarded by the lock of the whole. */
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
   * That of a worker.
   *
   * @param beside runs what may wait, on a thread of its own
   */
  static FailureLog of(WorkerSetup setup, Executor beside) {
    // Under a driver handlers run one by one: each has its line, in the order of its time.
    boolean isDriven = setup.queues instanceof WorkerDriver;
    return new FailureLog(setup, isDriven ? 0 : FOLD.toNanos(), isDriven ? Runnable::run : beside);
  }

  /** A run has ended, and its lease. Never throws. */
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

  /** Remembers one; answers whether it is the first of its kind. */
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

  /** Has counts written whose time is over. Never throws; is to be called once in a while. */
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
   * What is to be written now; if nothing is, the writer rests. Made outside of the lock: what was
   * thrown is asked what it says.
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

  /** Whatever the exception or the logger does, there is a line if the logger takes any. */
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

  /** What it has taken to write must not be lost with a process that ends. */
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
