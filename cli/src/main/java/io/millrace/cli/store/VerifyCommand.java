package io.millrace.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.VerifyReport;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.describe.Descriptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads a whole store and compares records, indexes and counters. */
@Command(
    name = "verify",
    description =
        "Reads everything in STORE and checks that records, indexes and counters agree. Changes"
            + " nothing.")
public final class VerifyCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    PrintWriter out = out();
    String location;
    VerifyReport report;
    try (Target target = store.toRead(command)) {
      location = target.location();
      report = target.verify();
    }
    if (json.isJson()) {
      JsonLines.printObject(out, generator -> writeReport(location, report, generator));
    } else {
      printReport(report, out);
    }
    out.flush();
    return report.isClean() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static void printReport(VerifyReport report, PrintWriter out) {
    if (!report.problems().isEmpty()) {
      TextTable table =
          new TextTable()
              .column("KEYSPACE", Align.LEFT)
              .column("KEY", Align.LEFT)
              .column("FINDING", Align.LEFT);
      report
          .problems()
          .forEach(
              problem -> table.row(List.of(problem.keyspace(), problem.key(), problem.finding())));
      table.print(out);
    }
    out.printf(
        "%s: %s, %s, %s, %s set aside as damaged%n",
        report.isClean() ? "ok" : "NOT OK",
        Amounts.count(report.queueCount(), "queue"),
        Amounts.count(report.jobCount(), "job"),
        Amounts.count(report.problemCount(), "problem"),
        Amounts.count(report.quarantinedCount(), "row"));
  }

  private static void writeReport(String location, VerifyReport report, JsonGenerator json)
      throws IOException {
    json.writeStringField("store", location);
    json.writeBooleanField("clean", report.isClean());
    DescribedJson.writeAttributes(Descriptions.VERIFY_REPORT, report, json);
  }
}
