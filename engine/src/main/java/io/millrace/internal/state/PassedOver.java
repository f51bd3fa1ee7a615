package io.millrace.internal.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs of a queue that claims have passed over for lighter ones, one of each worker. */
public final class PassedOver {

  /** Most workers that are remembered; beyond it counting starts afresh. */
  private static final int WORKER_COUNT_MAX = 1_000;

  private final Map<String, Passed> byWorker = new HashMap<>();

  /**
   * A job too heavy for what a worker has free, and how often lighter ones were taken in its place.
   *
   * @param birth the job's birth sequence
   * @param count how often
   */
  public record Passed(long birth, int count) {}

  /** What this worker's claims have passed over, or null. */
  public @Nullable Passed of(String worker) {
    return byWorker.get(worker);
  }

  /** Whether some worker's claims have passed the job of this birth sequence over. */
  public boolean contains(long birth) {
    for (Passed job : byWorker.values()) {
      if (job.birth() == birth) {
        return true;
      }
    }
    return false;
  }

  public void set(String worker, Passed value) {
    if (byWorker.size() >= WORKER_COUNT_MAX) {
      byWorker.clear();
    }
    byWorker.put(worker, value);
  }

  public boolean isEmpty() {
    return byWorker.isEmpty();
  }

  void clear() {
    byWorker.clear();
  }
}
