package io.millrace.api;

import io.millrace.MillraceException;
import java.util.Optional;

/**
 * A queue's dead jobs. They are never claimed, and are kept until someone decides, or for the
 * queue's retention if it has one. Any thread may use it.
 */
public interface DeadLetters {

  /**
   * Lists the dead jobs that match, the earliest death first.
   *
   * @throws IllegalArgumentException the cursor is not of a page of these jobs
   * @throws CorruptDataException the job at which the page would begin is damaged; the message ends
   *     with the cursor of the page behind it
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<Job> list(DeadFilter filter, PageRequest page);

  /**
   * Returns the job with its history, if it is dead and belongs to this queue.
   *
   * @throws CorruptDataException the job's record is damaged
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<Job> get(JobId id);

  /**
   * Makes a dead job ready again; its attempts start afresh, and its checkpoint is kept.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default RedriveResult redrive(JobId id) {
    return redrive(id, Checkpointed.KEEP);
  }

  /**
   * Makes a dead job ready again; its attempts start afresh. The job takes its {@link UniqueKey}
   * again. If another job holds that key, the job stays dead, and the result is a duplicate.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  RedriveResult redrive(JobId id, Checkpointed checkpointed);

  /**
   * Makes all dead jobs that match ready again and keeps their checkpoints. It works in bounded
   * steps: if it fails in between, the jobs of the earlier steps stay redriven. Jobs that die
   * meanwhile are left for the next call. Jobs whose unique key is held by another job stay dead,
   * so that of several jobs with one key the first is redriven.
   *
   * @return the number of jobs that were redriven
   * @throws MillraceException as every operation and every read, see {@link JobQueue}; earlier
   *     steps stay done
   */
  default long redriveAll(DeadFilter filter) {
    return redriveAll(filter, Checkpointed.KEEP);
  }

  /**
   * Makes all dead jobs that match ready again, as {@link #redriveAll(DeadFilter)} does, and keeps
   * or clears their checkpoints.
   *
   * @throws MillraceException as every operation and every read, see {@link JobQueue}; earlier
   *     steps stay done
   */
  long redriveAll(DeadFilter filter, Checkpointed checkpointed);

  /** The treatment of the state that a redriven job's last checkpoint kept. */
  enum Checkpointed {
    /** The state is kept: the next attempt goes on from it. */
    KEEP,
    /**
     * The state is removed: the job starts as it was enqueued, but still learns of a signal that it
     * had received ({@link Wake}).
     */
    CLEAR
  }

  /**
   * Removes a dead job for good. Returns whether it was there.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  boolean delete(JobId id);

  /**
   * Removes all dead jobs that match, in bounded steps, as {@link #redriveAll(DeadFilter)} does.
   *
   * @return the number of jobs that were removed
   * @throws MillraceException as every operation and every read, see {@link JobQueue}; earlier
   *     steps stay done
   */
  long deleteAll(DeadFilter filter);
}
