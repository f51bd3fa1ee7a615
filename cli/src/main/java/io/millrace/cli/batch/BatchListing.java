package io.millrace.cli.batch;

import io.millrace.api.BatchStats;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.describe.Descriptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;

/** Shows batches: one on a line, or one with all that is known of it. */
final class BatchListing {

  private final PrintWriter out;
  private final boolean isJson;

  BatchListing(PrintWriter out, boolean isJson) {
    this.out = out;
    this.isJson = isJson;
  }

  /**
   * Shows batches as JSON, one document each, or as a table, with a last line if there are more.
   */
  void print(Iterator<BatchStats> batches, long limit, Instant now) {
    TextTable table =
        new TextTable()
            .column("ID", Align.LEFT)
            .column("NAME", Align.LEFT)
            .column("STATE", Align.LEFT)
            .column("TOTAL", Align.RIGHT)
            .column("LEFT", Align.RIGHT)
            .column("RUNNING", Align.RIGHT)
            .column("SUCCEEDED", Align.RIGHT)
            .column("DEAD", Align.RIGHT)
            .column("AGE", Align.RIGHT);
    for (long i = 0; i < limit && batches.hasNext(); i++) {
      BatchStats batch = batches.next();
      if (isJson) {
        printJson(batch);
      } else {
        table.row(cells(batch, now));
      }
    }
    if (!isJson) {
      printTable(table, batches.hasNext());
    }
  }

  private void printTable(TextTable table, boolean hasMore) {
    if (table.isEmpty()) {
      out.println("no batches");
      return;
    }
    table.print(out);
    if (hasMore) {
      out.println("There are more: --limit 0 shows all.");
    }
  }

  private static List<String> cells(BatchStats batch, Instant now) {
    Duration age = Duration.between(batch.startedAt(), now);
    return List.of(
        batch.id().toString(),
        batch.name(),
        state(batch),
        Amounts.count(batch.total()),
        Amounts.count(batch.left()),
        Amounts.count(batch.running()),
        Amounts.count(batch.succeeded()),
        Amounts.count(batch.dead()),
        Amounts.duration(age.isNegative() ? Duration.ZERO : age));
  }

  void printOne(BatchStats batch) {
    if (isJson) {
      printJson(batch);
      return;
    }
    TextTable table =
        new TextTable().column("BATCH", Align.LEFT).column(batch.id().toString(), Align.RIGHT);
    table.row(List.of("name", batch.name()));
    batch.outer().ifPresent(outer -> table.row(List.of("within", outer.toString())));
    table.row(List.of("state", state(batch)));
    row(table, "total", batch.total());
    row(table, "left", batch.left());
    row(table, "running", batch.running());
    row(table, "succeeded", batch.succeeded());
    row(table, "dead", batch.dead());
    row(table, "failed", batch.failed());
    row(table, "cancelled", batch.cancelled());
    row(table, "expired", batch.expired());
    row(table, "purged", batch.purged());
    row(table, "lost", batch.lost());
    table.row(List.of("started", batch.startedAt().toString()));
    table.row(List.of("ended", batch.endedAt().map(Instant::toString).orElse("-")));
    table.row(List.of("kept for", Amounts.duration(batch.retention())));
    table.print(out);
  }

  private static void row(TextTable table, String label, long count) {
    table.row(List.of(label, Amounts.count(count)));
  }

  private void printJson(BatchStats batch) {
    JsonLines.printObject(
        out,
        json -> {
          DescribedJson.writeAttributes(Descriptions.BATCH, batch, json);
          json.writeNumberField("total", batch.total());
        });
  }

  /** Returns how far the batch has come, in a word. */
  private static String state(BatchStats batch) {
    if (batch.hasSucceeded()) {
      return "succeeded";
    }
    String word = batch.isOver() ? "over" : batch.isSealed() ? "sealed" : "open";
    return batch.isCancelled() ? word + ", cancelled" : word;
  }
}
