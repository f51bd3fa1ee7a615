package io.millrace.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.RepairReport;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.place.ReadableStore;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import io.millrace.describe.Kind;
import io.millrace.engine.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a sound store of a damaged one. */
@Command(
    name = "repair",
    description =
        "Makes a new store of what the records of STORE say, which no process may have open, and"
            + " lists what was wrong and what was done about it. STORE is only read.")
public final class RepairCommand extends MillraceCommand {

  @Mixin private TwoStores stores = new TwoStores();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    PrintWriter out = out();
    String from = stores.from();
    String to = stores.to(from);
    RepairReport report;
    try (ReadableStore origin = stores.origin(from)) {
      report =
          origin.ask(
              () ->
                  Stores.repair(origin.place(), stores.place(to), finding -> print(out, finding)));
    }
    String shown = ReadableStore.withoutPassword(to);
    json.answer(
        out,
        "%s: %s, %s, %s, %s set aside, in %s"
            .formatted(
                report.isSound() ? "sound" : "repaired",
                Amounts.count(report.queueCount(), "queue"),
                Amounts.count(report.jobCount(), "job"),
                Amounts.count(report.findingCount(), "finding"),
                Amounts.count(report.setAsideCount(), "row"),
                Printable.text(shown)),
        generator -> write(report, shown, generator));
    return report.isSound() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /** Prints a finding at once: there may be more of them than fit in memory. */
  private void print(PrintWriter out, RepairReport.Finding finding) {
    if (json.isJson()) {
      JsonLines.printObject(out, generator -> write(finding, generator));
    } else {
      out.printf(
          "%s %s %s: %s%n",
          action(finding), finding.keyspace(), finding.key(), Printable.text(finding.finding()));
    }
  }

  private static void write(RepairReport.Finding finding, JsonGenerator json) throws IOException {
    json.writeStringField("action", Kind.word(finding.action()));
    json.writeStringField("keyspace", finding.keyspace());
    json.writeStringField("key", finding.key());
    json.writeStringField("finding", finding.finding());
  }

  private static void write(RepairReport report, String to, JsonGenerator json) throws IOException {
    json.writeStringField("store", to);
    json.writeStringField("storeId", report.storeId());
    json.writeNumberField("epoch", report.epoch());
    json.writeNumberField("queues", report.queueCount());
    json.writeNumberField("jobs", report.jobCount());
    json.writeNumberField("findings", report.findingCount());
    json.writeNumberField("setAside", report.setAsideCount());
  }

  private static String action(RepairReport.Finding finding) {
    return Kind.word(finding.action()).replace('_', ' ');
  }
}
