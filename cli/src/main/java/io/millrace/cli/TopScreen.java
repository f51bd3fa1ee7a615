package io.millrace.cli;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.Printable;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Table.Align;
import io.millrace.management.DistributionSnapshot;
import io.millrace.management.HealthSnapshot;
import io.millrace.management.MetricsSnapshot;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Two samples of an engine as a page of text: what there is now, and what happened in between. */
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
   * @param title what is looked at
   */
  void print(String title) {
    HealthSnapshot health = now.metrics().getHealth();
    line(
        title
            + "  open for "
            + Amounts.duration(Duration.ofMillis(now.metrics().getOpenForMs()))
            + "  "
            + health.getStatus());
    if (!health.getReason().isEmpty()) {
      line("reason   " + health.getReason());
    }
    health.getWarnings().forEach(warning -> line("warning  " + warning));
    printHoldings(now.metrics(), health);
    line("jobs/s   " + rates());
    printEffects(before.metrics(), now.metrics());
    out.println();
    printTimes();
    out.println();
    printQueues();
  }

  private void printHoldings(MetricsSnapshot metrics, HealthSnapshot health) {
    line(
        "held     ring %s of %s  leases %s  on queues %s  waiting claims %s  awaited ends %s"
            .formatted(
                Amounts.count(metrics.getRingDepth()),
                Amounts.count(metrics.getRingSize()),
                Amounts.count(metrics.getLeaseCount()),
                Amounts.count(metrics.getQueueLeaseCount()),
                Amounts.count(metrics.getParkedClaimCount()),
                Amounts.count(metrics.getAwaitCount())));
    printFairness(metrics);
    if (metrics.getListenerCount() > 0 || metrics.getMissedEventCount() > 0) {
      line(
          "told     job listeners %s  events waiting %s  missed %s"
              .formatted(
                  Amounts.count(metrics.getListenerCount()),
                  Amounts.count(metrics.getWaitingEventCount()),
                  Amounts.count(metrics.getMissedEventCount())));
    }
    line(
        "store    %s  in memory %s  oldest reader %s  clock ahead %s  set aside %s"
            .formatted(
                Amounts.bytes(metrics.getStoreBytes()),
                Amounts.bytes(metrics.getWindowBytes()),
                age(Optional.ofNullable(metrics.getOldestReaderAgeMs())),
                Amounts.duration(Duration.ofMillis(health.getClockDivergenceMs())),
                Amounts.count(metrics.getSetAsideCount())));
  }

  /** What most engines have nothing of. */
  private void printFairness(MetricsSnapshot metrics) {
    if (metrics.getRateBucketCount() > 0 || metrics.getRateLimitedQueueCount() > 0) {
      line(
          "rates    queues without a token %s  buckets not full %s"
              .formatted(
                  Amounts.count(metrics.getRateLimitedQueueCount()),
                  Amounts.count(metrics.getRateBucketCount())));
    }
    if (metrics.getTenantNameCount() > 0) {
      line(
          "turns    tenants %s  of names %s"
              .formatted(
                  Amounts.count(metrics.getTenantTurnCount()),
                  Amounts.count(metrics.getTenantNameCount())));
    }
    if (metrics.getBroadcastCount() > 0) {
      line(
          "signals  broadcasts under way %s".formatted(Amounts.count(metrics.getBroadcastCount())));
    }
    if (metrics.getDuplicateCount() > 0) {
      line("keys     duplicates %s".formatted(Amounts.count(metrics.getDuplicateCount())));
    }
  }

  private String rates() {
    Map<String, Long> earlier = before.metrics().getOperations();
    return now.metrics().getOperations().entrySet().stream()
        .map(
            entry ->
                entry.getKey().toLowerCase(Locale.ROOT)
                    + " "
                    + Amounts.count(
                        now.perSecond(
                            before, earlier.getOrDefault(entry.getKey(), 0L), entry.getValue())))
        .collect(Collectors.joining("  "));
  }

  /** What those have who use transactions and tables. */
  private void printEffects(MetricsSnapshot earlier, MetricsSnapshot metrics) {
    if (metrics.getTransactionCallCount() > 0) {
      line(
          "tx/s     committed %s  calls %s  conflicts %s"
              .formatted(
                  rate(earlier.getTransactionCount(), metrics.getTransactionCount()),
                  rate(earlier.getTransactionCallCount(), metrics.getTransactionCallCount()),
                  rate(
                      earlier.getTransactionConflictCount(),
                      metrics.getTransactionConflictCount())));
    }
    if (metrics.getTableRowsPut() > 0 || metrics.getTableRowsDeleted() > 0) {
      line(
          "rows/s   put %s  deleted %s"
              .formatted(
                  rate(earlier.getTableRowsPut(), metrics.getTableRowsPut()),
                  rate(earlier.getTableRowsDeleted(), metrics.getTableRowsDeleted())));
    }
  }

  private String rate(long earlier, long later) {
    return Amounts.count(now.perSecond(before, earlier, later));
  }

  private void printTimes() {
    Table table =
        new Table()
            .column("LAST MINUTE", Align.LEFT)
            .column("P50", Align.RIGHT)
            .column("P90", Align.RIGHT)
            .column("P99", Align.RIGHT)
            .column("MAX", Align.RIGHT)
            .column("PER SECOND", Align.RIGHT);
    MetricsSnapshot earlier = before.metrics();
    MetricsSnapshot metrics = now.metrics();
    table.row(
        cells(
            "commit, ms",
            metrics.getCommitNs().getRecent(),
            TopScreen::ms,
            now.perSecond(
                before,
                earlier.getCommitNs().getSinceOpening().getCount(),
                metrics.getCommitNs().getSinceOpening().getCount())));
    table.row(
        cells(
            "sync, ms",
            metrics.getSyncNs().getRecent(),
            TopScreen::ms,
            now.perSecond(
                before,
                earlier.getSyncNs().getSinceOpening().getCount(),
                metrics.getSyncNs().getSinceOpening().getCount())));
    table.row(
        cells(
            "group, requests",
            metrics.getGroupRequests().getRecent(),
            Amounts::count,
            now.perSecond(
                before,
                earlier.getGroupRequests().getSinceOpening().getSum(),
                metrics.getGroupRequests().getSinceOpening().getSum())));
    table.print(out);
  }

  private static List<String> cells(
      String label, DistributionSnapshot values, LongFunction<String> text, long perSecond) {
    return List.of(
        label,
        text.apply(values.getP50()),
        text.apply(values.getP90()),
        text.apply(values.getP99()),
        text.apply(values.getMax()),
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
    Table table = new Table().column("QUEUE", Align.LEFT);
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
    cells.add(age(stats.oldestReadyAge().map(Duration::toMillis)));
    cells.add(Amounts.count(perSecond(stats, QueueStats.Total.ENQUEUED)));
    cells.add(Amounts.count(perSecond(stats, QueueStats.Total.COMPLETED)));
    cells.add(QueueListing.serving(stats));
    return cells;
  }

  /** A queue that came to be meanwhile had nothing before. */
  private long perSecond(QueueStats stats, QueueStats.Total total) {
    long earlier =
        Optional.ofNullable(before.queues().get(stats.queue()))
            .map(past -> past.total(total))
            .orElse(0L);
    return now.perSecond(before, earlier, stats.total(total));
  }

  private static String age(Optional<Long> ms) {
    return ms.map(Duration::ofMillis).map(Amounts::duration).orElse("-");
  }

  private void line(String text) {
    out.println(Printable.text(text));
  }
}
