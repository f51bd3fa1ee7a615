package io.millrace.jmh.growth;

import io.millrace.console.text.Amounts;
import io.millrace.jmh.growth.SvgChart.Dot;
import io.millrace.jmh.growth.SvgChart.Line;
import io.millrace.jmh.growth.SvgChart.Panel;
import io.millrace.jmh.load.GrowthRun.Kept;
import io.millrace.jmh.load.GrowthRun.Result;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The charts of curves, each a file of its own in one folder. */
public final class Charts {

  private static final double MEGABYTE = 1e6;

  private final Path folder;
  private final List<Measured> measured = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();

  private Charts(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder, if it is absent, and sees whether files can be written there.
   *
   * @throws IOException they cannot
   */
  public static Charts in(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.delete(Files.createTempFile(folder, "chart-", ".svg"));
    return new Charts(folder);
  }

  public void add(Measured point) {
    measured.add(point);
  }

  public void add(LeftOut point) {
    leftOut.add(point);
  }

  /**
   * Writes the chart of this curve and of those that share it, in place of any that is there. Does
   * nothing if none of their points was measured.
   *
   * @throws IOException it cannot be written
   */
  public void write(Curve curve) throws IOException {
    List<Measured> points =
        measured.stream().filter(point -> point.curve().chart().equals(curve.chart())).toList();
    if (!points.isEmpty()) {
      Files.writeString(
          folder.resolve(curve.chart() + ".svg"),
          SvgChart.text(content(curve, points, notes(curve))));
    }
  }

  private List<String> notes(Curve curve) {
    List<String> notes = new ArrayList<>(List.of(Machine.line(), curve.load()));
    leftOut.stream()
        .filter(point -> point.curve().chart().equals(curve.chart()))
        .collect(Collectors.groupingBy(LeftOut::reason))
        .entrySet()
        .stream()
        .map(
            entry ->
                "left out: %s: %s"
                    .formatted(
                        entry.getValue().stream()
                            .map(point -> Amounts.count(point.amount()))
                            .distinct()
                            .collect(Collectors.joining("; ")),
                        entry.getKey()))
        .sorted()
        .forEach(notes::add);
    return notes;
  }

  static SvgChart.Content content(Curve curve, List<Measured> points, List<String> notes) {
    LoadOptions options = points.get(0).result().options();
    String title =
        "%s: %s, %s"
            .formatted(curve.subject(), options.store(), LoadJson.label(options.durability()));
    return new SvgChart.Content(
        curve.unit() == Curve.Unit.BYTES
            ? title
            : title + ", payload " + Amounts.count(options.payloadBytes()) + " B",
        notes,
        curve.axis(),
        curve.unit() == Curve.Unit.BYTES ? Axis::bytes : Axis::shortly,
        panels(curve, points));
  }

  private static List<Panel> panels(Curve curve, List<Measured> points) {
    List<Panel> panels = new ArrayList<>();
    panels.add(
        new Panel(
            "jobs/s, median of the rounds",
            lines(
                points,
                new Figure("engine", it -> some(it.jobsPerSecond())),
                new Figure("plain log, written over", it -> some(it.logJobsPerSecond())))));
    panels.add(
        new Panel(
            "p99 of calls, µs",
            lines(
                points,
                new Figure("enqueue", it -> some(it.latency().enqueue().p99Us())),
                new Figure("claim", it -> some(it.latency().claim().p99Us())),
                new Figure("complete", it -> some(it.latency().complete().p99Us())))));
    if (curve.isStored()) {
      panels.add(
          new Panel(
              "opening the store again, ms",
              lines(
                  points,
                  kept("open", Kept::openMs),
                  kept("first claim answered", Kept::firstClaimMs))));
      panels.add(
          new Panel(
              "heap of the engine, MB",
              lines(
                  points,
                  new Figure("after the load", it -> some(it.heapBytes() / MEGABYTE)),
                  kept("after opening", it -> it.heapBytes() / MEGABYTE))));
      panels.add(
          new Panel(
              "files of the store, MB",
              lines(points, kept("closed", it -> it.diskBytes() / MEGABYTE))));
    }
    return panels.stream().filter(panel -> !panel.lines().isEmpty()).toList();
  }

  /** A figure that a panel shows, and its name. */
  private record Figure(String name, Function<Result, OptionalDouble> value) {}

  private static OptionalDouble some(double value) {
    return OptionalDouble.of(value);
  }

  private static Figure kept(String name, Function<Kept, Double> value) {
    return new Figure(
        name,
        result -> result.kept().map(value).map(OptionalDouble::of).orElse(OptionalDouble.empty()));
  }

  /** Returns a line of each figure for each of the curves; none where nothing has the figure. */
  private static List<Line> lines(List<Measured> points, Figure... figures) {
    List<Curve> curves = points.stream().map(Measured::curve).distinct().toList();
    List<Line> lines = new ArrayList<>();
    for (Curve curve : curves) {
      for (Figure figure : figures) {
        List<Dot> dots = new ArrayList<>();
        for (Measured point : points) {
          OptionalDouble value = figure.value.apply(point.result());
          if (point.curve().equals(curve) && value.isPresent()) {
            dots.add(new Dot(point.amount(), value.getAsDouble()));
          }
        }
        if (!dots.isEmpty()) {
          String name = curves.size() == 1 ? figure.name : curve.name() + ": " + figure.name;
          lines.add(new Line(name, dots));
        }
      }
    }
    return lines;
  }
}
