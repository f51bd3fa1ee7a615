package io.millrace.engine;

import io.millrace.api.JobAdmin;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.StuckResult;
import io.millrace.internal.transition.job.FailStuck;
import io.millrace.internal.transition.job.ReleaseJob;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The operations of those who look after the work, as callers give them. Any thread. */
final class Administration implements JobAdmin {

  private final EngineCore core;

  Administration(EngineCore core) {
    this.core = core;
  }

  @Override
  public void configure(String queueName, UnaryOperator<QueueSettings> change) {
    core.configureName(queueName, change);
  }

  @Override
  public JobReleaseResult release(JobId id) {
    Objects.requireNonNull(id, "id");
    return Acts.onJob("release", id, core.submitter().call(new ReleaseJob(id)));
  }

  @Override
  public StuckResult failStuck(JobId id, String error) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(error, "error");
    return Acts.onJob("fail stuck", id, core.submitter().call(new FailStuck(id, error)));
  }

  @Override
  public List<LeasedQueue> queueLeases() {
    return core.queueLeases().all();
  }

  @Override
  public boolean endQueueLease(QueueName queue) {
    return core.queueLeases().end(queue);
  }
}
