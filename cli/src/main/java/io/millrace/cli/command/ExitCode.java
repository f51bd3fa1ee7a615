package io.millrace.cli.command;

/** Exit codes, the same for all commands. */
public final class ExitCode {

  public static final int OK = 0;

  /** The command did its work and found something wrong. */
  public static final int FINDINGS = 1;

  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;

  /** The command cannot be carried out: the message says why. */
  public static final int CANNOT = 3;

  private ExitCode() {}
}
