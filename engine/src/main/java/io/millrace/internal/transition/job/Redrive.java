package io.millrace.internal.transition.job;

import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.To;
import java.util.List;

/**
 * Dead jobs are ready again, at the back of their lines, with their attempts starting afresh; what
 * their last checkpoint kept stays or goes, as asked.
 */
public final class Redrive extends DeadOperation<RedriveResult> {

  private final Checkpointed checkpointed;

  /** What they have kept stays. */
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
    return RedriveResult.NOT_DEAD;
  }

  @Override
  RedriveResult gone() {
    return RedriveResult.GONE;
  }

  @Override
  Plan<RedriveResult> dead(FoundJob found, JobRecord job) {
    int earlier = job.earlierAttempts() + job.attempts();
    JobRecord afresh = job.toBuilder().attempts(0).earlierAttempts(earlier).build();
    return checkpointed == Checkpointed.KEEP
        ? moving(found, afresh)
        : new Clearing(
            found,
            moving(found, afresh.toBuilder().state(null).build()),
            job.birth(),
            job.stateVersion());
  }

  private static Plan<RedriveResult> moving(FoundJob found, JobRecord job) {
    return new JobMove<>(found, job, To.READY, Total.REDRIVEN, RedriveResult.REDRIVEN);
  }

  /**
   * The plan that a job goes on without the state that it has.
   *
   * @param birth the job's
   * @param stateVersion version of the state's BLOB row; 0 if there is none
   */
  private record Clearing(FoundJob found, Plan<RedriveResult> moving, long birth, int stateVersion)
      implements Plan<RedriveResult> {

    @Override
    public RedriveResult carryOut(OpenBatch batch) {
      if (stateVersion != 0) {
        batch.delete(BlobKeys.key(found.queue().number(), birth, stateVersion));
      }
      return moving.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      moving.foretell(batch);
    }
  }
}
