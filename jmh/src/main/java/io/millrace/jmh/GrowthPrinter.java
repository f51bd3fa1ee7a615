package io.millrace.jmh;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.Durability;
import io.millrace.cli.text.JsonLines;
import io.millrace.jmh.growth.Curves;
import io.millrace.jmh.growth.LeftOut;
import io.millrace.jmh.growth.Measured;
import io.millrace.jmh.load.Figures;
import io.millrace.jmh.load.GrowthRun;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A printer of the points of curves as soon as each is measured, in Markdown or as JSON. */
final class GrowthPrinter {

  private static final double MEGABYTE = 1e6;

  private final PrintWriter out;
  private final boolean isJson;

  GrowthPrinter(PrintWriter out, boolean isJson) {
    this.out = out;
    this.isJson = isJson;
  }

  void begin(String store, Durability durability) {
    if (isJson) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "%s, %s, payload %d B but for the curve payload, %s%n%n",
        store,
        LoadJson.label(durability),
        Curves.PAYLOAD_BYTES,
        Machine.line());
    out.println(
        "| curve | amount | jobs/s | spread | of strict | enqueue p50 / p99 µs | claim p50 / p99"
            + " µs | complete p50 / p99 µs | B allocated | heap MB | open ms | first claim ms |"
            + " heap then MB | disk MB |");
    out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    out.flush();
  }

  void point(Measured point) {
    if (isJson) {
      JsonLines.printObject(
          out,
          json -> {
            write(point.curve().name(), point.amount(), json);
            LoadJson.writeFields(point.result(), json);
          });
    } else {
      GrowthRun.Result result = point.result();
      out.printf(
          Locale.ROOT,
          "| %s | %,d | %,.0f | %s | %s | %s | %s | %s | %,.0f | %,.1f | %s |%n",
          point.curve().name(),
          point.amount(),
          result.jobsPerSecond(),
          Figures.percent(result.spread()),
          Figures.ratio(result.logRatio()),
          percentiles(result.latency().enqueue()),
          percentiles(result.latency().claim()),
          percentiles(result.latency().complete()),
          result.allocatedBytes(),
          result.heapBytes() / MEGABYTE,
          kept(result.kept()));
      result.findings().forEach(finding -> out.println("WRONG: " + finding));
    }
    out.flush();
  }

  void leftOut(LeftOut point) {
    if (isJson) {
      JsonLines.printObject(
          out,
          json -> {
            write(point.curve().name(), point.amount(), json);
            json.writeStringField("left_out", point.reason());
          });
    } else {
      out.printf(
          Locale.ROOT,
          "| %s | %,d | left out: %s |%n",
          point.curve().name(),
          point.amount(),
          point.reason());
    }
    out.flush();
  }

  /** Ends the output with where the charts are. */
  void end(Optional<Path> charts) {
    if (!isJson) {
      charts.ifPresent(folder -> out.printf("%nCharts: %s%n", folder.toAbsolutePath()));
    }
    out.flush();
  }

  private static void write(String row, int amount, JsonGenerator json) throws IOException {
    json.writeStringField("row", row);
    json.writeNumberField("amount", amount);
  }

  private static String kept(Optional<GrowthRun.Kept> kept) {
    return kept.map(
            its ->
                String.format(
                    Locale.ROOT,
                    "%,.1f | %,.1f | %,.1f | %,.1f",
                    its.openMs(),
                    its.firstClaimMs(),
                    its.heapBytes() / MEGABYTE,
                    its.diskBytes() / MEGABYTE))
        .orElse(" | | | ");
  }

  private static String percentiles(Percentiles percentiles) {
    return percentiles.p50Us() == 0
        ? ""
        : String.format(Locale.ROOT, "%,.0f / %,.0f", percentiles.p50Us(), percentiles.p99Us());
  }
}
