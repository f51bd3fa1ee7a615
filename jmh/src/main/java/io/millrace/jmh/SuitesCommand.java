package io.millrace.jmh;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.text.Reason;
import io.millrace.jmh.suite.Ratios;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * The command that runs the suites as JMH's own command line does, and adds the engine's part of
 * its limits.
 */
@Command(
    name = "suites",
    description = {
      "Runs the JMH suites; all arguments are JMH's own.",
      "For example: bench suites Cycle -p store=lmdb -p payloadBytes=64,4096 -prof gc; -h lists"
          + " JMH's options, -l the benchmarks."
    })
final class SuitesCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Unmatched private @Nullable List<String> arguments;

  @Override
  public Integer call() throws Exception {
    List<String> given = arguments;
    String[] words = given == null ? new String[0] : given.toArray(String[]::new);
    if (List.of(words).contains("--help")) {
      words = new String[] {"-h"}; // the one that JMH knows
    }
    CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
    CommandLineOptions options;
    try {
      options = new CommandLineOptions(words);
    } catch (CommandLineOptionException e) {
      throw new ParameterException(
          commandLine, "JMH does not take that: " + Reason.root(e) + "; -h lists its options", e);
    }
    if (isToRun(options)) {
      return run(options, commandLine);
    }
    Main.main(words);
    return ExitCode.OK;
  }

  /** Tells whether the options ask for a run: lists and help are JMH's to give. */
  private static boolean isToRun(CommandLineOptions options) {
    return !options.shouldHelp()
        && !options.shouldList()
        && !options.shouldListWithParams()
        && !options.shouldListProfilers()
        && !options.shouldListResultFormats();
  }

  private static int run(CommandLineOptions options, CommandLine commandLine) {
    try {
      Ratios.of(new Runner(options).run()).print(commandLine.getOut());
      return ExitCode.OK;
    } catch (NoBenchmarksException e) {
      throw new ParameterException(commandLine, "no suite matches; bench suites -l lists them", e);
    } catch (RunnerException e) {
      throw new CannotException("JMH cannot run that: " + Reason.root(e), e);
    }
  }
}
