package io.millrace.jmh;

import io.millrace.cli.Main;

/** The command line of Millrace with the benchmarks added to it. */
public final class BenchMain {

  private BenchMain() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(Main.commandLine(new BenchCommand()).execute(args));
  }
}
