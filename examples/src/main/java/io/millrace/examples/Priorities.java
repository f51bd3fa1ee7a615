package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The highest priority first; jobs of one priority in the order in which they came. */
final class Priorities implements Example {

  private static final JobType<String> TICKET = JobType.of("ticket", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(4);
    queues.enqueue(TICKET, "first question");
    queues.enqueue(TICKET, "second question");
    queues.enqueue(TICKET, "house on fire", options -> options.priority(100));
    queues.enqueue(TICKET, "spam", options -> options.priority(-100));

    Worker worker =
        Worker.on(queues)
            .handle(
                TICKET,
                (ticket, job) -> {
                  log.accept(ticket);
                  left.countDown();
                })
            .concurrency(1)
            .start();
    left.await();
    worker.close();
  }
}
