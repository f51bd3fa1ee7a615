package io.millrace.internal.read;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the store says of one queue as a whole, through one view. */
final class StoredQueue {

  /** Rows that are looked at from a head at once; the first of them is nearly always unleased. */
  private static final int HEAD_CHUNK_SIZE = 8;

  private StoredQueue() {}

  static Optional<QueueRecord> find(Rows rows, QueueName name) {
    return Optional.ofNullable(rows.get(QueueKeys.key(name), QueueRecord::decode));
  }

  /** The queue's counters; those of a queue to which nothing happened have no row. */
  static CountersRecord counters(Rows rows, int queue) {
    CountersRecord counters = rows.get(CounterKeys.key(queue), CountersRecord::decode);
    return counters == null ? CountersRecord.empty() : counters;
  }

  static QueueStats stats(Rows rows, QueueName name, QueueRecord queue, long nowMs) {
    CountersRecord counters = counters(rows, queue.number());
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      counts.put(state, counters.states()[state.ordinal()]);
    }
    Map<QueueStats.Total, Long> totals = new EnumMap<>(QueueStats.Total.class);
    for (QueueStats.Total total : QueueStats.Total.values()) {
      totals.put(total, counters.totals()[total.ordinal()]);
    }
    return new QueueStats(
        name,
        counts,
        totals,
        oldestReadyAge(rows, queue.number(), counters, nowMs),
        serving(queue));
  }

  private static QueueStats.Serving serving(QueueRecord queue) {
    if (queue.paused()) {
      return QueueStats.Serving.PAUSED;
    }
    return queue.draining() ? QueueStats.Serving.DRAINING : QueueStats.Serving.ON;
  }

  private static Optional<Duration> oldestReadyAge(
      Rows rows, int queue, CountersRecord counters, long nowMs) {
    OptionalLong oldestMs = oldestReadyMs(rows, queue, counters);
    return oldestMs.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(Math.max(0, nowMs - oldestMs.getAsLong())));
  }

  /** Since when the longest-waiting of the jobs that head their priorities has been ready. */
  static OptionalLong oldestReadyMs(Rows rows, int queue, CountersRecord counters) {
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

  /** The first unleased job of the priority, or null if none is near its remembered head. */
  private static @Nullable StoredJob head(Rows rows, int queue, CountersRecord.ReadyRow used) {
    KeyRange rest =
        new KeyRange(
            ReadyKeys.key(queue, used.priority(), used.headSequence()),
            ReadyKeys.priorityEnd(queue, used.priority()));
    for (int seen = 0; seen < Row.CHUNK_ROWS_MAX; seen += HEAD_CHUNK_SIZE) {
      List<Row> chunk = rows.chunk(rest, HEAD_CHUNK_SIZE);
      if (chunk.isEmpty()) {
        return null;
      }
      for (StoredJob job : unleased(rows, queue, chunk)) {
        if (job != null) {
          return job;
        }
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
    }
    return null;
  }

  /** The jobs of READY rows, null for each that is leased. */
  static List<@Nullable StoredJob> unleased(Rows rows, int queue, List<Row> chunk) {
    List<JobRecord> records = new ArrayList<>(chunk.size());
    List<byte[]> leaseKeys = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = rows.decode(row.key(), row.value(), JobRecord::decode);
      records.add(record);
      leaseKeys.add(LeaseKeys.key(queue, record.birth()));
    }
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    List<@Nullable StoredJob> jobs = new ArrayList<>(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      boolean isLeased = leases.get(i) != null;
      jobs.add(isLeased ? null : new StoredJob(queue, chunk.get(i).key(), records.get(i), null));
    }
    return jobs;
  }
}
