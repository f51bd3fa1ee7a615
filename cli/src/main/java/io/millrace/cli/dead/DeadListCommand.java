package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.QueueName;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.job.JobListing;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.LimitOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Damage;
import io.millrace.cli.place.Target;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists dead letters. */
@Command(
    name = "list",
    description = "Lists dead letters with what they died of, the earliest death of a queue first.")
final class DeadListCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();
  @Mixin private DeadFilterOptions filterOptions = new DeadFilterOptions();
  @Mixin private LimitOption limit = new LimitOption();
  @Mixin private JsonOption json = new JsonOption();
  private final Damage damage = new Damage();

  @Override
  public Integer call() {
    CommandLine command = command();
    PrintWriter out = out();
    Optional<QueueName> only = queueOption.queue(command);
    long limitCount = limit.limit(command);
    Instant now = Instant.now();
    DeadFilter filter = filterOptions.filter(now);
    try (Target reader = store.toRead(command)) {
      Iterator<Job> jobs =
          damage.pages(
              QueueOption.existing(reader, only),
              (queue, page) -> reader.deadLetters(queue, filter, page));
      new JobListing(out, now).print(jobs, limitCount, json.isJson());
    }
    out.flush();
    return damage.tell(command.getErr());
  }
}
