package io.millrace.engine;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.commit.ThreadFrame;
import io.millrace.internal.state.LostAttempts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of attempts that ended with their leases. Belongs to the loop's thread, but for {@link
 * #close}.
 *
 * <p>Lines are written by a thread that lives only while there are some: a log that is slow, or
 * hangs, keeps no lease and no commit. Until the thread is done nothing more is written; later
 * attempts are counted with the others of their kind.
 */
final class LostAttemptLog implements DueWork, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LostAttemptLog.class);
  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long CLOSE_WAIT_MS = 5_000;

  private final LostAttempts lost;
  private List<LostAttempts.Line> taken = List.of();
  private long nowMs;

  /** The thread that wrote last; at first one that never starts. */
  private Thread writer = new Thread();

  /** True if the last try to start a writer failed for want of memory, at {@code failedAtNs}. */
  private boolean hasFailed;

  private long failedAtNs;

  LostAttemptLog(LostAttempts lost) {
    this.lost = lost;
  }

  @Override
  public long waitNs(DueTime now) {
    nowMs = now.steadyMs();
    long atMs = taken.isEmpty() ? lost.dueAtMs() : 0;
    if (atMs == LostAttempts.NEVER) {
      return NEVER;
    }
    long waitNs = now.steadyWaitNs(atMs);
    if (writer.isAlive()) {
      return Math.max(LOOK_NS, waitNs);
    }
    return hasFailed ? Math.max(failedAtNs + LOOK_NS - now.nowNs(), waitNs) : waitNs;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    try {
      if (taken.isEmpty()) {
        taken = lost.takeDue(now.steadyMs());
      }
      if (!taken.isEmpty()) {
        Thread next = ThreadFrame.thread("millrace-log", new Writing(taken));
        next.start();
        writer = next;
        taken = List.of();
      }
      hasFailed = false;
    } catch (OutOfMemoryError e) { // no job depends on the log: it is tried a second later
      hasFailed = true;
      failedAtNs = now.nowNs();
    }
  }

  /**
   * Writes lines one by one. A line that cannot be written is passed over, for there is nobody to
   * tell.
   */
  private final class Writing implements ThreadFrame.Work {

    private final Queue<LostAttempts.Line> lines;

    Writing(List<LostAttempts.Line> lines) {
      this.lines = new ArrayDeque<>(lines);
    }

    @Override
    public boolean step() {
      LostAttempts.Line next = lines.poll();
      if (next != null) {
        write(next);
      }
      return next != null;
    }

    @Override
    public void failed(Throwable thrown) {}

    @Override
    public void ended() {}
  }

  private void write(LostAttempts.Line line) {
    if (line.isWarning()) {
      LOG.warn(line.text());
    } else {
      LOG.info(line.text());
    }
  }

  /** Writes the lines that are left, on this thread. To be called when the loop has ended. */
  @Override
  public void close() {
    List<LostAttempts.Line> left = new ArrayList<>(taken);
    taken = List.of();
    left.addAll(lost.takeAll(nowMs));
    awaitWriter();
    left.forEach(this::write);
  }

  private void awaitWriter() {
    try {
      writer.join(CLOSE_WAIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
