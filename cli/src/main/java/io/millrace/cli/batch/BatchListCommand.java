package io.millrace.cli.batch;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.LimitOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.Target;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists batches. */
@Command(
    name = "list",
    description = {
      "Lists batches in the order in which they were begun. Changes nothing.",
      "Those that run are known only of a running engine, with --pid."
    })
final class BatchListCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private LimitOption limit = new LimitOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    long limitCount = limit.limit(command());
    try (Target target = store.toRead(command())) {
      new BatchListing(out(), json.isJson())
          .print(new Pages<>(target::batches), limitCount, Instant.now());
    }
    out().flush();
    return ExitCode.OK;
  }
}
