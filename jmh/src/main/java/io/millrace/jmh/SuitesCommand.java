package io.millrace.jmh;

import io.millrace.jmh.suite.Ratios;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.ProfilersFailedException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs the suites as JMH's own command line does, and adds the engine's part of its limits. */
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
    if (isToRun(words)) {
      return run(new CommandLineOptions(words));
    }
    Main.main(words);
    return 0;
  }

  /** Lists, help, and what is wrong with the arguments are JMH's to say. */
  private static boolean isToRun(String[] words) {
    try {
      CommandLineOptions options = new CommandLineOptions(words);
      return !options.shouldHelp()
          && !options.shouldList()
          && !options.shouldListWithParams()
          && !options.shouldListProfilers()
          && !options.shouldListResultFormats();
    } catch (CommandLineOptionException e) {
      return false;
    }
  }

  private int run(CommandLineOptions options) throws RunnerException {
    CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
    try {
      Ratios.of(new Runner(options).run()).print(commandLine.getOut());
      return 0;
    } catch (NoBenchmarksException e) {
      commandLine.getErr().println("no suite matches; bench suites -l lists them");
      return 1;
    } catch (ProfilersFailedException e) {
      commandLine.getErr().println(e.getMessage());
      return 1;
    }
  }
}
