package io.millrace.cli;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JobJson;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.Printable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
      description = "Show this job and its payload.")
  private @Nullable JobId jobId;

  private final List<String> corrupt = new ArrayList<>();

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
    return tellCorrupt(command.getErr());
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
                .map(
                    queue ->
                        new Pages<>(
                            request ->
                                unlessCorrupt(queue, () -> reader.peek(queue, wanted, request))
                                    .orElseGet(() -> new Page<>(List.of(), Optional.empty()))))
                .iterator());
    JobListing listing = new JobListing(out, Instant.now());
    if (json.isJson()) {
      listing.printJson(jobs, limitCount);
    } else {
      listing.printTable(jobs, limitCount);
    }
  }

  private void printQueues(Target reader, Optional<QueueName> only, PrintWriter out) {
    List<QueueStats> queues =
        QueueOption.existing(reader, only).stream()
            .flatMap(queue -> unlessCorrupt(queue, () -> reader.stats(queue)).stream())
            .flatMap(Optional::stream)
            .toList();
    if (json.isJson()) {
      queues.forEach(stats -> JsonLines.print(out, generator -> JobJson.write(stats, generator)));
    } else if (only.isPresent()) {
      new QueueListing(out).printOne(queues.get(0));
    } else {
      new QueueListing(out).printTable(queues);
    }
  }

  /** A queue with a corrupt row does not hide the others: it is told of at the end. */
  private <T> Optional<T> unlessCorrupt(QueueName queue, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (CorruptDataException e) {
      corrupt.add("queue cannot be read: " + Printable.text(queue + ": " + e.getMessage()));
      return Optional.empty();
    }
  }

  private int tellCorrupt(PrintWriter err) {
    corrupt.forEach(finding -> err.println("millrace: " + finding));
    err.flush();
    return corrupt.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
