package io.millrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What can be done with dead letters. */
@Command(
    name = "dead",
    description =
        "Lists, exports, redrives or deletes dead letters: jobs out of attempts, or failed for"
            + " good.",
    subcommands = {
      DeadListCommand.class,
      DeadExportCommand.class,
      DeadRedriveCommand.class,
      DeadDeleteCommand.class
    })
final class DeadCommand {

  @Mixin private CommonOptions common = new CommonOptions();
}
