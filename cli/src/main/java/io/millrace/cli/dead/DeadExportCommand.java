package io.millrace.cli.dead;

import io.millrace.api.CorruptDataException;
import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.QueueName;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Damage;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.NewFile;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.JobJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes dead letters as JSON lines. */
@Command(
    name = "export",
    description =
        "Writes dead letters as JSON, one document on each line, whole: with headers, attempts,"
            + " times, the last error, and the payload in Base64. Nothing is changed.")
final class DeadExportCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();
  @Mixin private DeadFilterOptions filterOptions = new DeadFilterOptions();

  @Option(
      names = "--to",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "Write to this new file; without it to standard output.")
  private @Nullable Path file;

  private final Damage damage = new Damage();

  @Override
  public Integer call() {
    CommandLine command = command();
    Optional<QueueName> only = queueOption.queue(command);
    DeadFilter filter = filterOptions.filter(Instant.now());
    try (Target target = store.toRead(command)) {
      Iterator<Job> letters =
          damage.pages(
              QueueOption.existing(target, only),
              (queue, page) -> target.deadLetters(queue, filter, page));
      if (file == null) {
        export(target, letters, out());
      } else {
        exportTo(file, target, letters, out());
      }
    }
    return damage.tell(command.getErr());
  }

  private void exportTo(Path file, Target target, Iterator<Job> letters, PrintWriter told) {
    try (NewFile made = NewFile.create(file)) {
      long count = export(target, letters, made.out());
      made.finish();
      told.printf("exported %s%n", Amounts.count(count, "dead letter"));
      told.flush();
    }
  }

  private long export(Target target, Iterator<Job> letters, PrintWriter out) {
    long count = 0;
    while (letters.hasNext()) {
      Job listed = letters.next();
      Job letter = whole(target, listed);
      JsonLines.print(out, json -> JobJson.export(letter, json));
      if (out.checkError()) {
        throw new CannotException("cannot write: the output is closed, or has no room");
      }
      count++;
    }
    return count;
  }

  /**
   * Returns the job with its history, which a page does not have. A letter that is gone meanwhile
   * is returned as it was listed.
   */
  private Job whole(Target target, Job listed) {
    try {
      return target.get(listed.id()).orElse(listed);
    } catch (CorruptDataException e) {
      damage.add("history cannot be read: job=" + listed.id() + ": " + e.getMessage());
      return listed;
    }
  }
}
