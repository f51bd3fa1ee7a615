package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.StateTraits;
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
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The outlook for jobs, queues and rows once the plans that a call has made so far are carried out.
 * Operations after them in the call are judged by it. It is empty in a call of one operation.
 */
public final class Planned {

  private final Long2ObjectHashMap<After> jobs = new Long2ObjectHashMap<>();
  private final Map<QueueState, Long> joining = new HashMap<>();

  /**
   * The records that rows of unique keys will hold, by the keys of the rows. Empty for most calls,
   * and only made when there is one.
   */
  private @Nullable Map<byte[], UniqueRecord> takenKeys;

  /** The queues of jobs that the call makes, by the jobs' births; made when there is one. */
  private @Nullable Long2ObjectHashMap<QueueState> newJobs;

  /**
   * The changes to inboxes of signals kept for jobs, by the jobs' births; made when there is one.
   */
  private @Nullable Map<Long, UnaryOperator<InboxRecord>> inboxes;

  /** The rows of broadcasts that jobs are to take; made when there is one. */
  private @Nullable Set<byte[]> takenBroadcasts;

  /**
   * The values that merged rows of users' tables will hold, by their keys; made when there is one.
   */
  private @Nullable Map<byte[], byte[]> rows;

  /** The tallies of which a dead letter will live again; made when there is one. */
  private @Nullable LongHashSet goingOn;

  /** The numbers of jobs that will wait for tallies; made when there is one. */
  private @Nullable Map<Long, Integer> waiting;

  /**
   * The tallies that will begin with numbers that were told before, and the outer tally of each;
   * made when there is one.
   */
  private @Nullable Map<Long, Long> opened;

