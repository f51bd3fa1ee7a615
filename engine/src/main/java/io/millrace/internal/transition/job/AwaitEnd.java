package io.millrace.internal.transition.job;

import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a wait for a job's end. The answer is how the job ended if that is known
 * already; then there is no wait.
 */
public final class AwaitEnd extends JobOperation<Optional<JobEnd<byte[]>>> {

  private final JobId id;
  private final JobWait wait;

  public AwaitEnd(JobId id, JobWait wait) {
    super(id);
    this.id = id;
    this.wait = wait;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  /** Returns false: memory knows which jobs are leased. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Optional<JobEnd<byte[]>> apply(OpenBatch batch) {
    Optional<JobEnd<byte[]>> found = super.apply(batch);
    batch.answerAfterWhatIsThere(found.isPresent());
    return found;
  }

  @Override
  Optional<JobEnd<byte[]>> gone() {
    return Optional.of(new JobEnd.Gone<>());
  }

  @Override
  Plan<Optional<JobEnd<byte[]>>> leased(OpenBatch batch, LeaseEntry lease) {
    return lease.jobId().equals(id) ? beginning(batch) : Plan.answer(gone());
  }

  @Override
  Plan<Optional<JobEnd<byte[]>>> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    JobEnd<byte[]> end = end(found, job);
    return end == null ? beginning(batch) : Plan.answer(Optional.of(end));
  }

  /** Returns how the job ended, or null if it has not. */
  static @Nullable JobEnd<byte[]> end(FoundJob found, JobRecord job) {
    if (!found.hasEnded()) {
      return null;
    }
    return switch (found.state()) {
      case DONE -> JobWait.completed(job.result());
      case DEAD -> JobWait.died(job.lastError(), job.attempts());
      default -> throw new IllegalStateException("end is not told: state=" + found.state());
    };
  }

  private Plan<Optional<JobEnd<byte[]>>> beginning(OpenBatch batch) {
    AwaitedEnds awaited = batch.state().totals().lives().awaited();
    awaited.requireRoom();
    JobAddress job = JobAddress.of(id).orElseThrow();
    return carriedOut -> {
      awaited.begin(wait, job);
      return Optional.empty();
    };
  }
}
