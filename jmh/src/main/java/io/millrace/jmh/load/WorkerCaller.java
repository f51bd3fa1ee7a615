package io.millrace.jmh.load;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import io.millrace.worker.WorkerSetup;
import java.time.Duration;

/**
 * A caller that lets a worker run jobs until the round is over. Its handlers only note the jobs'
 * numbers.
 */
final class WorkerCaller implements Runnable {

  private static final JobType<byte[]> JOB = JobType.of(EngineTarget.QUEUE, Codec.BYTES);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final LoadOptions options;
  private final JobQueues queues;
  private final Traffic traffic;

  WorkerCaller(LoadOptions options, JobQueues queues, Traffic traffic) {
    this.options = options;
    this.queues = queues;
    this.traffic = traffic;
  }

  @Override
  public void run() {
    WorkerSetup setup =
        Worker.on(queues)
            .name("bench")
            .handle(JOB, (payload, job) -> traffic.ledger().completed(Payloads.number(payload)))
            .concurrency(options.callers().consumerCount())
            .listener(new Counting());
    if (options.workload() == Workload.VIRTUAL) {
      setup.executor(VirtualThreads.executor());
    }
    try (Worker worker = setup.start()) {
      traffic.awaitStop();
      worker.stop(GRACE);
    }
  }

  private final class Counting implements WorkerListener {
    @Override
    public void ended(JobContext job, JobRunEnd end) {
      if (end.outcome() == JobRunEnd.Outcome.COMPLETED) {
        traffic.completed();
      } else if (end.outcome() != JobRunEnd.Outcome.RELEASED) { // not begun when the round ended
        traffic.fail(
            new IllegalStateException(
                "a job was not completed: job=" + job.jobId() + ", outcome=" + end.outcome()));
      }
    }
  }
}
