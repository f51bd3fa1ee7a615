package io.millrace.cli.dead;

import io.millrace.cli.command.CommandGroup;
import picocli.CommandLine.Command;

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
public final class DeadCommand extends CommandGroup {}
