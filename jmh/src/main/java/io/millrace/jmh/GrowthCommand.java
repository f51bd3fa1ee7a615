package io.millrace.jmh;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.text.Reason;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import io.millrace.jmh.growth.Charts;
import io.millrace.jmh.growth.Curve;
import io.millrace.jmh.growth.Curves;
import io.millrace.jmh.growth.LeftOut;
import io.millrace.jmh.growth.Measured;
import io.millrace.jmh.load.GrowthRun;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.RunFolder;
import io.millrace.jmh.load.TooFewThreadsException;
import io.millrace.options.Checks;
import io.millrace.spi.StoreFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that measures what costs grow with, as curves. */
@Command(
    name = "growth",
    description = {
      "Measures what jobs cost as more and more is in a store, or calls it: curves over waiting"
          + " jobs, queues, tenants, payloads, callers, concurrency keys, rows of tables, children"
          + " of a batch and callers on virtual threads.",
      "Each point has a store of its own, takes turns with the plain log that is written over, and"
          + " ends with the store closed, opened again and emptied.",
      "Exit code 1 says that a job was lost or done twice."
    })
final class GrowthCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreArguments on = new StoreArguments();
  @Mixin private RowArguments rows = new RowArguments();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "How long to measure the engine at each point (default: ${DEFAULT-VALUE}).")
  private double seconds = 2;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "In how many rounds it and the log take turns (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "20",
      description =
          "How long to run the first point before anything is measured (default:"
              + " ${DEFAULT-VALUE}).")
  private double warmUp = 20;

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "Leave out points of more than N, whatever it is that the curve counts.")
  private @Nullable Integer most;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      converter = PathConverter.class,
      description = "Write a chart of each curve there, as an SVG file.")
  private @Nullable Path charts;

  private boolean isGood = true;

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    StoreFactory factory = Stores.named(on.store, command);
    List<Curve> all = Given.checked(command, this::curves);
    rows.requireRow(command, all.stream().map(Curve::name).toList());
    List<Curve> wanted = all.stream().filter(curve -> rows.isWanted(curve.name())).toList();
    Curve.Step first = firstStep(command, wanted);
    Duration warming = Given.checked(command, () -> Given.warmUp(warmUp));
    Optional<Charts> drawn = Optional.ofNullable(charts).map(GrowthCommand::charts);
    RunFolder.create(rows.dir).close();
    Progress progress = Given.progress(command);
    GrowthPrinter printer = new GrowthPrinter(command.commandLine().getOut(), rows.isJson);
    printer.begin(on.store, on.durability);
    if (!warming.isZero()) {
      progress.begin("warming up");
      warmUp(first.options().with(new LoadOptions.Timing(warming, 1, 0)), factory, progress);
    }
    for (Curve curve : wanted) {
      for (Curve.Step step : curve.steps()) {
        progress.begin(curve.name() + " " + Amounts.count(step.amount()));
        measure(curve, step, new Tools(factory, progress, printer, drawn));
      }
      drawn.ifPresent(its -> draw(its, curve));
    }
    printer.end(Optional.ofNullable(charts));
    return isGood ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private List<Curve> curves() {
    Checks.inRange("--rounds", rounds, 1, LoadOptions.ROUND_COUNT_MAX);
    Integer limit = most;
    if (limit != null) {
      Checks.inRange("--most", limit, 1, LoadOptions.BACKLOG_COUNT_MAX);
    }
    LoadOptions.Timing timing = new LoadOptions.Timing(Given.length(seconds, rounds), rounds, 0);
    return Curves.all(new Curves.Setting(on.store, on.durability, timing, rows.dir));
  }

  /** Returns the first point to be measured, and refuses curves that have none. */
  private Curve.Step firstStep(CommandSpec command, List<Curve> wanted) {
    List<Curve.Step> steps = wanted.stream().flatMap(curve -> curve.steps().stream()).toList();
    return steps.stream()
        .filter(step -> reason(step).isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "all points of these curves are left out: "
                        + steps.stream()
                            .flatMap(step -> reason(step).stream())
                            .distinct()
                            .collect(Collectors.joining("; "))));
  }

  /** Returns why a point is to be left out; empty if it is not. */
  private Optional<String> reason(Curve.Step step) {
    Integer limit = most;
    return limit != null && step.amount() > limit
        ? Optional.of("beyond --most " + Amounts.count(limit))
        : step.missing();
  }

  /** Runs the load until its code is compiled, lest the first points be measured before. */
  private void warmUp(LoadOptions load, StoreFactory factory, Progress progress) {
    try {
      isGood &= new GrowthRun(load, factory, progress).run().isGood();
    } catch (TooFewThreadsException e) {
      // The first point, which has as many, says so.
    }
    progress.end();
  }

  /** The means to measure points, and to tell of them. */
  private record Tools(
      StoreFactory factory, Progress progress, GrowthPrinter printer, Optional<Charts> drawn) {

    void leaveOut(LeftOut point) {
      printer.leftOut(point);
      drawn.ifPresent(charts -> charts.add(point));
    }
  }

  private void measure(Curve curve, Curve.Step step, Tools tools) {
    Optional<String> reason = reason(step);
    if (reason.isPresent()) {
      tools.leaveOut(new LeftOut(curve, step.amount(), reason.get()));
      return;
    }
    GrowthRun.Result result;
    try {
      result = new GrowthRun(step.options(), tools.factory, tools.progress).run();
    } catch (TooFewThreadsException e) {
      tools.progress.end();
      tools.leaveOut(new LeftOut(curve, step.amount(), String.valueOf(e.getMessage())));
      return;
    }
    tools.progress.end();
    Measured point = new Measured(curve, step.amount(), result);
    tools.printer.point(point);
    tools.drawn.ifPresent(its -> its.add(point));
    isGood &= result.isGood();
  }

  /** Makes sure that charts can be written: an hour of measuring must not end without them. */
  private static Charts charts(Path folder) {
    try {
      return Charts.in(folder);
    } catch (IOException e) {
      throw new CannotException(
          "--charts cannot be written there: %s: %s; name another folder, nothing was measured"
              .formatted(Printable.text(folder.toString()), Reason.of(e)),
          e);
    }
  }

  private static void draw(Charts charts, Curve curve) {
    try {
      charts.write(curve);
    } catch (IOException e) {
      throw new CannotException(
          "a chart could not be written: %s; what was measured is above".formatted(Reason.of(e)),
          e);
    }
  }
}
