package io.millrace.jmh;

import io.millrace.api.Durability;
import io.millrace.cli.CommonOptions;
import io.millrace.cli.ExitCode;
import io.millrace.cli.PathConverter;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures one row of docs/benchmarks.md after the other. */
@Command(
    name = "table",
    description = {
      "Measures the rows of the table in docs/benchmarks.md on one store, one after the other.",
      "Exit code 1 says that a job was lost or done twice."
    })
final class TableCommand implements Callable<Integer> {

  private static final List<String> SPECIAL_ROWS = List.of("wake", "idle", "open");

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "KIND",
      defaultValue = "lmdb",
      description = "Kind of store (default: ${DEFAULT-VALUE}).")
  private String store = "lmdb";

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      defaultValue = "synced",
      description = "What a call waits for: synced (default) or buffered.")
  private Durability durability = Durability.SYNCED;

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

  @Option(
      names = "--rows",
      paramLabel = "REGEX",
      converter = RegexConverter.class,
      defaultValue = ".*",
      description = "Only the rows whose name matches.")
  private Pattern rows = Pattern.compile(".*");

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      converter = PathConverter.class,
      defaultValue = "millrace-bench",
      description = "Where files are written and removed again (default: ${DEFAULT-VALUE}).")
  private Path dir = Path.of("millrace-bench");

  @Option(names = "--json", description = "Write one JSON object for each row.")
  private boolean isJson;

  private boolean isGood = true;

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    StoreFactory factory = Stores.named(store, command);
    PrintWriter out = command.commandLine().getOut();
    Progress progress = Given.progress(command);
    Duration length = Given.checked(command, () -> Given.length(seconds, TableRows.ROUND_COUNT));
    TableRows all =
        Given.checked(
            command,
            () ->
                new TableRows(store, durability, length, new TableRows.Many(backlog, passed), dir));
    checkRows(command, all);
    RunFolder.create(dir).close();
    TablePrinter printer = new TablePrinter(out, isJson);
    printer.begin(store, durability);
    for (TableRows.Row row : all.loads()) {
      if (rows.matcher(row.name()).find()) {
        progress.begin(row.name());
        LoadResult result = new LoadRun(row.options(), factory, progress).run();
        progress.end();
        printer.load(row.name(), result);
        isGood &= result.isGood();
      }
    }
    for (TableRows.Pair pair : all.pairs()) {
      if (rows.matcher(pair.name()).find()) {
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

  /** A table without rows is nobody's wish. */
  private void checkRows(CommandSpec command, TableRows all) {
    List<String> names = new ArrayList<>();
    all.loads().forEach(row -> names.add(row.name()));
    all.pairs().forEach(pair -> names.add(pair.name()));
    names.addAll(SPECIAL_ROWS);
    if (names.stream().noneMatch(name -> rows.matcher(name).find())) {
      throw new ParameterException(
          command.commandLine(),
          "--rows matches none: '%s'; there are %s".formatted(rows, String.join(", ", names)));
    }
  }

  private void special(StoreFactory factory, TablePrinter printer) {
    if (rows.matcher("wake").find()) {
      int count = (int) Math.max(10, seconds * 200);
      for (WakeRun.Waiter waiter : WakeRun.Waiter.values()) {
        if (!waiter.isVirtual() || VirtualThreads.areThere()) {
          printer.wake(WakeRun.run(factory, dir, durability, count, waiter));
        }
      }
    }
    if (rows.matcher("idle").find()) {
      printer.idle(IdleRun.run(factory, dir, Duration.ofNanos((long) (seconds * 1e9))));
    }
    if (store.equals("memory")) {
      return; // it has nothing to open again
    }
    for (OpenRun.Ending ending : OpenRun.Ending.values()) {
      if (rows.matcher("open").find()) {
        printer.open(OpenRun.run(factory, dir, backlog, TableRows.PAYLOAD_BYTES, ending));
      }
    }
  }
}
