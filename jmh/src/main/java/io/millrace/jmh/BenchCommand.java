package io.millrace.jmh;

import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.text.JsonLines;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.LoadRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.Workload;
import io.millrace.spi.StoreFactory;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that puts a store under load and tells how it compares with what the disk allows. */
@Command(
    name = "bench",
    subcommands = {
      TableCommand.class,
      GrowthCommand.class,
      BesideCommand.class,
      ServersCommand.class,
      PickCommand.class,
      SuitesCommand.class
    },
    description = {
      "Puts the engine under load on one store and measures it, in turns with the same bytes"
          + " written to the bare store and with a plain log that has the same callers.",
      "Exit code 1 says that a job was lost or done twice."
    })
final class BenchCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private LoadArguments arguments = new LoadArguments();
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "WORKLOAD",
      description = {
        "enqueue: producers alone.",
        "cycle: enqueue, claim, complete on a short queue.",
        "backlog: cycle with --backlog ready jobs in front.",
        "delayed: jobs due after 100 ms, beside --backlog far-off ones.",
        "soak: priorities, delays and failures mixed, then a check of the store."
      })
  private @Nullable Workload workload;

  @Option(names = "--json", description = "Write one JSON object for each run.")
  private boolean isJson;

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    // Picocli would ask for a required one beside a subcommand, too.
    Workload chosen =
        Optional.ofNullable(workload)
            .orElseThrow(
                () ->
                    new ParameterException(
                        command.commandLine(), "missing required parameter: 'WORKLOAD'"));
    PrintWriter out = command.commandLine().getOut();
    Progress progress = Given.progress(command);
    LoadOptions options = Given.checked(command, () -> arguments.options(chosen));
    StoreFactory factory = Stores.named(options.store(), command);
    progress.begin("%s %s".formatted(options.store(), chosen.label()));
    LoadResult result;
    try {
      result = new LoadRun(options, factory, progress).run();
    } finally {
      progress.end();
    }
    if (isJson) {
      JsonLines.print(out, json -> LoadJson.write(result, json));
    } else {
      LoadText.print(result, out);
    }
    out.flush();
    return result.isGood() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
