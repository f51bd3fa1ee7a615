package io.millrace.jmh;

import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.jmh.load.IdleRun;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.LoadRun;
import io.millrace.jmh.load.OpenRun;
import io.millrace.jmh.load.PairRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.RunFolder;
import io.millrace.jmh.load.VirtualThreads;
import io.millrace.jmh.load.WakeRun;
import io.millrace.spi.StoreFactory;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that measures the rows of docs/benchmarks.md, one after the other. */
@Command(
    name = "table",
    description = {
      "Measures the rows of the table in docs/benchmarks.md on one store, one after the other.",
      "Exit code 1 says that a job was lost or done twice."
    })
final class TableCommand implements Callable<Integer> {

  private static final List<String> SPECIAL_ROWS = List.of("wake", "idle", "open");

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreArguments on = new StoreArguments();
  @Mixin private RowArguments rows = new RowArguments();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long to measure the engine in each row (default: ${DEFAULT-VALUE}).")
  private double seconds = 10;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "How many jobs wait in the rows with many waiting ones (default: ${DEFAULT-VALUE}).")
  private int backlog = 1_000_000;

  @Option(
      names = "--passed",
      paramLabel = "N",
      defaultValue = "50000000",
      description =
          "How many jobs pass through a queue in the row passed (default: ${DEFAULT-VALUE}).")
  private long passed = 50_000_000;

  private boolean isGood = true;

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    StoreFactory factory = Stores.named(on.store, command);
    PrintWriter out = command.commandLine().getOut();
    Progress progress = Given.progress(command);
    Duration length = Given.checked(command, () -> Given.length(seconds, TableRows.ROUND_COUNT));
    TableRows all =
        Given.checked(
            command,
            () ->
                new TableRows(
                    on.store,
                    on.durability,
                    length,
                    new TableRows.Many(backlog, passed),
                    rows.dir));
    checkRows(command, all);
    RunFolder.create(rows.dir).close();
    TablePrinter printer = new TablePrinter(out, rows.isJson);
    printer.begin(on.store, on.durability);
    for (TableRows.Row row : all.loads()) {
      if (rows.isWanted(row.name())) {
        progress.begin(row.name());
        LoadResult result = new LoadRun(row.options(), factory, progress).run();
        progress.end();
        printer.load(row.name(), result);
        isGood &= result.isGood();
      }
    }
    for (TableRows.Pair pair : all.pairs()) {
      if (rows.isWanted(pair.name())) {
        progress.begin(pair.name());
        PairRun.Result result =
            new PairRun(pair.burdened(), pair.light(), pair.passedCount(), factory, progress).run();
        progress.end();
        printer.pair(pair, result);
        isGood &= result.findings().isEmpty();
      }
    }
    special(factory, printer);
    out.flush();
    return isGood ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void checkRows(CommandSpec command, TableRows all) {
    List<String> names = new ArrayList<>();
    all.loads().forEach(row -> names.add(row.name()));
    all.pairs().forEach(pair -> names.add(pair.name()));
    names.addAll(SPECIAL_ROWS);
    rows.requireRow(command, names);
  }

  private void special(StoreFactory factory, TablePrinter printer) {
    if (rows.isWanted("wake")) {
      int count = (int) Math.max(10, seconds * 200);
      for (WakeRun.Waiter waiter : WakeRun.Waiter.values()) {
        if (!waiter.isVirtual() || VirtualThreads.areThere()) {
          printer.wake(WakeRun.run(factory, rows.dir, on.durability, count, waiter));
        }
      }
    }
    if (rows.isWanted("idle")) {
      printer.idle(IdleRun.run(factory, rows.dir, Duration.ofNanos((long) (seconds * 1e9))));
    }
    if (on.store.equals("memory")) {
      return; // it has nothing to open again
    }
    for (OpenRun.Ending ending : OpenRun.Ending.values()) {
      if (rows.isWanted("open")) {
        printer.open(OpenRun.run(factory, rows.dir, backlog, TableRows.PAYLOAD_BYTES, ending));
      }
    }
  }
}
