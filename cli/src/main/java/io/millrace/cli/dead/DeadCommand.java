package io.millrace.cli.dead;

import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.Help;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The commands for dead letters. */
@Command(
    name = "dead",
    description =
        "Lists, exports, redrives or deletes dead letters: jobs out of attempts, or failed for"
            + " good. Without a command it shows this help.",
    subcommands = {
      DeadListCommand.class,
      DeadExportCommand.class,
      DeadRedriveCommand.class,
      DeadDeleteCommand.class
    })
public final class DeadCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    return Help.show(spec);
  }
}
