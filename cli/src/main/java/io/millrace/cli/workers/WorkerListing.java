package io.millrace.cli.workers;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.cli.option.WorkerOptions;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Printable;
import io.millrace.worker.WorkerDescriptions;
import io.millrace.worker.management.RunningJobStatus;
import io.millrace.worker.management.WorkerMBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows workers and the jobs that they run. */
final class WorkerListing {

  private static final int TEXT_LENGTH_MAX = 60;

  private final PrintWriter out;
  private final Instant now;
  private final List<Seen> all = new ArrayList<>();

  /** A worker as it was when asked. */
  private record Seen(
      LiveWorker worker, LiveWorker.Status status, List<RunningJobStatus> running) {}

  WorkerListing(PrintWriter out, Instant now) {
    this.out = out;
    this.now = now;
  }

  /** Asks the worker for its state and its jobs. */
  void add(LiveWorker worker, int stackLength) {
    all.add(new Seen(worker, worker.status(), worker.running(stackLength)));
  }

  /** Prints the workers, below them their jobs, and below these their stacks. */
  void printTables() {
    TextTable workers =
        new TextTable()
            .column("WORKER", Align.LEFT)
            .column("STATE", Align.LEFT)
            .column("CONCURRENCY", Align.RIGHT)
            .column("BUSY", Align.RIGHT)
            .column("JOBS", Align.RIGHT);
    TextTable jobs =
        new TextTable()
            .column("WORKER", Align.LEFT)
            .column("JOB", Align.LEFT)
            .column("QUEUE", Align.LEFT)
            .column("TYPE", Align.LEFT)
            .column("ATTEMPT", Align.RIGHT)
            .column("FOR", Align.RIGHT)
            .column("PROGRESS", Align.RIGHT)
            .column("THREAD", Align.LEFT)
            .column("TEXT", Align.LEFT);
    for (Seen seen : all) {
      workers.row(cells(seen));
      seen.running.forEach(job -> jobs.row(cells(seen.worker, job)));
    }
    workers.print(out);
    if (!jobs.isEmpty()) {
      out.println();
      jobs.print(out);
    }
    all.forEach(this::tellMore);
    all.forEach(seen -> seen.running.forEach(this::printStack));
  }

  private static List<String> cells(Seen seen) {
    return List.of(
        seen.worker.label(),
        seen.status.state(),
        Amounts.count(seen.status.concurrency()),
        Amounts.count(seen.status.busy()),
        Amounts.count(seen.status.jobCount()));
  }

  private List<String> cells(LiveWorker worker, RunningJobStatus job) {
    Duration age = Duration.between(job.since(), now);
    return List.of(
        worker.label(),
        job.jobId().toString(),
        job.queue().toString(),
        job.type(),
        Integer.toString(job.attempt()),
        Amounts.duration(age.isNegative() ? Duration.ZERO : age),
        (int) (100 * job.progress()) + " %",
        job.thread(),
        Printable.text(job.text(), TEXT_LENGTH_MAX));
  }

  /** Prints how many further jobs a worker runs: it lists only so many. */
  private void tellMore(Seen seen) {
    int rest = seen.status.jobCount() - seen.running.size();
    if (rest > 0 && seen.running.size() >= WorkerMBean.RUNNING_COUNT_MAX) {
      out.printf("%s runs %s more.%n", WorkerOptions.label(seen.worker), Amounts.count(rest));
    }
  }

  private void printStack(RunningJobStatus job) {
    if (!job.stack().isEmpty()) {
      out.printf("%n%s on %s:%n", job.jobId(), Printable.text(job.thread()));
      job.stack().forEach(call -> out.printf("  at %s%n", Printable.text(call)));
    }
  }

  /** Prints the workers, one document each. */
  void printJson() {
    all.forEach(seen -> JsonLines.printObject(out, json -> write(seen, json)));
  }

  private static void write(Seen seen, JsonGenerator json) throws IOException {
    json.writeStringField("worker", seen.worker.name());
    json.writeNumberField("instance", seen.worker.instance());
    json.writeStringField("state", seen.status.state());
    json.writeNumberField("concurrency", seen.status.concurrency());
    json.writeNumberField("busy", seen.status.busy());
    json.writeNumberField("jobs", seen.status.jobCount());
    json.writeArrayFieldStart("running");
    for (RunningJobStatus job : seen.running) {
      DescribedJson.write(WorkerDescriptions.RUNNING_JOB, job, json);
    }
    json.writeEndArray();
  }
}
