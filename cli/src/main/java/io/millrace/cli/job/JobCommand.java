package io.millrace.cli.job;

import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.Help;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The commands for single jobs. */
@Command(
    name = "job",
    description = {
      "Cancels, releases, reschedules, redrives, updates or signals jobs, or fails those that wait",
      "in vain.",
      "Without a command it shows this help."
    },
    subcommands = {
      JobCancelCommand.class,
      JobReleaseCommand.class,
      JobRescheduleCommand.class,
      JobRedriveCommand.class,
      JobUpdateCommand.class,
      JobSignalCommand.class,
      JobFailStuckCommand.class
    })
public final class JobCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    return Help.show(spec);
  }
}
