package io.millrace.jmh;

import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.jmh.load.Figures;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.LoadResult.Rate;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A result for people. */
final class LoadText {

  private LoadText() {}

  static void print(LoadResult result, PrintWriter out) {
    LoadOptions options = result.options();
    LoadOptions.Callers callers = options.callers();
    out.printf(
        Locale.ROOT,
        "%s on %s, %s: %d producers, %d consumers, %s, batches of %d, payload %,d B, backlog %,d%n",
        options.workload().label(),
        options.store(),
        options.durability().name().toLowerCase(Locale.ROOT),
        callers.producerCount(),
        callers.consumerCount(),
        callers.inFlightCount() == 0
            ? "blocking"
            : callers.inFlightCount() + " futures in flight each",
        callers.batchCount(),
        options.payloadBytes(),
        options.backlogCount());
    out.println();
    printRates(result, out);
    out.println();
    printLatencies(result, out);
    out.println();
    out.printf(
        Locale.ROOT,
        "%,.1f jobs a commit, %,.0f commits/s, %,.0f syncs/s; a job allocates %,.0f B and takes"
            + " %,.0f B on disk%n",
        result.commits().jobsPerBatch(),
        result.commits().batchesPerSecond(),
        result.commits().syncsPerSecond(),
        result.cost().allocatedBytes(),
        result.cost().diskBytes());
    out.printf(
        Locale.ROOT,
        "the commit thread spends %,.1f µs a job in the store's writes, %,.1f in its syncs, %,.1f"
            + " in all else%n",
        result.time().writeUs(),
        result.time().syncUs(),
        result.time().restUs());
    if (result.isGood()) {
      out.println("every job was completed exactly once");
    } else {
      result.findings().forEach(finding -> out.println("WRONG: " + finding));
    }
  }

  private static void printRates(LoadResult result, PrintWriter out) {
    TextTable table =
        new TextTable()
            .column("", Align.LEFT)
            .column("jobs/s", Align.RIGHT)
            .column("spread", Align.RIGHT)
            .column("engine / this", Align.RIGHT);
    rate(table, "engine", result.engine());
    rate(table, "same bytes, bare store", result.raw());
    rate(table, "plain log, same callers", result.floor());
    rate(table, "the same, written over", result.strictFloor());
    table.print(out);
  }

  private static void rate(TextTable table, String name, Rate rate) {
    table.row(
        List.of(
            name,
            Amounts.count(Math.round(rate.jobsPerSecond())),
            Figures.percent(rate.spread()),
            Figures.ratio(rate.engineRatio())));
  }

  private static void printLatencies(LoadResult result, PrintWriter out) {
    TextTable table =
        new TextTable()
            .column("microseconds", Align.LEFT)
            .column("p50", Align.RIGHT)
            .column("p99", Align.RIGHT)
            .column("p99.9", Align.RIGHT);
    percentiles(table, "enqueue", result.latency().enqueue());
    percentiles(table, "claim", result.latency().claim());
    percentiles(table, "complete", result.latency().complete());
    percentiles(table, "lateness of delayed jobs", result.latency().lateness());
    table.print(out);
  }

  private static void percentiles(TextTable table, String call, Percentiles percentiles) {
    if (percentiles.p50Us() > 0) {
      table.row(
          List.of(
              call, us(percentiles.p50Us()), us(percentiles.p99Us()), us(percentiles.p999Us())));
    }
  }

  private static String us(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }
}
