package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.StopReport;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A worker that stops lets jobs end, and hands back those that take too long. */
final class GracefulStop implements Example {

  private static final JobType<Long> VIDEO = JobType.of("video", Codec.LONG);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    Worker worker =
        Worker.on(queues)
            .handle(
                VIDEO,
                (millis, job) -> {
                  begun.countDown();
                  new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
                })
            .concurrency(2)
            .start();
    queues.enqueue(VIDEO, 300L);
    JobId endless = queues.enqueue(VIDEO, 3_600_000L).jobId();
    begun.await();

    // region stop
    StopReport report = worker.stop(Duration.ofSeconds(3));
    log.accept(report.toString()); // one ended in time, one was interrupted and handed back

    Job job = queues.get(endless).orElseThrow();
    log.accept(job.state() + " after " + job.attempts() + " attempts"); // as if it never began
    // endregion
  }
}
