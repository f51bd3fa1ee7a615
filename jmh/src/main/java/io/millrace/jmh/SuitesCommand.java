package io.millrace.jmh;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands its arguments on to JMH. */
@Command(
    name = "suites",
    description = {
      "Runs the JMH suites; all arguments are JMH's own.",
      "For example: bench suites Cycle -p store=lmdb -p payloadBytes=64,4096 -prof gc; -h lists"
          + " JMH's options, -l the benchmarks."
    })
final class SuitesCommand implements Callable<Integer> {

  @Unmatched private @Nullable List<String> arguments;

  @Override
  public Integer call() throws Exception {
    List<String> given = arguments;
    Main.main(given == null ? new String[0] : given.toArray(String[]::new));
    return 0;
  }
}
