package io.millrace.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Options of every command: help, version, {@code --verbose}, and the meaning of the exit codes.
 */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, and nothing found wrong",
      "1:done, and something found wrong: damaged rows, a store that is not sound",
      "2:wrong command line; nothing was done",
      "3:cannot: store locked, damaged, full, not there"
    })
public final class CommonOptions {

  public static final String VERBOSE = "--verbose";

  /** The option {@link #VERBOSE}: an error is reported by whether it was matched. */
  @Option(names = VERBOSE, description = "With an error, show where it came from.")
  boolean isVerbose;
}
