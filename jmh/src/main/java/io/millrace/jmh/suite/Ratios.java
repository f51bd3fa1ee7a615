package io.millrace.jmh.suite;

import io.millrace.jmh.suite.SideState.Kind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * The engine's speed in parts of the speed of the bare store and of the plain log: 1 is as fast, 2
 * twice as fast. For one thread.
 */
public final class Ratios {

  private static final String SIDE = "side";
  private static final String FOLDER = "dir";

  private final Map<Case, Map<Kind, Double>> scores = new LinkedHashMap<>();

  /**
   * A measured case, for any side.
   *
   * @param parameters the parameters without the side and the folder
   */
  record Case(String benchmark, Mode mode, Map<String, String> parameters) {}

  /** Ratios of a case to each limit; empty where that limit was not measured. */
  record Ratio(Case of, OptionalDouble ofRaw, OptionalDouble ofFloor) {}

  /** Takes the measurements of sides from the results of a run. */
  public static Ratios of(Collection<RunResult> results) {
    Ratios ratios = new Ratios();
    for (RunResult result : results) {
      BenchmarkParams run = result.getParams();
      Map<String, String> parameters = new TreeMap<>();
      run.getParamsKeys().forEach(name -> parameters.put(name, run.getParam(name)));
      String side = parameters.remove(SIDE);
      if (side != null) {
        parameters.remove(FOLDER);
        Case measured = new Case(shortName(run.getBenchmark()), run.getMode(), parameters);
        ratios.add(measured, Kind.valueOf(side), result.getPrimaryResult().getScore());
      }
    }
    return ratios;
  }

  private static String shortName(String benchmark) {
    return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
  }

  void add(Case measured, Kind side, double score) {
    scores.computeIfAbsent(measured, none -> new EnumMap<>(Kind.class)).put(side, score);
  }

  /**
   * Returns the ratios of the cases for which the engine and a limit were measured, in the order in
   * which they came.
   */
  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    scores.forEach(
        (measured, sides) -> {
          OptionalDouble ofRaw = ratio(measured.mode, sides, Kind.RAW);
          OptionalDouble ofFloor = ratio(measured.mode, sides, Kind.FLOOR);
          if (ofRaw.isPresent() || ofFloor.isPresent()) {
            ratios.add(new Ratio(measured, ofRaw, ofFloor));
          }
        });
    return ratios;
  }

  private static OptionalDouble ratio(Mode mode, Map<Kind, Double> sides, Kind limit) {
    if (!sides.containsKey(Kind.ENGINE) || !sides.containsKey(limit)) {
      return OptionalDouble.empty();
    }
    double ofLimit = sides.get(Kind.ENGINE) / sides.get(limit);
    // All modes but this one answer how long it took.
    return OptionalDouble.of(mode == Mode.Throughput ? ofLimit : 1 / ofLimit);
  }

  /** Prints a table, or nothing if there are no ratios. */
  public void print(PrintWriter out) {
    List<Ratio> ratios = all();
    if (ratios.isEmpty()) {
      return;
    }
    out.printf("%nThe engine's speed in parts of the bare store's and of the plain log's:%n%n");
    out.println("| benchmark | mode | parameters | of raw | of floor |");
    out.println("|---|---|---|--:|--:|");
    for (Ratio ratio : ratios) {
      out.printf(
          "| %s | %s | %s | %s | %s |%n",
          ratio.of.benchmark,
          ratio.of.mode.shortLabel(),
          text(ratio.of.parameters),
          text(ratio.ofRaw),
          text(ratio.ofFloor));
    }
    out.flush();
  }

  private static String text(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String text(OptionalDouble ratio) {
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "";
  }
}
