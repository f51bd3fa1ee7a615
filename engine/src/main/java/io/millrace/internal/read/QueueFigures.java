package io.millrace.internal.read;

import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one queue as a whole, as the store has them: counts, totals, and the age of the
 * oldest ready job.
 */
final class QueueFigures {

  /**
   * The rows that are looked at from a head at once; the first of them is nearly always unleased.
   */
  private static final int HEAD_CHUNK_SIZE = 8;

  private QueueFigures() {}

  static QueueStats stats(ViewRows rows, QueueName name, QueueRecord queue, long nowMs) {
    CountersRecord counters = rows.counters(queue.number());
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      counts.put(state, counters.states()[state.ordinal()]);
    }
    Map<QueueStats.Total, Long> totals = new EnumMap<>(QueueStats.Total.class);
    for (QueueStats.Total total : QueueStats.Total.values()) {
      totals.put(total, counters.totals()[total.ordinal()]);
    }
    return new Stats(
        name,
        Collections.unmodifiableMap(counts),
        Collections.unmodifiableMap(totals),
        oldestReadyAge(rows, queue.number(), counters, nowMs),
        serving(queue),
        Optional.empty());
  }

  private record Stats(
      QueueName queue,
      Map<JobState, Long> counts,
      Map<QueueStats.Total, Long> totals,
      Optional<Duration> oldestReadyAge,
      QueueStats.Serving serving,
      Optional<LeasedQueue> leasedBy)
      implements QueueStats {}

  private static QueueStats.Serving serving(QueueRecord queue) {
    if (queue.paused()) {
      return QueueStats.Serving.PAUSED;
    }
    return queue.draining() ? QueueStats.Serving.DRAINING : QueueStats.Serving.ON;
  }

  private static Optional<Duration> oldestReadyAge(
      ViewRows rows, int queue, CountersRecord counters, long nowMs) {
    OptionalLong oldestMs = oldestReadyMs(rows, queue, counters);
    return oldestMs.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(Math.max(0, nowMs - oldestMs.getAsLong())));
  }

  /**
   * Returns since when the longest-waiting of the jobs that head their priorities has been ready,
   * in epoch milliseconds; empty if there is none.
   */
  static OptionalLong oldestReadyMs(ViewRows rows, int queue, CountersRecord counters) {
    OptionalLong oldestMs = OptionalLong.empty();
    for (CountersRecord.ReadyRow used : counters.ready()) {
      StoredJob head = used.readyCount() == 0 ? null : head(rows, queue, used);
      if (head != null) {
        long readyAtMs = head.record().readyAtMs();
        oldestMs = OptionalLong.of(Math.min(readyAtMs, oldestMs.orElse(readyAtMs)));
      }
    }
    return oldestMs;
  }

  /** Returns the first unleased job of the priority; null if none is near its remembered head. */
  private static @Nullable StoredJob head(ViewRows rows, int queue, CountersRecord.ReadyRow used) {
    KeyRange rest =
        new KeyRange(
            ReadyKeys.key(queue, used.priority(), used.headSequence()),
            ReadyKeys.priorityEnd(queue, used.priority()));
    for (int seen = 0; seen < Row.CHUNK_ROWS_MAX; seen += HEAD_CHUNK_SIZE) {
      List<Row> chunk = rows.chunk(rest, HEAD_CHUNK_SIZE);
      if (chunk.isEmpty()) {
        return null;
      }
      for (StoredJob job : StoredJob.unleased(rows, queue, chunk)) {
        if (job != null) {
          return job;
        }
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
    }
    return null;
  }
}
