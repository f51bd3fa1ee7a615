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
import java.util.function.Supplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The waits of callers for the ends of jobs, and of tallies, whose result is their row.
 *
 * <p>A wait stands at its job, found by the job's birth, until the job ends. Then it stands in a
 * line with others until the commit that ended the job is as durable as was asked, and the caller
 * is told. If that commit never happens, the wait stands at its job again. A job that nobody waits
 * for costs one check whether there are any waits and, if there are, one look-up of its birth.
 *
 * <p>A caller that gives up puts its wait on a stack, from which the loop takes it, so that nothing
 * of the wait is left.
 *
 * <p>Belongs to the commit loop, except for {@link #abandon} and {@link #count()}.
 */
public final class AwaitedEnds {

  private final UndoLog undoLog;
  private final int countMax;

  /** The newest wait for each job, by the job's birth. */
  private final Long2ObjectHashMap<JobWait> byBirth = new Long2ObjectHashMap<>();

  /** The waits for jobs that have ended, in the order in which the jobs ended. */
  private final List<JobWait> ended = new ArrayList<>(0);

  private final AtomicReference<@Nullable JobWait> abandoned = new AtomicReference<>();
  private int atJobs;
  private volatile int count;

  /** Creates the table without any waits. */
  AwaitedEnds(UndoLog undoLog, int countMax) {
    this.undoLog = undoLog;
    this.countMax = countMax;
  }

  /** Tells whether any job that has not ended is waited for. */
  public boolean isAny() {
    return atJobs != 0;
  }

  /** Returns how many waits there are. May be called by any thread. */
  public int count() {
    return count;
  }

  private void noteCount() {
    count = atJobs + ended.size();
  }

  /**
   * Checks that there is room for one more wait.
   *
   * @throws EngineOverloadedException if there are too many
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

  /** Begins a wait for the job with the batch under way, unless the wait is over already. */
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

  /** Removes a wait from its job; does nothing if the wait does not stand at its job. */
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
   * Puts the wait of a caller that has given up on the stack of abandoned waits. May be called by
   * any thread.
   *
   * @return whether the loop must be asked to {@link #takeAbandoned}: false if earlier abandoned
   *     waits, for which it was asked, are still on the stack
   */
  public boolean abandon(JobWait wait) {
    JobWait before;
    do {
      before = abandoned.get();
      wait.setAbandonedBefore(before);
    } while (!abandoned.compareAndSet(before, wait));
    return before == null;
  }

  /** Forgets all waits that callers have given up. */
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

  /** Ends the waits for the lease's job if the job has ended with this attempt. */
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

  /** Ends the waits for a job that is gone for another reason than its completion. */
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

  /** Ends the waits for a job that nobody worked on and that is a dead letter now. */
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

  /** Ends the waits for a tally that is over. */
  void tallyOver(long number, Supplier<byte[]> encoded, BatchUnderWay batch) {
    if (atJobs != 0 && byBirth.containsKey(number)) {
      end(number, JobWait.completed(encoded.get()), batch);
    }
  }

  /** Ends the waits for all jobs of a queue that was deleted. */
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

  /** Returns the jobs that are waited for and have not ended. */
  public List<JobAddress> jobs() {
    List<JobAddress> jobs = new ArrayList<>(byBirth.size());
    for (JobWait newest : byBirth.values()) {
      jobs.add(newest.job());
    }
    return jobs;
  }

  /** Ends the waits for a job that was found to have ended before, in a way that is durable. */
  public void found(JobAddress job, JobEnd<byte[]> end) {
    end(job.birth(), new JobWait.End(end, null, 0, Durability.BUFFERED));
  }

  /** Ends the waits for a job whose end nobody will ever know, with an exception that says why. */
  public void lost(JobAddress job, RuntimeException why) {
    end(job.birth(), new JobWait.End(null, why, 0, Durability.BUFFERED));
  }

  private void end(long birth, JobEnd<byte[]> end, BatchUnderWay batch) {
    end(birth, new JobWait.End(end, null, batch.number(), batch.level()));
  }

  private void fail(long birth, RuntimeException why, BatchUnderWay batch) {
    end(birth, new JobWait.End(null, why, batch.number(), batch.level()));
  }

  /** Moves all waits for the job into the line of ended ones, the oldest first. */
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

  /** Takes back the end of the job: the wait stands at its job again, unless it is over. */
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

  /** Returns the newest commit that must be synced before its waits can be told; 0 for none. */
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
   * Hands over the waits whose commits are durable, in their order.
   *
   * @param teller takes over the task of giving a wait its end; may fail, and is not given the
   *     waits again that it has accepted
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
   * Puts waits back to their jobs after the store was opened again: those for ends that came with
   * commits which the store does not have.
   *
   * @param lastCommit the newest commit up to which memory agrees with the store
   */
  public void reopened(long lastCommit) {
    for (JobWait wait : List.copyOf(ended)) {
      JobWait.End end = wait.end();
      if (end != null && end.commit() > lastCommit) {
        putBack(wait);
      }
    }
  }

  /**
   * Ends all waits with this exception, also those whose jobs have ended and whose callers are not
   * told yet.
   */
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
