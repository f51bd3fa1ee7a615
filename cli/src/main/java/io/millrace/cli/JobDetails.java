package io.millrace.cli;

import io.millrace.api.Job;
import io.millrace.cli.text.JobJson;
import io.millrace.cli.text.Printable;
import java.io.PrintWriter;

/** Shows everything about one job. */
final class JobDetails {

  private static final int PAYLOAD_LENGTH_MAX = 4_096;

  private final PrintWriter out;

  JobDetails(PrintWriter out) {
    this.out = out;
  }

  void print(Job job) {
    line("job", job.id().toString());
    line("queue", job.queue().toString());
    line("type", job.type());
    line("state", JobJson.word(job.state()));
    line("priority", Integer.toString(job.priority()));
    line("weight", Integer.toString(job.weight()));
    line("attempts", job.attempts() + " of " + job.maxAttempts());
    line("backoff", BackoffText.of(job.backoff()));
    line("enqueued", job.enqueuedAt().toString());
    job.visibleAt().ifPresent(at -> line("visible", at.toString()));
    job.diedAt().ifPresent(at -> line("died", at.toString()));
    job.lastError().ifPresent(error -> line("last error", error));
    job.lease()
        .ifPresent(
            lease ->
                line(
                    "lease",
                    "%s since %s, token %d%s"
                        .formatted(
                            lease.worker(),
                            lease.startedAt(),
                            lease.token(),
                            lease.cancelRequested() ? ", cancel requested" : "")));
    job.headers().forEach((name, value) -> line("header", name + ": " + value));
    line("payload", content(job.payload()));
    job.checkpointed().ifPresent(state -> line("checkpoint", content(state)));
  }

  private static String content(byte[] bytes) {
    return "%,d bytes: %s".formatted(bytes.length, Printable.payload(bytes, PAYLOAD_LENGTH_MAX));
  }

  private void line(String label, String value) {
    out.printf("%-11s %s%n", label, Printable.text(value));
  }
}
