package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.api.Table;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Next;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/** The snippets of docs/workers.md that are not in the other examples. */
final class WorkersGuide {

  static final JobType<String> MAIL =
      JobType.of("mail", Codec.TEXT).defaults(options -> options.maxAttempts(20));
  static final ResultJobType<String, Long> COUNT =
      JobType.of("count", Codec.TEXT).returning(Codec.LONG);
  static final ResultJobType<String, Long> SALE =
      JobType.of("sale", Codec.TEXT).returning(Codec.LONG);
  static final JobType<String> ORDER = JobType.of("order", Codec.TEXT);
  static final JobType<String> INVOICE = JobType.of("invoice", Codec.TEXT);

  /** Sends mails. */
  interface Mailer {
    void send(String mail) throws IOException;
  }

  private WorkersGuide() {}

  static Worker worker(JobQueues queues, Mailer mailer) {
    // region worker
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (mail, job) -> mailer.send(mail),
                how -> how.concurrency(4).timeout(Duration.ofMinutes(1)))
            .compute(COUNT, (text, job) -> (long) text.length())
            .concurrency(16)
            .start();
    // endregion
    return worker;
  }

  static Worker steps(JobQueues queues, Consumer<String> log) {
    return Worker.on(queues)
        // region next
        .steps(
            ORDER,
            (order, job) -> {
              if (job.hasTimedOut("paid")) {
                return Next.dead("nobody paid for " + order);
              }
              return job.signalled("paid").isPresent()
                  ? Next.then(INVOICE, order) // completed, and the invoice enqueued, in one commit
                  : Next.waitFor("paid", Duration.ofDays(14)); // holds no thread meanwhile
            })
        // endregion
        .handle(INVOICE, (order, job) -> log.accept("invoice for " + order))
        .start();
  }

  static Worker effects(JobQueues queues, Table<String, Long> sold) {
    return Worker.on(queues)
        // region done-with
        .steps(
            SALE,
            (item, job) ->
                Next.doneWith(
                    SALE,
                    tx -> {
                      long count = tx.get(sold, item).orElse(0L) + 1;
                      tx.put(sold, item, count);
                      return count; // the job's result, in the commit that counts
                    }))
        // endregion
        .start();
  }

  static Worker around(JobQueues queues, Consumer<String> log) {
    ConcurrentHashMap<String, Long> counts = new ConcurrentHashMap<>();
    return Worker.on(queues)
        .handle(MAIL, (mail, job) -> log.accept(mail))
        // region around
        .use(
            (job, rest) -> {
              Thread.currentThread().setName(job.type() + " " + job.jobId());
              rest.proceed();
            })
        .listener(
            new WorkerListener() {
              @Override
              public void ended(JobContext job, JobRunEnd end) {
                counts.merge(job.type() + " " + end.outcome(), 1L, Long::sum);
                log.accept(counts.toString());
              }
            })
        // endregion
        .start();
  }

  static Worker virtual(JobQueues queues, Mailer mailer, ExecutorService virtualThreads) {
    // region virtual
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (mail, job) -> mailer.send(mail))
            .executor(virtualThreads) // Executors.newVirtualThreadPerTaskExecutor()
            .concurrency(1_000)
            .start();
    // endregion
    return worker;
  }

  static void control(Worker worker, Consumer<String> log) {
    // region control
    worker.pause(); // what runs goes on
    worker.concurrency(32);
    worker.resume();
    worker.running().forEach(running -> log.accept(running.type() + " since " + running.since()));
    // endregion
  }
}
