package io.millrace.jmh;

import io.millrace.api.Durability;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.Reason;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import io.millrace.jmh.load.Figures;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.pick.Point;
import io.millrace.jmh.pick.Recommendation;
import io.millrace.jmh.pick.Report;
import io.millrace.jmh.pick.Survey;
import io.millrace.jmh.pick.Wish;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that measures all stores and recommends one. */
@Command(
    name = "pick",
    description = {
      "Measures all stores on the class path for some minutes and recommends one of them for your"
          + " payloads, callers and durability, in words, a table and an HTML page with charts.",
      "Exit code 1 says that a store lost a job or gave it twice."
    })
final class PickCommand implements Callable<Integer> {

  /** The kinds of stores that keep nothing: measured for comparison only. */
  private static final Set<String> KEEPING_NOTHING = Set.of("memory");

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Length of your payloads (default: ${DEFAULT-VALUE}).")
  private int payload = 256;

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "Threads of yours that enqueue, and as many that complete (default: ${DEFAULT-VALUE}).")
  private int callers = 8;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      defaultValue = "synced",
      description = "What your calls wait for: synced (default) or buffered.")
  private Durability durability = Durability.SYNCED;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "1.5",
      description = "How long to measure each of about 12 places (default: ${DEFAULT-VALUE}).")
  private double seconds = 1.5;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = PathConverter.class,
      defaultValue = "millrace-pick.html",
      description = "Where the page goes (default: ${DEFAULT-VALUE}).")
  private Path html = Path.of("millrace-pick.html");

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      converter = PathConverter.class,
      defaultValue = "millrace-bench",
      description =
          "Where stores are written and removed again; on the disk that you will use (default:"
              + " ${DEFAULT-VALUE}).")
  private Path dir = Path.of("millrace-bench");

  @Option(names = "--json", description = "Write one JSON object for each measurement.")
  private boolean isJson;

  private final Surveyor surveyor;

  /** Something that measures the stores. */
  interface Surveyor {
    List<Point> survey(Wish wish, Duration length, Path folder, Progress progress);
  }

  /** Creates the command that measures all stores on the class path. */
  PickCommand() {
    this(
        (wish, length, folder, progress) ->
            new Survey(Stores.all(), wish, length, folder).run(progress));
  }

  /** Creates a command that tells what the surveyor has found. */
  PickCommand(Surveyor surveyor) {
    this.surveyor = surveyor;
  }

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    Wish wish = Given.checked(command, () -> new Wish(payload, callers, durability));
    Duration length = Given.checked(command, () -> Given.length(seconds, Survey.ROUND_COUNT));
    requireWritable();
    PrintWriter out = command.commandLine().getOut();
    Progress progress = Given.progress(command);
    List<Point> points;
    try {
      points = surveyor.survey(wish, length, dir, progress);
    } finally {
      progress.end();
    }
    Recommendation recommendation = Recommendation.of(wish, points, KEEPING_NOTHING);
    if (isJson) {
      points.forEach(point -> JsonLines.print(out, json -> LoadJson.write(point.cycle(), json)));
    } else {
      print(points, recommendation, out);
    }
    out.flush();
    writePage(wish, points, recommendation);
    if (!isJson) {
      out.println();
      out.println("Charts: " + html.toAbsolutePath());
      out.flush();
    }
    boolean isGood = points.stream().allMatch(point -> point.cycle().isGood());
    return isGood ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /**
   * Makes sure that the page can be written: minutes of measuring must not end in a page that has
   * nowhere to go.
   */
  private void requireWritable() {
    try {
      Report.requireWritable(html);
    } catch (IOException e) {
      throw new CannotException(
          "--html cannot be written: %s: %s; name another file, nothing was measured"
              .formatted(Printable.text(html.toString()), Reason.of(e)),
          e);
    }
  }

  private void writePage(Wish wish, List<Point> points, Recommendation recommendation) {
    try {
      Report.write(html, wish, points, recommendation);
    } catch (IOException e) {
      throw new CannotException(
          "--html could not be written: %s: %s; what was measured is above"
              .formatted(Printable.text(html.toString()), Reason.of(e)),
          e);
    }
  }

  private void print(List<Point> points, Recommendation recommendation, PrintWriter out) {
    TextTable table =
        new TextTable()
            .column("store", Align.LEFT)
            .column("payload", Align.RIGHT)
            .column("callers", Align.RIGHT)
            .column("jobs/s", Align.RIGHT)
            .column("spread", Align.RIGHT)
            .column("of plain log", Align.RIGHT)
            .column("enqueue p50 us", Align.RIGHT)
            .column("p99 us", Align.RIGHT)
            .column("B on disk", Align.RIGHT);
    for (Point point : points) {
      table.row(
          List.of(
              point.store(),
              Amounts.count(point.payloadBytes()),
              Amounts.count(point.callerCount()),
              Amounts.count(Math.round(point.jobsPerSecond())),
              Figures.percent(point.cycle().engine().spread()),
              Figures.ratio(point.cycle().floor().engineRatio()),
              Amounts.count(Math.round(point.cycle().latency().enqueue().p50Us())),
              Amounts.count(Math.round(point.cycle().latency().enqueue().p99Us())),
              point.diskBytesPerJob() == 0
                  ? ""
                  : Amounts.count(Math.round(point.diskBytesPerJob()))));
    }
    table.print(out);
    out.println();
    recommendation.sentences().forEach(out::println);
  }
}
