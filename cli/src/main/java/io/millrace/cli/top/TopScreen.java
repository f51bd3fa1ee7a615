package io.millrace.cli.top;

import io.millrace.api.Distribution;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.cli.queue.QueueListing;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import io.millrace.describe.Kind;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Two samples of an engine as a page of text: the state now, and the events between them. */
final class TopScreen {

  private static final double NS_PER_MS = 1e6;

  private final TopSample before;
  private final TopSample now;
  private final PrintWriter out;

  TopScreen(TopSample before, TopSample now, PrintWriter out) {
    this.before = before;
    this.now = now;
    this.out = out;
  }

  /**
   * Writes the page.
   *
   * @param title the store and the process that the page is about
   */
  void print(String title) {
    EngineHealth health = now.metrics().health();
    line(
        title + "  open for " + Amounts.duration(now.metrics().openFor()) + "  " + health.status());
    if (!health.reason().isEmpty()) {
      line("reason   " + health.reason());
    }
    health.warnings().forEach(warning -> line("warning  " + warning));
    printHoldings(now.metrics(), health);
    line("jobs/s   " + rates());
    printEffects(before.metrics(), now.metrics());
    out.println();
    printTimes();
    out.println();
    printQueues();
  }

  private void printHoldings(EngineMetrics metrics, EngineHealth health) {
    line(
        "held     ring %s of %s  leases %s  on queues %s  waiting claims %s  awaited ends %s"
            .formatted(
                Amounts.count(metrics.ringDepth()),
                Amounts.count(metrics.ringSize()),
                Amounts.count(metrics.leaseCount()),
                Amounts.count(metrics.queueLeaseCount()),
                Amounts.count(metrics.parkedClaimCount()),
                Amounts.count(metrics.awaitCount())));
    printFairness(metrics);
    if (metrics.listenerCount() > 0 || metrics.missedEventCount() > 0) {
      line(
          "told     job listeners %s  events waiting %s  missed %s"
              .formatted(
                  Amounts.count(metrics.listenerCount()),
                  Amounts.count(metrics.waitingEventCount()),
                  Amounts.count(metrics.missedEventCount())));
    }
    line(
        "store    %s  in memory %s  oldest reader %s  clock ahead %s  set aside %s"
            .formatted(
                Amounts.bytes(metrics.storeBytes()),
                Amounts.bytes(metrics.windowBytes()),
                age(metrics.oldestReaderAge()),
                Amounts.duration(health.clockDivergence()),
                Amounts.count(metrics.setAsideCount())));
  }

  /**
   * Prints the lines that most engines do not need: of rate limits, tenants, broadcasts and
   * duplicates.
   */
  private void printFairness(EngineMetrics metrics) {
    if (metrics.rateBucketCount() > 0 || metrics.rateLimitedQueueCount() > 0) {
      line(
          "rates    queues without a token %s  buckets not full %s"
              .formatted(
                  Amounts.count(metrics.rateLimitedQueueCount()),
                  Amounts.count(metrics.rateBucketCount())));
    }
    if (metrics.tenantNameCount() > 0) {
      line(
          "turns    tenants %s  of names %s"
              .formatted(
                  Amounts.count(metrics.tenantTurnCount()),
                  Amounts.count(metrics.tenantNameCount())));
    }
    if (metrics.broadcastCount() > 0) {
      line("signals  broadcasts under way %s".formatted(Amounts.count(metrics.broadcastCount())));
    }
    if (metrics.duplicateCount() > 0) {
      line("keys     duplicates %s".formatted(Amounts.count(metrics.duplicateCount())));
    }
  }

  private String rates() {
    Map<QueueStats.Total, Long> earlier = before.metrics().operations();
    return now.metrics().operations().entrySet().stream()
        .map(
            entry ->
                Kind.word(entry.getKey())
                    + " "
                    + Amounts.count(
                        now.perSecond(
                            before, earlier.getOrDefault(entry.getKey(), 0L), entry.getValue())))
        .collect(Collectors.joining("  "));
  }

