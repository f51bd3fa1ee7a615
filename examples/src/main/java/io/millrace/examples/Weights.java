package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Heavy jobs take more of a worker than light ones: here a film takes three of four places. */
final class Weights implements Example {

  private static final JobType<String> PHOTO = JobType.of("photo", Codec.TEXT).queue("media");
  private static final JobType<String> FILM =
      JobType.of("film", Codec.TEXT).queue("media").defaults(options -> options.weight(3));
  private static final int EACH = 20;

  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final CountDownLatch full = new CountDownLatch(1);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(2 * EACH);
    // region weights
    Worker worker =
        Worker.on(queues)
            .handle(PHOTO, (photo, job) -> work(1, left))
            .handle(FILM, (film, job) -> work(3, left))
            .concurrency(4)
            .start();
    for (int i = 0; i < EACH; i++) {
      queues.enqueue(PHOTO, "photo " + i);
      queues.enqueue(FILM, "film " + i);
    }
    // endregion
    left.await();
    log.accept("at most " + most.get() + " at a time");
    worker.close();
  }

  private void work(int weight, CountDownLatch left) throws InterruptedException {
    int now = busy.addAndGet(weight);
    most.accumulateAndGet(now, Math::max);
    if (now >= 4) {
      full.countDown();
    }
    full.await(); // the first ones wait for each other
    busy.addAndGet(-weight);
    left.countDown();
  }
}
