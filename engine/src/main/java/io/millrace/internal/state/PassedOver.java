package io.millrace.internal.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs of a queue that claims have passed over for lighter ones, one for each worker. */
public final class PassedOver {

  /** The most workers that are remembered; beyond that counting starts afresh. */
  private static final int WORKER_COUNT_MAX = 1_000;

  private final Map<String, Passed> byWorker = new HashMap<>();

  /**
   * A job too heavy for what a worker has free, and how often lighter jobs were taken in its place.
   *
   * @param birth the job's birth sequence
   * @param count how often lighter jobs were taken
   */
  public record Passed(long birth, int count) {}

  /** Returns the job that this worker's claims have passed over, or null. */
  public @Nullable Passed of(String worker) {
    return byWorker.get(worker);
  }

  /** Tells whether some worker's claims have passed over the job of this birth sequence. */
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
