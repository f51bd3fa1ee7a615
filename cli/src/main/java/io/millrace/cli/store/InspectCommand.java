package io.millrace.cli.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.job.JobDetails;
import io.millrace.cli.job.JobFilterOptions;
import io.millrace.cli.job.JobListing;
import io.millrace.cli.option.JobIdConverter;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.LimitOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Damage;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.Target;
import io.millrace.cli.queue.QueueListing;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.JobJson;
import io.millrace.describe.Descriptions;
import io.millrace.tables.ReservedTables;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Looks into a store: its queues, the jobs of a state, or one job. */
@Command(
    name = "inspect",
    description = {
      "Shows the queues of STORE, with --jobs their jobs, with a condition on jobs those that meet"
          + " it, with --job one job, with --tables the tables, with --table the rows of one.",
      "Jobs must meet all conditions. --tenant without --queue means all queues of that tenant.",
      "Changes nothing. A store that a running engine has open is looked at with --pid."
    })
public final class InspectCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private JobFilterOptions filterOptions = new JobFilterOptions();

  @Option(
      names = "--job",
      paramLabel = "ID",
      converter = JobIdConverter.class,
      description = "Show this job, its payload and its finished attempts.")
  private @Nullable JobId jobId;

  @Option(names = "--jobs", description = "Show jobs, and not queues, also without a condition.")
  private boolean isOfJobs;

  @Option(names = "--tables", description = "Show the names of the tables.")
  private boolean isOfTables;

  @Option(names = "--table", paramLabel = "NAME", description = "Show the rows of this table.")
  private @Nullable String table;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Of --table, only rows whose keys begin with this, in UTF-8.")
  private String prefix = "";

  private final Damage damage = new Damage();

  @Mixin private LimitOption limit = new LimitOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    PrintWriter out = out();
    Optional<QueueName> queue = filterOptions.queue(command);
    JobFilter filter = filterOptions.filter(command);
    long limitCount = limit.limit(command);
    boolean isOfSeveral = isOfJobs || filterOptions.isGiven();
    if (jobId != null && isOfSeveral) {
      throw new ParameterException(
          command, "--job goes without --jobs and any condition on queues or jobs");
    }
    checkTable(command, jobId != null || isOfSeveral);
    try (Target reader = store.toRead(command)) {
      if (isOfTables || table != null) {
        printTables(reader, limitCount, out);
      } else if (jobId != null) {
        printJob(reader, jobId, out);
      } else if (isOfJobs || filterOptions.isOfJobs()) {
        printJobs(reader, queues(reader, queue, filter), filter, limitCount, out);
      } else {
        printQueues(reader, queue, filter, out);
      }
    }
    out.flush();
    return damage.tell(command.getErr());
  }

  private void checkTable(CommandLine command, boolean isOfOthers) {
    if ((isOfTables || table != null) && isOfOthers) {
      throw new ParameterException(
          command, "--tables and --table go without --job, --jobs and conditions on either");
    }
    if (table == null && !prefix.isEmpty()) {
      throw new ParameterException(command, "--prefix needs --table");
    }
    String name = table;
    if (name != null) {
      Checked.value(
          command, "--table is no name of a table: ", () -> ReservedTables.userName(name));
    }
  }

  private void printTables(Target reader, long limitCount, PrintWriter out) {
    TableListing listing = new TableListing(out, json.isJson());
    String name = table;
    if (name == null) {
      listing.printNames(new Pages<>(reader::tables), limitCount);
    } else {
      byte[] start = prefix.getBytes(UTF_8);
      listing.printRows(damage.rows(name, page -> reader.tableRows(name, start, page)), limitCount);
    }
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

  /** Returns the queues to show. A queue that was named must be there. */
  private static List<QueueName> queues(Target reader, Optional<QueueName> only, JobFilter filter) {
    return QueueOption.existing(reader, only).stream()
        .filter(queue -> filter.queueName().map(queue.name()::equals).orElse(true))
        .filter(queue -> filter.tenant().map(queue.tenant()::equals).orElse(true))
        .toList();
  }

  /** Prints jobs queue by queue, so that a damaged queue hides no other. */
  private void printJobs(
      Target reader, List<QueueName> queues, JobFilter filter, long limitCount, PrintWriter out) {
    Iterator<Job> jobs =
        damage.pages(queues, (queue, page) -> reader.list(filter.queue(queue), page));
    new JobListing(out, Instant.now()).print(jobs, limitCount, json.isJson());
  }

  private void printQueues(
      Target reader, Optional<QueueName> only, JobFilter filter, PrintWriter out) {
    List<QueueStats> queues = new ArrayList<>();
    List<QueueName> unreadable = new ArrayList<>();
    for (QueueName queue : queues(reader, only, filter)) {
      Optional<Optional<QueueStats>> stats = damage.unlessCorrupt(queue, () -> reader.stats(queue));
      if (stats.isEmpty()) {
        unreadable.add(queue);
      } else {
        stats.get().ifPresent(queues::add);
      }
    }
    if (json.isJson()) {
      queues.forEach(
          stats ->
              JsonLines.print(
                  out, generator -> DescribedJson.write(Descriptions.QUEUE, stats, generator)));
    } else if (only.isPresent() && !queues.isEmpty()) {
      new QueueListing(out).printOne(queues.get(0));
    } else {
      new QueueListing(out).printTable(queues, unreadable);
    }
  }
}
