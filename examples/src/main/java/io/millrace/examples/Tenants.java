package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A worker for all tenants: each has its turn, however many jobs of another wait. */
final class Tenants implements Example {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch quiet = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(101);
    // region allTenants
    queues.enqueueAll(MAIL.tenant("busy"), Collections.nCopies(100, "newsletter"));
    queues.enqueue(MAIL.tenant("quiet"), "hello");

    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (mail, job) -> {
                  if (job.queue().tenant().equals("quiet")) {
                    log.accept(all.getCount() > 90 ? "served among the first" : "served late");
                    quiet.countDown();
                  }
                  all.countDown();
                })
            .allTenants()
            .concurrency(1)
            .start();
    // endregion
    quiet.await();
    all.await();
    worker.close();
  }
}