  /** Prints the lines of those who use transactions and tables. */
  private void printEffects(EngineMetrics earlier, EngineMetrics metrics) {
    if (metrics.transactionCallCount() > 0) {
      line(
          "tx/s     committed %s  calls %s  conflicts %s"
              .formatted(
                  rate(earlier.transactionCount(), metrics.transactionCount()),
                  rate(earlier.transactionCallCount(), metrics.transactionCallCount()),
                  rate(earlier.transactionConflictCount(), metrics.transactionConflictCount())));
    }
    if (metrics.tableRowsPut() > 0 || metrics.tableRowsDeleted() > 0) {
      line(
          "rows/s   put %s  deleted %s"
              .formatted(
                  rate(earlier.tableRowsPut(), metrics.tableRowsPut()),
                  rate(earlier.tableRowsDeleted(), metrics.tableRowsDeleted())));
    }
  }

  private String rate(long earlier, long later) {
    return Amounts.count(now.perSecond(before, earlier, later));
  }

  private void printTimes() {
    TextTable table =
        new TextTable()
            .column("LAST MINUTE", Align.LEFT)
            .column("P50", Align.RIGHT)
            .column("P90", Align.RIGHT)
            .column("P99", Align.RIGHT)
            .column("MAX", Align.RIGHT)
            .column("PER SECOND", Align.RIGHT);
    EngineMetrics earlier = before.metrics();
    EngineMetrics metrics = now.metrics();
    table.row(
        cells(
            "commit, ms",
            metrics.commitNs().recent(),
            TopScreen::ms,
            now.perSecond(
                before,
                earlier.commitNs().sinceOpening().count(),
                metrics.commitNs().sinceOpening().count())));
    table.row(
        cells(
            "sync, ms",
            metrics.syncNs().recent(),
            TopScreen::ms,
            now.perSecond(
                before,
                earlier.syncNs().sinceOpening().count(),
                metrics.syncNs().sinceOpening().count())));
    table.row(
        cells(
            "group, requests",
            metrics.groupRequests().recent(),
            Amounts::count,
            now.perSecond(
                before,
                earlier.groupRequests().sinceOpening().sum(),
                metrics.groupRequests().sinceOpening().sum())));
    table.print(out);
  }

  private static List<String> cells(
      String label, Distribution values, LongFunction<String> text, long perSecond) {
    return List.of(
        label,
        text.apply(values.p50()),
        text.apply(values.p90()),
        text.apply(values.p99()),
        text.apply(values.max()),
        Amounts.count(perSecond));
  }

  private static String ms(long ns) {
    return String.format(Locale.ROOT, "%.2f", ns / NS_PER_MS);
  }

  private void printQueues() {
    if (now.queues().isEmpty()) {
      out.println("no queues");
      return;
    }
    TextTable table = new TextTable().column("QUEUE", Align.LEFT);
    for (JobState state : JobState.values()) {
      table.column(state.name(), Align.RIGHT);
    }
    table
        .column("OLDEST READY", Align.RIGHT)
        .column("ENQUEUED/S", Align.RIGHT)
        .column("COMPLETED/S", Align.RIGHT)
        .column("SERVING", Align.LEFT);
    now.queues().values().forEach(stats -> table.row(cells(stats)));
    table.print(out);
    if (now.isMore()) {
      out.println("There are more: --queues shows more of them.");
    }
  }

  private List<String> cells(QueueStats stats) {
    List<String> cells = new ArrayList<>();
    cells.add(stats.queue().toString());
    for (JobState state : JobState.values()) {
      cells.add(Amounts.count(stats.count(state)));
    }
    cells.add(age(stats.oldestReadyAge()));
    cells.add(Amounts.count(perSecond(stats, QueueStats.Total.ENQUEUED)));
    cells.add(Amounts.count(perSecond(stats, QueueStats.Total.COMPLETED)));
    cells.add(QueueListing.serving(stats));
    return cells;
  }

  /**
   * Returns the rate of a queue's total. A queue that is new since the earlier sample had none
   * then.
   */
  private long perSecond(QueueStats stats, QueueStats.Total total) {
    long earlier =
        Optional.ofNullable(before.queues().get(stats.queue()))
            .map(past -> past.total(total))
            .orElse(0L);
    return now.perSecond(before, earlier, stats.total(total));
  }

  private static String age(Optional<Duration> age) {
    return age.map(Amounts::duration).orElse("-");
  }

  private void line(String text) {
    out.println(Printable.text(text));
  }
}