  /**
   * A job as it will be.
   *
   * @param state its state; null if it is no more
   * @param job its record; null if that stays as it is stored, or is no more
   * @param content of its BLOB row, if that is new
   * @param isCancelRequested whether its lease will carry a cancel mark
   */
  public record After(
      @Nullable JobState state,
      @Nullable JobRecord job,
      @Nullable BlobRecord content,
      boolean isCancelRequested) {

    public static final After GONE = new After(null, null, null, false);

    /** A leased job that stays leased, and whose lease will carry a cancel mark. */
    public static final After MARKED = new After(JobState.LEASED, null, null, true);

    public static After of(JobState state, JobRecord job) {
      return new After(state, job, null, false);
    }

    /** Returns this outlook, with the parts that it leaves open taken from the earlier one. */
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

  /** Returns what the job will be; null if nothing is planned for it. */
  public @Nullable After of(long birth) {
    return jobs.get(birth);
  }

  /** Returns the lease that the job will have; null if it will have none. */
  public @Nullable LeaseEntry leaseOn(long birth, LeaseTable leases) {
    After after = jobs.get(birth);
    return after == null || after.state() == JobState.LEASED ? leases.get(birth) : null;
  }

  /** Tells whether the lease will carry a cancel mark, so that the job goes when the lease ends. */
  public boolean isCancelRequested(LeaseEntry lease) {
    After after = jobs.get(lease.birth());
    return lease.isCancelRequested() || (after != null && after.isCancelRequested());
  }

  /** Returns how many jobs of the queue will wait to be worked on. */
  public long depth(QueueState queue) {
    return queue.depth() + joining.getOrDefault(queue, 0L);
  }

  /** Adds to the number of jobs that will wait in the queue. */
  public void join(QueueState queue, long count) {
    joining.merge(queue, count, Long::sum);
  }

  /**
   * Notes what a job of the queue will be.
   *
   * @param before the state of the job before; null if it had none
   */
  public void put(QueueState queue, long birth, @Nullable JobState before, After after) {
    jobs.put(birth, after.over(jobs.get(birth)));
    join(queue, waiting(after.state()) - waiting(before));
    if (before == JobState.DEAD && after.job() != null && after.state() != JobState.DEAD) {
      goOn(after.job().tally());
    }
  }

  private void goOn(long tally) {
    if (tally != 0) {
      goingOn = goingOn == null ? new LongHashSet() : goingOn;
      goingOn.add(tally);
    }
  }

  /** Tells whether the tally will go on if it is over, since a dead letter of it lives again. */
  public boolean goesOn(long tally) {
    return goingOn != null && goingOn.contains(tally);
  }

  /** Notes that one more job will wait for the tally. */
  public void waitFor(long tally) {
    waiting = waiting == null ? new HashMap<>() : waiting;
    waiting.merge(tally, 1, Integer::sum);
  }

  /** Returns how many jobs will wait for the tally beside those that do. */
  public int waitingFor(long tally) {
    return waiting == null ? 0 : waiting.getOrDefault(tally, 0);
  }

  /**
   * Notes that a tally will begin, whose number was told before.
   *
   * @param outer the number of its outer tally; 0 for none
   */
  public void open(long tally, long outer) {
    opened = opened == null ? new HashMap<>() : opened;
    opened.put(tally, outer);
  }

  /** Tells whether the tally will begin. */
  public boolean isOpened(long tally) {
    return opened != null && opened.containsKey(tally);
  }

  /** Returns the number of the outer tally of one that will begin; 0 if it has none. */
  public long outerOf(long tally) {
    return opened == null ? 0 : opened.getOrDefault(tally, 0L);
  }

  /** Notes that a job of the queue will come to be, and perhaps the queue with it. */
  public void begin(QueueState queue, long birth, After after) {
    if (newJobs == null) {
      newJobs = new Long2ObjectHashMap<>();
    }
    newJobs.put(birth, queue);
    put(queue, birth, null, after);
  }

  /** Returns the queue of a job that will come to be; null if no job of this birth will. */
  public @Nullable QueueState queueOfNew(long birth) {
    return newJobs == null ? null : newJobs.get(birth);
  }

  /** Tells whether the job, which holds a unique key until it has ended, will have ended. */
  public boolean isEnded(long birth) {
    After after = jobs.get(birth);
    return after != null && (after.state() == null || StateTraits.of(after.state()).isEnd());
  }

  private static int waiting(@Nullable JobState state) {
    return state != null && StateTraits.of(state).isDepth() ? 1 : 0;
  }

  /**
   * Returns what the row of this unique key will say; null if no job is planned to take the key.
   */
  public @Nullable UniqueRecord taker(byte[] uniqueRowKey) {
    return takenKeys == null ? null : takenKeys.get(uniqueRowKey);
  }

  /** Notes that a job will hold the unique key of this row. */
  public void take(byte[] uniqueRowKey, UniqueRecord holder) {
    if (takenKeys == null) {
      takenKeys = new TreeMap<>(Arrays::compareUnsigned);
    }
    takenKeys.put(uniqueRowKey, holder);
  }

  /**
   * Returns the inbox that the job will have.
   *
   * @param now the inbox that the job has now
   */
  public InboxRecord inbox(long birth, InboxRecord now) {
    UnaryOperator<InboxRecord> change = inboxes == null ? null : inboxes.get(birth);
    return change == null ? now : change.apply(now);
  }

  /** Tells whether the job's inbox will change. */
  public boolean changesInbox(long birth) {
    return inboxes != null && inboxes.containsKey(birth);
  }

  /** Notes a change to the job's inbox, made after those that were noted before. */
  public void changeInbox(long birth, UnaryOperator<InboxRecord> change) {
    if (inboxes == null) {
      inboxes = new HashMap<>();
    }
    inboxes.merge(birth, change, (first, next) -> inbox -> next.apply(first.apply(inbox)));
  }

  /** Tells whether a job will have taken the broadcast of this row. */
  public boolean isTaken(byte[] broadcastRowKey) {
    return takenBroadcasts != null && takenBroadcasts.contains(broadcastRowKey);
  }

  /** Notes that a job will take the broadcast of this row. */
  public void takeBroadcast(byte[] broadcastRowKey) {
    if (takenBroadcasts == null) {
      takenBroadcasts = new TreeSet<>(Arrays::compareUnsigned);
    }
    takenBroadcasts.add(broadcastRowKey);
  }

  /** Returns the value that the row of this key will hold; null if no plan sets one. */
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
    goingOn = null;
    opened = null;
    waiting = null;
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
