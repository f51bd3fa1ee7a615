package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A store with something on each page of the console.
 *
 * @param jobs a job in each state
 */
record AllKinds(Map<JobState, JobId> jobs, BatchId batch) {

  private static final String ERROR =
      "java.net.ConnectException: Connection refused\n"
          + "\tat org.example.mail.Mailer.send(Mailer.java)";

  static AllKinds of(Shown shown) {
    Map<JobState, JobId> jobs = new EnumMap<>(JobState.class);
    EnqueueOptions options = EnqueueOptions.DEFAULT.header("trace", "4bf92f3577b34da6");
    jobs.put(JobState.READY, shown.enqueue("mail", "{\"to\": \"ada@example.org\"}", options));
    jobs.put(JobState.DELAYED, shown.enqueue("invoices", "x", options.delay(Duration.ofHours(1))));
    shown.engine.queue("thumbnails").configure(settings -> settings.perKey(1));
    EnqueueOptions ofCustomer = options.concurrencyKey("customer-7");
    shown.enqueue("thumbnails", "{\"picture\": 1}", ofCustomer);
    Lease lease = shown.claim("thumbnails");
    lease.extend(Shown.LEASE).orThrow(); // so that it is stored, and seen
    jobs.put(JobState.LEASED, lease.jobId());
    jobs.put(JobState.BLOCKED, shown.enqueue("thumbnails", "{\"picture\": 2}", ofCustomer));
    jobs.put(JobState.WAITING, shown.enqueue("orders", "{\"order\": 4711}"));
    shown.claim("orders").waitFor("approval").orThrow();
    jobs.put(JobState.DONE, done(shown));
    jobs.put(JobState.DEAD, dead(shown));
    shown.engine.table("customers", Codec.TEXT, Codec.TEXT).put("ada", "Ada Lovelace");
    Schedules.of(shown.engine)
        .put(
            Schedule.cron("nightly report", "0 3 * * *", ZoneOffset.UTC)
                .enqueue(JobType.of("reports", Codec.TEXT), "all"));
    BatchId batch =
        Batch.of("import of May")
            .add(new QueueName("rows", "acme"), NewJob.of(new byte[] {1}))
            .add(new QueueName("rows", "acme"), NewJob.of(new byte[] {2}))
            .start(shown.engine);
    return new AllKinds(jobs, batch);
  }

  private static JobId done(Shown shown) {
    JobId job =
        shown.enqueue("sums", "1 + 2", EnqueueOptions.DEFAULT.resultRetention(Duration.ofDays(1)));
    shown.claim("sums").complete("3".getBytes(UTF_8)).orThrow();
    return job;
  }

  private static JobId dead(Shown shown) {
    JobId job = shown.enqueue("webhooks", "{\"url\": \"https://example.org/hook\"}");
    for (FailOptions how : List.of(FailOptions.RETRY.delay(Duration.ZERO), FailOptions.PERMANENT)) {
      shown.claim("webhooks").fail(ERROR, how).orThrow();
    }
    return job;
  }
}
