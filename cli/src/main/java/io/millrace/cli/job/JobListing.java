package io.millrace.cli.job;

import io.millrace.api.Job;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.JobJson;
import io.millrace.console.text.Printable;
import io.millrace.describe.Kind;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;

/** Shows jobs, one on a line. */
public final class JobListing {

  private static final int PAYLOAD_LENGTH_MAX = 48;
  private static final int ERROR_LENGTH_MAX = 60;

  private final PrintWriter out;
  private final Instant now;

  public JobListing(PrintWriter out, Instant now) {
    this.out = out;
    this.now = now;
  }

  /** Shows jobs: for programs as JSON, one document each; for people as a table. */
  public void print(Iterator<Job> jobs, long limit, boolean isJson) {
    if (isJson) {
      printJson(jobs, limit);
    } else {
      printTable(jobs, limit);
    }
  }

  /** Shows jobs as a table; with a last line if there are more than the limit. */
  void printTable(Iterator<Job> jobs, long limit) {
    TextTable table =
        new TextTable()
            .column("ID", Align.LEFT)
            .column("QUEUE", Align.LEFT)
            .column("PRIORITY", Align.RIGHT)
            .column("ATTEMPTS", Align.RIGHT)
            .column("AGE", Align.RIGHT)
            .column("STATE", Align.LEFT)
            .column("LAST ERROR", Align.LEFT)
            .column("PAYLOAD", Align.LEFT);
    for (long i = 0; i < limit && jobs.hasNext(); i++) {
      table.row(cells(jobs.next()));
    }
    if (table.isEmpty()) {
      out.println("no jobs");
      return;
    }
    table.print(out);
    if (jobs.hasNext()) {
      out.println("There are more: --limit 0 shows all.");
    }
  }

  private void printJson(Iterator<Job> jobs, long limit) {
    for (long i = 0; i < limit && jobs.hasNext(); i++) {
      Job job = jobs.next();
      JsonLines.print(out, json -> JobJson.write(job, json));
    }
  }

  private List<String> cells(Job job) {
    return List.of(
        job.id().toString(),
        job.queue().toString(),
        Integer.toString(job.priority()),
        job.attempts() + "/" + job.maxAttempts(),
        Amounts.duration(age(job.enqueuedAt())),
        state(job),
        job.lastError().map(error -> Printable.text(error, ERROR_LENGTH_MAX)).orElse(""),
        Printable.payload(job.payload(), PAYLOAD_LENGTH_MAX));
  }

  private String state(Job job) {
    return switch (job.state()) {
      case DELAYED ->
          "delayed for "
              + Amounts.duration(
                  job.visibleAt()
                      .map(at -> atLeastZero(Duration.between(now, at)))
                      .orElse(Duration.ZERO));
      case LEASED -> "leased" + job.lease().map(JobListing::holder).orElse("");
      case BLOCKED ->
          "blocked"
              + job.concurrencyKey().map(key -> " by key " + Printable.text(key, 32)).orElse("")
              + job.engineConcurrencyKey()
                  .map(key -> " by key " + Printable.text(key, 32) + " of the engine")
                  .orElse("");
      case WAITING ->
          "waiting"
              + job.signalWait().map(wait -> " for " + Printable.text(wait.signal(), 32)).orElse("")
              + job.waitsForBatch().map(batch -> " for batch " + batch).orElse("");
      case DEAD -> "dead" + job.diedAt().map(at -> " for " + Amounts.duration(age(at))).orElse("");
      default -> Kind.word(job.state());
    };
  }

  private static String holder(Job.Running lease) {
    String mark = lease.cancelRequested() ? ", cancel requested" : "";
    return " by " + Printable.text(lease.worker(), 32) + mark;
  }

  private Duration age(Instant since) {
    return atLeastZero(Duration.between(since, now));
  }

  private static Duration atLeastZero(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
