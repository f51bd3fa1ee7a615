package io.millrace.internal.read;

import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The queues that have visible jobs, and the times at which jobs are visible.
 *
 * <p>The agenda has one row for each queue that has jobs, at a time not after that from which one
 * of them is visible; so all queues looked for are at its front. A row may be too early, and the
 * queue's own rows decide.
 */
final class VisibleQueues {

  /**
   * The most agenda rows to a page: each costs a look at the queue's name, counters and delayed
   * jobs.
   */
  private static final int AGENDA_ROWS_MAX = Row.CHUNK_ROWS_MAX / 4;

  private final ViewRows rows;

  VisibleQueues(ViewRows rows) {
    this.rows = rows;
  }

  /**
   * Returns a page of queues with a job that is visible at the instant, roughly ordered by how long
   * one has been.
   */
  Page<QueueName> page(Instant now, PageRequest request) {
    long nowMs = now.toEpochMilli();
    KeyRange all = KeyRange.of(Keyspace.AGENDA);
    long latestMs = Math.max(nowMs, commitMs()) + Math.max(0, rows.steadyLeadMs());
    KeyRange due = new KeyRange(all.startInclusive(), AgendaKeys.end(latestMs));
    Optional<byte[]> from = request.cursor().map(cursor -> Cursors.parse(cursor, all));
    KeyRange rest = due.from(from.orElse(all.startInclusive()));
    List<QueueName> names = new ArrayList<>();
    List<Row> chunk = rows.chunk(rest, AGENDA_ROWS_MAX);
    for (Row row : chunk) {
      visibleQueue(row, nowMs).ifPresent(names::add);
      if (names.size() == request.size() || rows.isOverTime()) {
        return new Page<>(names, Optional.of(Cursors.after(row.key())));
      }
    }
    return new Page<>(
        names,
        chunk.size() < AGENDA_ROWS_MAX
            ? Optional.empty()
            : Optional.of(Cursors.after(chunk.get(chunk.size() - 1).key())));
  }

  /**
   * Returns the time of the last commit. Ready jobs are visible whatever the caller's clock says:
   * their agenda rows end at this time.
   */
  private long commitMs() {
    MetaRecords.Time time = rows.get(MetaKeys.TIME, (key, value) -> MetaRecords.Time.decode(value));
    return time == null ? 0 : time.lastCommitMs();
  }

  private Optional<QueueName> visibleQueue(Row row, long nowMs) {
    int queue = AgendaKeys.queue(row.key());
    QueueNameRecord name = rows.get(QueueNameKeys.key(queue), QueueNameRecord::decode);
    if (name == null || name.state() != QueueNameRecord.State.LIVE) {
      return Optional.empty();
    }
    CountersRecord counters = rows.counters(queue);
    boolean isVisible =
        counters.agendaAtMs() == AgendaKeys.timeMs(row.key())
            && (counters.states()[JobState.READY.ordinal()] > 0
                || firstDelayedMs(queue, counters).orElse(Long.MAX_VALUE) <= nowMs);
    return isVisible ? Optional.of(name.name()) : Optional.empty();
  }

  /**
   * Returns when the first job of the queue was or will be visible; empty if it has none that will.
   */
  Optional<Instant> nextVisible(int queue, long nowMs) {
    CountersRecord counters = rows.counters(queue);
    OptionalLong nextMs = firstDelayedMs(queue, counters);
    if (counters.states()[JobState.READY.ordinal()] > 0) {
      long sinceMs = QueueFigures.oldestReadyMs(rows, queue, counters).orElse(nowMs);
      // Over a restart the clock may have gone back behind the time at which the job became ready.
      long readyMs = Math.min(sinceMs, nowMs);
      nextMs = OptionalLong.of(Math.min(readyMs, nextMs.orElse(readyMs)));
    }
    return nextMs.isEmpty()
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(nextMs.getAsLong()));
  }

  /**
   * Returns when the first delayed job will be visible. The list holds ends of waits on two clocks.
   * While they differ, a job further back on the one may be due before the first on the other, but
   * never by more than the clocks differ; where that means too many rows, the answer is a time that
   * is not too late.
   */
  private OptionalLong firstDelayedMs(int queue, CountersRecord counters) {
    if (counters.states()[JobState.DELAYED.ordinal()] == 0) {
      return OptionalLong.empty();
    }
    KeyRange delayed =
        new KeyRange(
            DelayedKeys.key(queue, counters.nextDelayedAtMs(), 0),
            Keyspace.DELAYED.queueEnd(queue));
    long leadMs = rows.steadyLeadMs();
    int rowCountMax = leadMs == 0 ? 1 : Row.CHUNK_ROWS_MAX;
    long firstMs = Long.MAX_VALUE;
    long leastMs = 0;
    List<Row> chunk = rows.chunk(delayed, rowCountMax);
    for (Row row : chunk) {
      JobRecord job = rows.decode(row.key(), row.value(), JobRecord::decode);
      long endMs = DelayedKeys.visibleAtMs(row.key());
      leastMs = Math.min(endMs, endMs - leadMs);
      firstMs = Math.min(firstMs, job.delayBaseMs() == 0 ? endMs : endMs - leadMs);
      if (leastMs >= firstMs) {
        return OptionalLong.of(firstMs);
      }
    }
    if (chunk.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(chunk.size() < rowCountMax ? firstMs : leastMs);
  }
}
