package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A long job that goes on where it was, whenever its process dies: kill this with {@code kill -9},
 * and start it again.
 */
final class Resume implements Example {

  private static final JobType<Long> COUNT = JobType.of("count", Codec.LONG);
  private static final long STEP_MILLIS = 100;

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    // region resume
    Worker worker =
        Worker.on(queues)
            .handle(
                COUNT,
                (last, job) -> {
                  long done = job.checkpointed(Codec.LONG).orElse(0L);
                  log.accept("attempt " + job.attempt() + " begins after " + done);
                  while (done < last) {
                    count();
                    job.checkpoint(Codec.LONG, ++done); // the next attempt begins here
                    job.progress((double) done / last, "counting");
                    log.accept("counted to " + done);
                  }
                })
            .start();

    var count = queues.enqueue(COUNT, 50L, once -> once.unique("the only one"));
    // endregion
    JobEnd<byte[]> end = queues.await(count.jobId()).get();
    log.accept(end.getClass().getSimpleName());
    worker.close();
  }

  private static void count() throws InterruptedException {
    new CountDownLatch(1).await(STEP_MILLIS, TimeUnit.MILLISECONDS);
  }
}
