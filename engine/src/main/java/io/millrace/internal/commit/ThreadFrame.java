package io.millrace.internal.commit;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The frame in which a thread of the engine runs: all that its work throws is handled, and the work
 * goes on.
 *
 * <p>A step may throw anything anywhere. What it threw is kept in a field. Handling that is the
 * whole of the next round, and of those after it until it has succeeded: there is no statement
 * behind which an error would be lost. What fails again and again, such as for want of memory, is
 * tried at intervals. The frame itself needs no memory.
 *
 * <p>Should the thread end all the same, the work is told, so that nobody is left waiting.
 */
public final class ThreadFrame implements Runnable {

  private static final long PAUSE_NS = 10_000_000;

  private final Work work;
  private @Nullable Throwable thrown;
  private boolean isRepeated;

  private ThreadFrame(Work work) {
    this.work = work;
  }

  /** The work of a thread. */
  public interface Work {

    /** Does some of the work; returns whether there is more to come. */
    boolean step();

    /** Handles what a step threw, completely. Called again if this throws, too. */
    void failed(Throwable thrown);

    /** Notes that the thread ends, in order or not. Called again if this throws. */
    void ended();
  }

  /** Creates a daemon thread that has not started. */
  public static Thread thread(String name, Work work) {
    Thread thread = new Thread(new ThreadFrame(work), name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((ended, thrown) -> work.ended());
    return thread;
  }

  @Override
  public void run() {
    try {
      boolean isMore = true;
      while (isMore) {
        isMore = round();
      }
    } finally {
      work.ended();
    }
  }

  private boolean round() {
    try {
      Throwable open = thrown;
      if (open == null) {
        boolean isMore = work.step();
        isRepeated = false;
        return isMore;
      }
      if (isRepeated) {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
      isRepeated = true;
      work.failed(open);
      thrown = null;
    } catch (Throwable e) {
      if (thrown == null) {
        thrown = e;
      }
    }
    return true;
  }
}
