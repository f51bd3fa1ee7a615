package io.millrace.cli.command;

/** A command that only groups others: given alone it shows its help, and nothing is wrong. */
public abstract class CommandGroup extends MillraceCommand {

  @Override
  public Integer call() {
    command().usage(out());
    out().flush();
    return ExitCode.OK;
  }
}
