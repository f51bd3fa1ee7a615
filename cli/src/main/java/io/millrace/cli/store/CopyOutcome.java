package io.millrace.cli.store;

import io.millrace.api.CopyReport;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.Printable;
import java.io.PrintWriter;

/** Shows what a finished copy holds. */
final class CopyOutcome {

  private CopyOutcome() {}

  /** Writes the outcome as a line, or as a document. */
  static void print(PrintWriter out, String done, String to, CopyReport report, JsonOption json) {
    if (json.isJson()) {
      JsonLines.print(
          out,
          generator -> {
            generator.writeStartObject();
            generator.writeStringField("store", to);
            generator.writeStringField("storeId", report.storeId());
            generator.writeNumberField("epoch", report.epoch());
            generator.writeNumberField("rows", report.rowCount());
            generator.writeNumberField("bytes", report.bytes());
            generator.writeNumberField("leftOut", report.leftOutCount());
            generator.writeEndObject();
          });
    } else {
      out.printf(
          "%s %s, %,d bytes, to %s%n",
          done, Amounts.count(report.rowCount(), "row"), report.bytes(), Printable.text(to));
      if (report.leftOutCount() > 0) {
        out.printf(
            "left out %s; 'millrace repair' puts right what named or counted them%n",
            Amounts.count(report.leftOutCount(), "damaged row"));
      }
    }
    out.flush();
  }
}
