package io.millrace.internal.transition.job;

import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The return of dead jobs to life: they are ready, at the back of their lines, with their attempts
 * starting afresh. The state of their last checkpoint stays or goes, as asked. A signal that they
 * were told stays.
 */
public final class Redrive extends DeadOperation<RedriveResult> {

  private final Checkpointed checkpointed;

  /** Creates a redrive in which the states of checkpoints stay. */
  public Redrive(List<JobId> ids) {
    this(ids, Checkpointed.KEEP);
  }

  public Redrive(List<JobId> ids, Checkpointed checkpointed) {
    super(ids);
    this.checkpointed = checkpointed;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  RedriveResult notDead() {
    return new RedriveResult.NotDead();
  }

  @Override
  RedriveResult gone() {
    return new RedriveResult.Gone();
  }

  @Override
  void declareMore(int queue, byte[] key, byte[] value, RowReads reads) {
    byte[] rowKey = rowKey(queue, JobRecord.decode(key, value));
    if (rowKey != null) {
      reads.wantByKey(rowKey);
    }
  }

  /**
   * Returns the key of the row of the unique key that the job takes again; null if it takes none.
   */
  private static byte @Nullable [] rowKey(int queue, JobRecord job) {
    byte[] uniqueKey = job.uniqueKey();
    return uniqueKey == null || !Moves.moved(JobState.DEAD, job).holdsUniqueKey(Keyspace.READY)
        ? null
        : UniqueKeys.key(queue, uniqueKey);
  }

  @Override
  Plan<RedriveResult> dead(OpenBatch batch, FoundJob found, JobRecord job) {
    int queue = found.queueNumber();
    byte[] rowKey = rowKey(queue, job);
    if (rowKey == null) {
      return dead(found, job);
    }
    UniqueRecord held = HeldKeys.holder(batch, rowKey);
    UniqueRecord own = UniqueRecord.of(queue, Moves.moved(JobState.DEAD, job));
    return held == null || held.jobId().equals(own.jobId())
        ? new Taking(rowKey, own, dead(found, job))
        : Plan.answer(new RedriveResult.Duplicate(held.jobId()));
  }

  /** The plan that a job which lives again takes a unique key. */
  private record Taking(byte[] rowKey, UniqueRecord own, Plan<RedriveResult> moving)
      implements Plan<RedriveResult> {

    @Override
    public RedriveResult carryOut(OpenBatch batch) {
      return moving.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      batch.planned().take(rowKey, own);
      moving.foretell(batch);
    }
  }

  private Plan<RedriveResult> dead(FoundJob found, JobRecord job) {
    int earlier = job.earlierAttempts() + job.attempts();
    JobRecord afresh =
        wakeAfresh(job).set(JobField.ATTEMPTS, 0).set(JobField.EARLIER_ATTEMPTS, earlier).build();
    return checkpointed == Checkpointed.KEEP
        ? moving(found, afresh)
        : new Clearing(
            found,
            moving(found, afresh.toBuilder().checkpointed(null).build()),
            job.birth(),
            job.checkpointedVersion());
  }

  /**
   * Returns the record as it begins its next lease. A signal, or the batch, that the job was told
   * of before it died is told once more; that a deadline passed is not.
   */
  private static JobRecordBuilder wakeAfresh(JobRecord job) {
    byte[] signal = job.signal();
    if (signal != null && TallyKeys.isSignal(signal)) {
      return job.toBuilder().set(JobField.WAKE_REASON, JobRecord.WAKE_TALLIED);
    }
    return job.signalPayload() == null
        ? job.toBuilder().wake(JobRecord.WAKE_FIRST)
        : job.toBuilder().set(JobField.WAKE_REASON, JobRecord.WAKE_SIGNALLED);
  }

  private static Plan<RedriveResult> moving(FoundJob found, JobRecord job) {
    return new JobMove<>(
        found, job, Destination.READY, Total.REDRIVEN, new RedriveResult.Redriven());
  }

  /**
   * The plan that a job goes on without the state that it has.
   *
   * @param birth the job's birth sequence
   * @param checkpointedVersion version of the checkpoint's BLOB row; 0 if there is none
   */
  private record Clearing(
      FoundJob found, Plan<RedriveResult> moving, long birth, int checkpointedVersion)
      implements Plan<RedriveResult> {

    @Override
    public RedriveResult carryOut(OpenBatch batch) {
      if (checkpointedVersion != 0) {
        batch.delete(BlobKeys.key(found.queueNumber(), birth, checkpointedVersion));
      }
      return moving.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      moving.foretell(batch);
    }
  }
}
