package io.millrace.cli.batch;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows one batch. */
@Command(
    name = "show",
    description = {
      "Shows how many jobs a batch has, and what became of them. Changes nothing.",
      "Its jobs are listed by 'millrace inspect --batch'."
    })
final class BatchShowCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private BatchOption batch = new BatchOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    try (Target target = store.toRead(command())) {
      new BatchListing(out(), json.isJson()).printOne(batch.in(target));
    }
    out().flush();
    return ExitCode.OK;
  }
}
