package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What jobs and queues will be once the plans of a call are carried out that were made so far: the
 * operations after them are judged by it. Empty in a call of one operation.
 */
public final class Planned {

  private final Long2ObjectHashMap<After> jobs = new Long2ObjectHashMap<>();
  private final Map<QueueState, Long> joining = new HashMap<>();

  /** Made when there is one, for most calls have none. */
  private @Nullable Map<byte[], UniqueRecord> takenKeys;

  /** Queues of jobs that the call makes, by their births; made when there is one. */
  private @Nullable Long2ObjectHashMap<QueueState> newJobs;

  /** As that: of each job, what is to become of the signals that are kept for it. */
  private @Nullable Map<Long, UnaryOperator<InboxRecord>> inboxes;

  /** As that: rows of broadcasts that jobs are to take. */
  private @Nullable Set<byte[]> takenBroadcasts;

  /** As that: what rows of users' tables will hold that are changed by what they hold. */
  private @Nullable Map<byte[], byte[]> rows;

  /**
   * What a job will be.
   *
   * @param state its state; null if it is no more
   * @param job its record; null if that stays as it is stored, or is no more
   * @param content of its BLOB row, if that is new
   * @param isCancelRequested whether its lease will be marked
   */
  public record After(
      @Nullable JobState state,
      @Nullable JobRecord job,
      @Nullable BlobRecord content,
      boolean isCancelRequested) {

    public static final After GONE = new After(null, null, null, false);

    /** Somebody works on it, as before, and its lease is marked. */
    public static final After MARKED = new After(JobState.LEASED, null, null, true);

    public static After of(JobState state, JobRecord job) {
      return new After(state, job, null, false);
    }

    /** What the earlier one says and this one does not. */
    private After over(@Nullable After earlier) {
      if (earlier == null || state == null) {
        return this;
      }
      return new After(
          state,
          job == null ? earlier.job : job,
          content == null ? earlier.content : content,
          state == JobState.LEASED && (isCancelRequested || earlier.isCancelRequested));
    }
  }

  /** What the job will be; null if nothing is planned for it. */
  public @Nullable After of(long birth) {
    return jobs.get(birth);
  }

  /** The lease on the job, if it has one then. */
  public @Nullable LeaseEntry leaseOn(long birth, LeaseTable leases) {
    After after = jobs.get(birth);
    return after == null || after.state() == JobState.LEASED ? leases.get(birth) : null;
  }

  /** Whether the lease's mark will take the job along when it ends. */
  public boolean isCancelRequested(LeaseEntry lease) {
    After after = jobs.get(lease.birth());
    return lease.isCancelRequested() || (after != null && after.isCancelRequested());
  }

  /** How many jobs of the queue will wait to be worked on. */
  public long depth(QueueState queue) {
    return queue.depth() + joining.getOrDefault(queue, 0L);
  }

  /** So many new jobs will wait there. */
  public void join(QueueState queue, long count) {
    joining.merge(queue, count, Long::sum);
  }

  /** A job of the queue will be something else than it is. */
  public void put(QueueState queue, long birth, @Nullable JobState before, After after) {
    jobs.put(birth, after.over(jobs.get(birth)));
    join(queue, waiting(after.state()) - waiting(before));
  }

  /** A job of the queue will come to be, and perhaps the queue with it. */
  public void begin(QueueState queue, long birth, After after) {
    if (newJobs == null) {
      newJobs = new Long2ObjectHashMap<>();
    }
    newJobs.put(birth, queue);
    put(queue, birth, null, after);
  }

  /** The queue of a job that will come to be; null if none of this birth will. */
  public @Nullable QueueState queueOfNew(long birth) {
    return newJobs == null ? null : newJobs.get(birth);
  }

  /** Whether the job, which holds a unique key until it has ended, will have ended. */
  public boolean isEnded(long birth) {
    After after = jobs.get(birth);
    return after != null
        && (after.state() == null
            || after.state() == JobState.DEAD
            || after.state() == JobState.DONE);
  }

  private static int waiting(@Nullable JobState state) {
    return state != null && QueueState.isDepth(state) ? 1 : 0;
  }

  /** What the row of this unique key will say; null if no job is planned to take it. */
  public @Nullable UniqueRecord taker(byte[] uniqueRowKey) {
    return takenKeys == null ? null : takenKeys.get(uniqueRowKey);
  }

  /** A job will hold the unique key of this row. */
  public void take(byte[] uniqueRowKey, UniqueRecord holder) {
    if (takenKeys == null) {
      takenKeys = new TreeMap<>(Arrays::compareUnsigned);
    }
    takenKeys.put(uniqueRowKey, holder);
  }

  /** What will be kept for the job for which this is kept now. */
  public InboxRecord inbox(long birth, InboxRecord now) {
    UnaryOperator<InboxRecord> change = inboxes == null ? null : inboxes.get(birth);
    return change == null ? now : change.apply(now);
  }

  /** Whether what is kept for the job will change. */
  public boolean changesInbox(long birth) {
    return inboxes != null && inboxes.containsKey(birth);
  }

  /** What is kept for the job will change. */
  public void changeInbox(long birth, UnaryOperator<InboxRecord> change) {
    if (inboxes == null) {
      inboxes = new HashMap<>();
    }
    inboxes.merge(birth, change, (first, next) -> inbox -> next.apply(first.apply(inbox)));
  }

  /** Whether a job will have taken the broadcast of this row. */
  public boolean isTaken(byte[] broadcastRowKey) {
    return takenBroadcasts != null && takenBroadcasts.contains(broadcastRowKey);
  }

  /** A job will have the broadcast of this row. */
  public void takeBroadcast(byte[] broadcastRowKey) {
    if (takenBroadcasts == null) {
      takenBroadcasts = new TreeSet<>(Arrays::compareUnsigned);
    }
    takenBroadcasts.add(broadcastRowKey);
  }

  /** Answers what the row of this key will hold; null if that is not known here. */
  public byte @Nullable [] row(byte[] key) {
    return rows == null ? null : rows.get(key);
  }

  /** Notes that the row of this key will hold the value. */
  public void putRow(byte[] key, byte[] value) {
    if (rows == null) {
      rows = new TreeMap<>(Arrays::compareUnsigned);
    }
    rows.put(key, value);
  }

  void clear() {
    rows = null;
    takenKeys = null;
    newJobs = null;
    inboxes = null;
    takenBroadcasts = null;
    if (!jobs.isEmpty()) {
      jobs.clear();
    }
    if (!joining.isEmpty()) {
      joining.clear();
    }
  }
}
