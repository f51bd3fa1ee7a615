package io.millrace.internal.read;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.read.Rows.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pages of one queue's jobs, each from one view and bounded in rows and bytes: so a page may hold
 * fewer jobs than asked for, even none, and still not be the last.
 */
final class JobPages {

  private final Rows rows;
  private final QueueName name;
  private final int queue;

  JobPages(Rows rows, QueueName name, int queue) {
    this.rows = rows;
    this.name = name;
    this.queue = queue;
  }

  /** Finds the jobs that rows are of; null for each row that is not of a job asked for. */
  private interface Resolver {
    List<@Nullable StoredJob> resolve(List<Row> chunk);
  }

  /** Jobs of one state: ready ones in serving order, others in the order of their keys. */
  Page<Job> inState(JobState state, PageRequest request) {
    return switch (state) {
      case READY -> ready(request);
      case DELAYED -> delayed(request);
      case LEASED ->
          page(
              new KeyRange(LeaseKeys.queueStart(queue), LeaseKeys.queueEnd(queue)),
              this::leased,
              request);
      case BLOCKED ->
          page(
              new KeyRange(BlockedKeys.queueStart(queue), BlockedKeys.queueEnd(queue)),
              this::records,
              request);
      case WAITING ->
          page(
              new KeyRange(WaitingKeys.queueStart(queue), WaitingKeys.queueEnd(queue)),
              this::records,
              request);
      case DEAD -> dead(DeadFilter.ALL, request);
      case DONE ->
          page(
              new KeyRange(DoneKeys.queueStart(queue), DoneKeys.queueEnd(queue)),
              this::records,
              request);
    };
  }

  /** Dead jobs that match, the earliest death first. */
  Page<Job> dead(DeadFilter filter, PageRequest request) {
    KeyRange all = new KeyRange(DeadKeys.queueStart(queue), DeadKeys.queueEnd(queue));
    byte[] start =
        filter
            .diedSince()
            .map(since -> DeadKeys.key(queue, ceilingMs(since), 0))
            .orElse(all.startInclusive());
    byte[] end =
        filter
            .diedBefore()
            .map(before -> DeadKeys.key(queue, ceilingMs(before), 0))
            .orElse(all.endExclusive());
    Resolver resolver =
        filter.errorContains().isEmpty()
            ? this::records
            : chunk -> withError(chunk, filter.errorContains().get());
    return page(all, List.of(new KeyRange(start, end)), resolver, request);
  }

  /** From each priority's head on: what is before it was deleted, and slow to walk over. */
  private Page<Job> ready(PageRequest request) {
    CountersRecord.ReadyRow[] used = StoredQueue.counters(rows, queue).ready().clone();
    Arrays.sort(used, Comparator.comparingInt(CountersRecord.ReadyRow::priority).reversed());
    List<KeyRange> ranges = new ArrayList<>(used.length);
    for (CountersRecord.ReadyRow row : used) {
      if (row.readyCount() > 0) {
        ranges.add(
            new KeyRange(
                ReadyKeys.key(queue, row.priority(), row.headSequence()),
                ReadyKeys.priorityEnd(queue, row.priority())));
      }
    }
    KeyRange all = new KeyRange(ReadyKeys.queueStart(queue), ReadyKeys.queueEnd(queue));
    return page(all, ranges, chunk -> StoredQueue.unleased(rows, queue, chunk), request);
  }

  private Page<Job> delayed(PageRequest request) {
    long nextDelayedAtMs = StoredQueue.counters(rows, queue).nextDelayedAtMs();
    KeyRange all = new KeyRange(DelayedKeys.queueStart(queue), DelayedKeys.queueEnd(queue));
    KeyRange live = all.from(DelayedKeys.key(queue, nextDelayedAtMs, 0));
    return page(all, List.of(live), this::records, request);
  }

  private Page<Job> page(KeyRange all, Resolver resolver, PageRequest request) {
    return page(all, List.of(all), resolver, request);
  }

  /**
   * The page that begins at the request's cursor.
   *
   * @param all where a cursor of this question may point
   * @param ranges where the jobs are, in the order of their keys
   */
  private Page<Job> page(
      KeyRange all, List<KeyRange> ranges, Resolver resolver, PageRequest request) {
    Optional<byte[]> cursor = request.cursor().map(text -> Cursors.parse(text, all));
    byte[] from = cursor.orElse(all.startInclusive());
    PageBuilder page = new PageBuilder(rows, name, request.size());
    for (KeyRange range : ranges) {
      KeyRange rest = range.from(from);
      while (!page.isFull()) {
        List<Row> chunk = rows.chunk(rest, page.rowsWanted());
        if (chunk.isEmpty()) {
          break;
        }
        page.add(chunk, resolver.resolve(chunk));
        rest = rest.after(chunk.get(chunk.size() - 1).key());
      }
    }
    return page.build();
  }

  private List<@Nullable StoredJob> records(List<Row> chunk) {
    List<@Nullable StoredJob> jobs = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = rows.decode(row.key(), row.value(), JobRecord::decode);
      jobs.add(new StoredJob(queue, row.key(), record, null));
    }
    return jobs;
  }

  private List<@Nullable StoredJob> withError(List<Row> chunk, String part) {
    List<@Nullable StoredJob> jobs = records(chunk);
    jobs.replaceAll(
        job -> {
          String error = job == null ? null : job.record().lastError();
          return error != null && error.contains(part) ? job : null;
        });
    return jobs;
  }

  private List<@Nullable StoredJob> leased(List<Row> chunk) {
    List<LeaseRecord> leases = new ArrayList<>(chunk.size());
    List<byte[]> readyKeys = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      LeaseRecord lease = rows.decode(row.key(), row.value(), LeaseRecord::decode);
      leases.add(lease);
      readyKeys.add(lease.readyKey(queue));
    }
    List<byte @Nullable []> values = rows.getAll(readyKeys);
    List<@Nullable StoredJob> jobs = new ArrayList<>(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      byte[] key = readyKeys.get(i);
      byte[] value = values.get(i);
      JobRecord record = value == null ? null : rows.decode(key, value, JobRecord::decode);
      boolean isHeld = record != null && record.birth() == LeaseKeys.birth(chunk.get(i).key());
      jobs.add(isHeld ? new StoredJob(queue, key, record, leases.get(i)) : null);
    }
    return jobs;
  }

  /** Stored times are whole milliseconds: one is at or after the instant if it is so for this. */
  private static long ceilingMs(Instant instant) {
    return instant.plusNanos(999_999).toEpochMilli();
  }
}
