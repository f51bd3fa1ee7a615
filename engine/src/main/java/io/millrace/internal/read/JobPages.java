package io.millrace.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CorruptDataException;
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
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pages of one queue's jobs, each from one view and bounded in rows and bytes: so a page may hold
 * fewer jobs than asked for, even none, and still not be the last.
 */
final class JobPages {

  private final ViewRows rows;
  private final QueueName name;
  private final int queue;
  private @Nullable CountersRecord counters;

  JobPages(ViewRows rows, QueueName name, int queue) {
    this.rows = rows;
    this.name = name;
    this.queue = queue;
  }

  /** A finder of the jobs that rows are of; null for each row that is not of a job asked for. */
  interface Resolver {
    List<@Nullable StoredJob> resolve(List<Row> chunk);
  }

  /**
   * A section of the store: the places of jobs of one kind.
   *
   * @param all the keys at which a cursor of this kind may point
   * @param ranges the ranges where the jobs are, in the order of their keys
   * @param resolver finds the jobs of the rows there
   */
  record Section(KeyRange all, List<KeyRange> ranges, Resolver resolver) {

    static Section of(KeyRange all, Resolver resolver) {
      return new Section(all, List.of(all), resolver);
    }

    /** Returns the section with only the jobs that meet the condition. */
    Section where(Predicate<StoredJob> condition) {
      return new Section(
          all,
          ranges,
          chunk -> {
            List<@Nullable StoredJob> jobs = resolver.resolve(chunk);
            jobs.replaceAll(job -> job != null && condition.test(job) ? job : null);
            return jobs;
          });
    }

    /** Returns the section with only the rows in the range. */
    Section within(KeyRange limits) {
      return within(List.of(limits));
    }

    /**
     * Returns the section with only the rows in one of the ranges, which are in the order of their
     * keys.
     */
    Section within(List<KeyRange> limits) {
      List<KeyRange> left = new ArrayList<>();
      for (KeyRange range : ranges) {
        limits.forEach(limit -> left.add(range.within(limit)));
      }
      return new Section(all, left, resolver);
    }
  }

  /**
   * Returns a page of jobs of one state: ready ones in serving order, others in the order of their
   * keys.
   */
  Page<Job> inState(JobState state, PageRequest request) {
    return page(section(state), request);
  }

  /** Returns a page of dead jobs that match, the earliest death first. */
  Page<Job> dead(DeadFilter filter, PageRequest request) {
    KeyRange all = range(Keyspace.DEAD);
    byte[] start =
        filter
            .diedSince()
            .map(since -> DeadKeys.key(queue, JobMatch.ceilingMs(since), 0))
            .orElse(all.startInclusive());
    byte[] end =
        filter
            .diedBefore()
            .map(before -> DeadKeys.key(queue, JobMatch.ceilingMs(before), 0))
            .orElse(all.endExclusive());
    Section dead = new Section(all, List.of(new KeyRange(start, end)), this::records);
    Section matching =
        filter
            .errorContains()
            .map(part -> dead.where(job -> JobMatch.hasError(job, part)))
            .orElse(dead);
    return page(matching, request);
  }

  /** Returns the section of the jobs in the state. */
  Section section(JobState state) {
    return switch (state) {
      case READY -> ready();
      case DELAYED -> delayed();
      case LEASED -> Section.of(range(Keyspace.LEASE), this::leased);
      default -> Section.of(range(Keyspace.of(state)), this::records);
    };
  }

  /** Returns how many jobs the queue has in the state. */
  long count(JobState state) {
    return counters().states()[state.ordinal()];
  }

  /** Returns the keys of ready jobs of these priorities, both ends inclusive. */
  KeyRange ready(int priorityLeast, int priorityMost) {
    return new KeyRange(
        ReadyKeys.key(queue, priorityMost, 0), ReadyKeys.priorityEnd(queue, priorityLeast));
  }

  /**
   * Returns the keys of jobs that are blocked by this concurrency key: those of the engine's come
   * first.
   */
  List<KeyRange> blocked(String concurrencyKey) {
    byte[] key = concurrencyKey.getBytes(UTF_8);
    return List.of(
        new KeyRange(BlockedKeys.startOfEngine(queue, key), BlockedKeys.endOfEngine(queue, key)),
        new KeyRange(BlockedKeys.start(queue, key), BlockedKeys.end(queue, key)));
  }

  /** Tells whether the key, which is in a keyspace of jobs, is of this queue. */
  boolean isOfQueue(byte[] key) {
    return range(Keyspace.ofKey(key)).contains(key);
  }

  private KeyRange range(Keyspace keyspace) {
    return KeyRange.of(keyspace, queue);
  }

  private CountersRecord counters() {
    CountersRecord known = counters;
    if (known == null) {
      known = rows.counters(queue);
      counters = known;
    }
    return known;
  }

  /**
   * Returns the section of ready jobs, from each priority's head on: rows before the head were
   * deleted, and are slow to walk over.
   */
  private Section ready() {
    CountersRecord.ReadyRow[] used = counters().ready().clone();
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
    return new Section(
        range(Keyspace.READY), ranges, chunk -> StoredJob.unleased(rows, queue, chunk));
  }

  private Section delayed() {
    KeyRange all = range(Keyspace.DELAYED);
    KeyRange live = all.from(DelayedKeys.key(queue, counters().nextDelayedAtMs(), 0));
    return new Section(all, List.of(live), this::records);
  }

  /** Returns the page that begins at the request's cursor. */
  private Page<Job> page(Section section, PageRequest request) {
    Optional<byte[]> cursor = request.cursor().map(text -> Cursors.parse(text, section.all()));
    PageBuilder page = new PageBuilder(rows, request.size(), job -> true);
    page.enter(name, new byte[0]);
    fill(page, section, cursor.orElse(section.all().startInclusive()));
    return page.build();
  }

  /** Goes through the section from the key on until the page is full. */
  void fill(PageBuilder page, Section section, byte[] from) {
    for (KeyRange range : section.ranges()) {
      KeyRange rest = range.from(from);
      while (!page.isFull()) {
        List<Row> chunk = rows.chunk(rest, page.rowsWanted());
        if (chunk.isEmpty()) {
          break;
        }
        add(page, section.resolver(), chunk);
        rest = rest.after(chunk.get(chunk.size() - 1).key());
      }
    }
  }

  /** Adds the jobs of these rows to the page. A damaged row hides none of those before it. */
  private static void add(PageBuilder page, Resolver resolver, List<Row> chunk) {
    List<@Nullable StoredJob> jobs;
    try {
      jobs = resolver.resolve(chunk);
    } catch (CorruptDataException e) {
      addOneByOne(page, resolver, chunk);
      return;
    }
    page.add(chunk, jobs);
  }

  private static void addOneByOne(PageBuilder page, Resolver resolver, List<Row> chunk) {
    for (Row row : chunk) {
      List<@Nullable StoredJob> job;
      try {
        job = page.isFull() ? List.of() : resolver.resolve(List.of(row));
      } catch (CorruptDataException e) {
        page.endBefore(row.key(), e);
        return;
      }
      page.add(List.of(row), job);
    }
  }

  private List<@Nullable StoredJob> records(List<Row> chunk) {
    List<@Nullable StoredJob> jobs = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = rows.decode(row.key(), row.value(), JobRecord::decode);
      jobs.add(new StoredJob(queue, row.key(), record, null));
    }
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
      jobs.add(
          record != null && record.birth() == LeaseKeys.birth(chunk.get(i).key())
              ? new StoredJob(queue, key, record, leases.get(i))
              : null);
    }
    return jobs;
  }
}
