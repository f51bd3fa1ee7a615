package io.millrace.cli.store;

import io.millrace.api.CopyReport;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.place.ReadableStore;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import java.io.PrintWriter;

/** Shows what a finished copy holds. */
final class CopyOutcome {

  private CopyOutcome() {}

  /** Writes the outcome as a line, or as a document. */
  static void print(
      PrintWriter out, String done, String location, CopyReport report, JsonOption json) {
    String to = ReadableStore.withoutPassword(location);
    json.answer(
        out,
        "%s %s, %,d bytes, to %s"
            .formatted(
                done, Amounts.count(report.rowCount(), "row"), report.bytes(), Printable.text(to)),
        generator -> {
          generator.writeStringField("store", to);
          generator.writeStringField("storeId", report.storeId());
          generator.writeNumberField("epoch", report.epoch());
          generator.writeNumberField("rows", report.rowCount());
          generator.writeNumberField("bytes", report.bytes());
          generator.writeNumberField("leftOut", report.leftOutCount());
        });
    if (report.leftOutCount() > 0 && !json.isJson()) {
      out.printf(
          "left out %s; 'millrace repair' puts right what named or counted them%n",
          Amounts.count(report.leftOutCount(), "damaged row"));
      out.flush();
    }
  }
}
