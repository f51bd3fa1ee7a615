package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A worker that does not answer loses its job: the lease ends, another worker does the work, and
 * the first one's late answer changes nothing.
 */
final class ExpiredLease implements Example {

  private static final JobType<String> ORDER = JobType.of("order", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    queues.enqueue(ORDER, "17");
    Lease lost = queues.queue("order").claim("asleep", Duration.ofMillis(200)).orElseThrow();

    Worker worker =
        Worker.on(queues) // keeps the leases of what it runs by itself
            .handle(
                ORDER,
                (order, job) -> {
                  log.accept("attempt " + job.attempt() + ", " + job.lastError().orElseThrow());
                  log.accept("fenced: " + (job.token() > lost.token()));
                  log.accept("too late: " + lost.complete());
                  done.countDown();
                })
            .start();
    done.await();
    worker.close();
  }
}
