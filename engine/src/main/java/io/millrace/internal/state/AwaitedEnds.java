package io.millrace.internal.state;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Durability;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobEnd;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the ends of jobs.
 *
 * <p>A wait is at its job, found by the job's birth, until the job ends. Then it is in a line with
 * others until the commit that ended the job is as durable as was asked, and is told. If that
 * commit never happens, the wait is at its job again. A job that nobody waits for costs one look
 * whether there are any waits, and, if there are, one look for its birth.
 *
 * <p>Whoever gives up puts his wait on a stack, from which the loop takes it, so that nothing of it
 * is left.
 *
 * <p>Belongs to the commit loop, but for {@link #abandon} and {@link #count()}.
 */
public final class AwaitedEnds {

  private final UndoLog undoLog;
  private final int countMax;

  /** The newest wait for each job. */
  private final Long2ObjectHashMap<JobWait> byBirth = new Long2ObjectHashMap<>();

  /** Of jobs that have ended, in the order in which they did. */
  private final List<JobWait> ended = new ArrayList<>(0);

  private final AtomicReference<@Nullable JobWait> abandoned = new AtomicReference<>();
  private int atJobs;
  private volatile int count;

  /** No waits yet. */
  AwaitedEnds(UndoLog undoLog, int countMax) {
    this.undoLog = undoLog;
    this.countMax = countMax;
  }

  /** Whether any job that has not ended is waited for. */
  public boolean isAny() {
    return atJobs != 0;
  }

  /** How many waits there are; for any thread. */
  public int count() {
    return count;
  }

  private void noteCount() {
    count = atJobs + ended.size();
  }

  /**
   * Makes sure that another wait may begin.
   *
   * @throws EngineOverloadedException there are too many
   */
  public void requireRoom() {
    takeAbandoned();
    if (atJobs + ended.size() >= countMax) {
      throw new EngineOverloadedException(
          "too many ends of jobs are awaited: awaitCountMax="
              + countMax
              + "; nothing happened, cancel futures that nobody needs, or raise awaitCountMax");
    }
  }

  /** A wait begins with the batch under way, unless it was given up before. */
  public void begin(JobWait wait, JobAddress job) {
    if (wait.isOver()) {
      return;
    }
    wait.setJob(job);
    add(wait);
    undoLog.add(() -> remove(wait));
  }

  private void add(JobWait wait) {
    JobWait newest = byBirth.put(wait.job().birth(), wait);
    wait.setOlder(newest);
    if (newest != null) {
      newest.setNewer(wait);
    }
    atJobs++;
    noteCount();
  }

  /** Does nothing to one that is not at its job. */
  private void remove(JobWait wait) {
    JobWait newer = wait.newer();
    JobWait older = wait.older();
    long birth = wait.job().birth();
    if (newer != null) {
      newer.setOlder(older);
    } else if (byBirth.get(birth) != wait) {
      return;
    } else if (older != null) {
      byBirth.put(birth, older);
    } else {
      byBirth.remove(birth);
    }
    if (older != null) {
      older.setNewer(newer);
    }
    wait.setNewer(null);
    wait.setOlder(null);
    atJobs--;
    noteCount();
  }

  /**
   * Somebody has given up; for any thread. Answers whether the loop is to be asked to {@link
   * #takeAbandoned}: it was not, for those that were given up before.
   */
  public boolean abandon(JobWait wait) {
    JobWait before;
    do {
      before = abandoned.get();
      wait.setAbandonedBefore(before);
    } while (!abandoned.compareAndSet(before, wait));
    return before == null;
  }

  /** Forgets those that were given up. */
  public void takeAbandoned() {
    JobWait wait = abandoned.get() == null ? null : abandoned.getAndSet(null);
    while (wait != null) {
      JobWait before = wait.abandonedBefore();
      wait.setAbandonedBefore(null);
      if (wait.hasBegun()) {
        remove(wait);
      }
      wait = before;
    }
  }

  /** An attempt ended. */
  void attemptEnded(LeaseEntry lease, Total total, AttemptEnd end, BatchUnderWay batch) {
    if (atJobs != 0 && end.isLast() && byBirth.containsKey(lease.birth())) {
      long birth = lease.birth();
      if (end.next() == JobState.DEAD) {
        end(birth, JobWait.died(end.error(), lease.attempt()), batch);
      } else if (total == Total.COMPLETED) {
        end(birth, JobWait.completed(end.result()), batch);
      } else {
        removed(birth, total, batch);
      }
    }
  }

  /** A job is no more, for another reason than that it was completed. */
  void removed(long birth, Total total, BatchUnderWay batch) {
    if (atJobs == 0 || !byBirth.containsKey(birth)) {
      return;
    }
    if (total == Total.QUARANTINED) {
      fail(birth, damaged(byBirth.get(birth).job()), batch);
    } else {
      end(birth, total == Total.DROPPED ? new JobEnd.Dropped<>() : new JobEnd.Cancelled<>(), batch);
    }
  }

  /** A job on which nobody worked is a dead letter. */
  void died(JobRecord job, String error, BatchUnderWay batch) {
    if (atJobs != 0 && byBirth.containsKey(job.birth())) {
      end(job.birth(), JobWait.died(error, job.attempts()), batch);
    }
  }

  private static CorruptDataException damaged(JobAddress job) {
    return new CorruptDataException(
        "job's record is damaged and was set aside, so that it never ends: job="
            + job.toJobId()
            + "; verify lists what is in quarantine");
  }

  /** A queue was deleted with all of its jobs. */
  void queueDropped(int queue, BatchUnderWay batch) {
    if (atJobs == 0) {
      return;
    }
    for (JobAddress job : jobs()) {
      if (job.queue() == queue) {
        end(job.birth(), new JobEnd.Cancelled<>(), batch);
      }
    }
  }

  /** The jobs that are waited for and have not ended. */
  public List<JobAddress> jobs() {
    List<JobAddress> jobs = new ArrayList<>(byBirth.size());
    for (JobWait newest : byBirth.values()) {
      jobs.add(newest.job());
    }
    return jobs;
  }

  /** A job was found to have ended before, in a way that is durable. */
  public void found(JobAddress job, JobEnd<byte[]> end) {
    end(job.birth(), new JobWait.End(end, null, 0, Durability.BUFFERED));
  }

  /** Nobody will ever know how this job ends. */
  public void lost(JobAddress job, RuntimeException why) {
    end(job.birth(), new JobWait.End(null, why, 0, Durability.BUFFERED));
  }

  private void end(long birth, JobEnd<byte[]> end, BatchUnderWay batch) {
    end(birth, new JobWait.End(end, null, batch.number(), batch.level()));
  }

  private void fail(long birth, RuntimeException why, BatchUnderWay batch) {
    end(birth, new JobWait.End(null, why, batch.number(), batch.level()));
  }

  /** All waits for the job go into the line, the oldest first. */
  private void end(long birth, JobWait.End end) {
    JobWait wait = byBirth.remove(birth);
    while (wait != null && wait.older() != null) {
      wait = wait.older();
    }
    while (wait != null) {
      JobWait moved = wait;
      wait = wait.newer();
      moved.setNewer(null);
      moved.setOlder(null);
      moved.setEnd(end);
      ended.add(moved);
      atJobs--;
      undoLog.add(() -> putBack(moved));
    }
    noteCount();
  }

  /** The end never happened. */
  private void putBack(JobWait wait) {
    if (wait.end() != null && !wait.isTold()) {
      ended.remove(ended.lastIndexOf(wait));
      wait.setEnd(null);
      if (!wait.isOver()) {
        add(wait);
      }
      noteCount();
    }
  }

  /** The newest commit that somebody who waits wants to be synced; 0 for none. */
  public long syncedNeeded() {
    for (int i = ended.size() - 1; i >= 0; i--) {
      JobWait.End end = ended.get(i).end();
      if (end != null && end.level() == Durability.SYNCED) {
        return end.commit();
      }
    }
    return 0;
  }

  /**
   * Hands over those whose commits are durable, in their order.
   *
   * @param teller takes the task of giving them their ends; may fail, and is not asked twice
   */
  public void tell(long lastCommit, long syncedCommit, Consumer<JobWait> teller) {
    if (ended.isEmpty()) {
      return;
    }
    for (JobWait wait : ended) {
      JobWait.End end = wait.end();
      if (end != null && !wait.isTold()) {
        long covered = end.level() == Durability.SYNCED ? syncedCommit : lastCommit;
        if (end.commit() <= covered) {
          teller.accept(wait);
          wait.setTold();
        }
      }
    }
    ended.removeIf(JobWait::isTold);
    noteCount();
  }

  /**
   * The store was opened again. What ended with commits that it does not have has not ended.
   *
   * @param lastCommit the newest that is true of what memory knows
   */
  public void reopened(long lastCommit) {
    for (JobWait wait : List.copyOf(ended)) {
      JobWait.End end = wait.end();
      if (end != null && end.commit() > lastCommit) {
        putBack(wait);
      }
    }
  }

  /** Nobody is told anything but this any more. */
  public void failAll(RuntimeException why, Consumer<JobWait> teller) {
    takeAbandoned();
    for (JobAddress job : jobs()) {
      lost(job, why);
    }
    for (JobWait wait : ended) {
      wait.setEnd(wait.isTold() ? wait.end() : new JobWait.End(null, why, 0, Durability.BUFFERED));
    }
    tell(0, 0, teller);
  }
}
