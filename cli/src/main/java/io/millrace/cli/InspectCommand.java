package io.millrace.cli;

import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JobJson;
import io.millrace.cli.text.JsonLines;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks into a store: its queues, the jobs of a state, or one job. */
@Command(
    name = "inspect",
    description = {
      "Shows the queues of STORE, with --state the jobs in that state, with --job one job.",
      "Changes nothing. A store that a running engine has open is looked at with --pid."
    })
final class InspectCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Show the jobs in this state: ready, delayed, leased, blocked, waiting, dead or done.")
  private @Nullable JobState state;

  @Option(
      names = "--job",
      paramLabel = "ID",
      converter = JobIdConverter.class,
      description = "Show this job, its payload and its finished attempts.")
  private @Nullable JobId jobId;

  private final Damage damage = new Damage();

  @Mixin private LimitOption limit = new LimitOption();
  @Mixin private JsonOption json = new JsonOption();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    PrintWriter out = command.getOut();
    Optional<QueueName> queue = queueOption.queue(command);
    long limitCount = limit.limit(command);
    if (jobId != null && (state != null || queue.isPresent())) {
      throw new ParameterException(command, "--job goes with neither --queue nor --state");
    }
    try (Target reader = store.toRead(command)) {
      if (jobId != null) {
        printJob(reader, jobId, out);
      } else if (state != null) {
        printJobs(reader, QueueOption.existing(reader, queue), state, limitCount, out);
      } else {
        printQueues(reader, queue, out);
      }
    }
    out.flush();
    return damage.tell(command.getErr());
  }

  private void printJob(Target reader, JobId id, PrintWriter out) {
    Job job =
        reader
            .get(id)
            .orElseThrow(() -> new CannotException("no such job, it may be completed: job=" + id));
    if (json.isJson()) {
      JsonLines.print(out, generator -> JobJson.write(job, generator));
    } else {
      new JobDetails(out).print(job);
    }
  }

  private void printJobs(
      Target reader, List<QueueName> queues, JobState wanted, long limitCount, PrintWriter out) {
    Iterator<Job> jobs =
        new Concatenation<>(
            queues.stream()
                .map(queue -> damage.pages(queue, request -> reader.peek(queue, wanted, request)))
                .iterator());
    JobListing listing = new JobListing(out, Instant.now());
    if (json.isJson()) {
      listing.printJson(jobs, limitCount);
    } else {
      listing.printTable(jobs, limitCount);
    }
  }

  private void printQueues(Target reader, Optional<QueueName> only, PrintWriter out) {
    List<QueueStats> queues = new ArrayList<>();
    List<QueueName> unreadable = new ArrayList<>();
    for (QueueName queue : QueueOption.existing(reader, only)) {
      Optional<Optional<QueueStats>> stats = damage.unlessCorrupt(queue, () -> reader.stats(queue));
      if (stats.isEmpty()) {
        unreadable.add(queue);
      } else {
        stats.get().ifPresent(queues::add);
      }
    }
    if (json.isJson()) {
      queues.forEach(stats -> JsonLines.print(out, generator -> JobJson.write(stats, generator)));
    } else if (only.isPresent() && !queues.isEmpty()) {
      new QueueListing(out).printOne(queues.get(0));
    } else {
      new QueueListing(out).printTable(queues, unreadable);
    }
  }
}
