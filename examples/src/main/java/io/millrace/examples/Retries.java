package io.millrace.examples;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** A job that fails is tried again, later each time; one that cannot succeed is not. */
final class Retries implements Example {

  private static final ResultJobType<String, String> FETCH =
      JobType.of("fetch", Codec.TEXT).returning(Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    // region retries
    Worker worker =
        Worker.on(queues)
            .compute(
                FETCH,
                (url, job) -> {
                  log.accept(url + ": attempt " + job.attempt());
                  if (!url.startsWith("https:")) {
                    throw new IllegalArgumentException("no address: " + url);
                  }
                  if (job.attempt() < 3) {
                    throw new IOException("connection refused");
                  }
                  return "<html>";
                },
                how ->
                    how.permanent(IllegalArgumentException.class)
                        .backoff(Backoff.list(Duration.ofMillis(10), Duration.ofSeconds(1))))
            .start();
    // endregion

    JobEnd<String> fetched = queues.submit(FETCH, "https://example.org").end().get();
    log.accept(fetched.toString());
    JobEnd<String> refused = queues.submit(FETCH, "example.org").end().get();
    log.accept(refused instanceof JobEnd.Died ? "dead at once" : refused.toString());
    worker.close();
  }
}
