package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Jobs for later: they survive restarts, and may be put off, brought forward or called off. */
final class Delayed implements Example {

  private static final JobType<String> REMINDER = JobType.of("reminder", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(2);
    Worker worker =
        Worker.on(queues)
            .handle(
                REMINDER,
                (reminder, job) -> {
                  log.accept(reminder);
                  left.countDown();
                })
            .concurrency(1)
            .start();
    JobId tomorrow =
        queues.enqueue(REMINDER, "tomorrow", later -> later.delay(Duration.ofDays(1))).jobId();
    JobId never =
        queues.enqueue(REMINDER, "never", later -> later.delay(Duration.ofDays(1))).jobId();

    queues.reschedule(tomorrow, queues.now()).isDone(); // tomorrow is now
    queues.cancel(never).isDone();
    queues.enqueue(REMINDER, "in a moment", later -> later.delay(Duration.ofMillis(200)));
    left.await();
    worker.close();
  }
}
