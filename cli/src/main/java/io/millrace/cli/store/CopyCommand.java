package io.millrace.cli.store;

import io.millrace.api.CopyReport;
import io.millrace.api.CorruptRow;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.place.ReadableStore;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.NewFile;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies a store into another, of the same kind or another one. */
@Command(
    name = "copy",
    description =
        "Copies STORE, which no process may have open, into a new store: to change the kind of"
            + " store, to compact it, to check every row. STORE is only read.")
public final class CopyCommand extends MillraceCommand {

  @Mixin private TwoStores stores = new TwoStores();

  @Option(
      names = "--leave-out",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description =
          "Leave damaged rows out of the copy and write them to this new file, one JSON document"
              + " for each; without it a damaged row ends the copy. Damaged counts of concurrency"
              + " keys are in the copy as well, where an engine counts anew when it meets them.")
  private @Nullable Path leaveOut;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    PrintWriter out = out();
    String from = stores.from();
    String to = stores.to(from);
    CopyReport report;
    try (ReadableStore origin = stores.origin(from)) {
      report = origin.ask(() -> copy(origin.place(), stores.place(to)));
    }
    CopyOutcome.print(out, "copied", to, report, json);
    return report.leftOutCount() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private CopyReport copy(StorePlace from, StorePlace to) {
    if (leaveOut == null) {
      return Stores.copy(from, to);
    }
    try (NewFile file = NewFile.create(leaveOut)) {
      CopyReport report = Stores.copy(from, to, row -> write(file.out(), row));
      file.finish();
      return report;
    }
  }

  private static void write(PrintWriter out, CorruptRow row) {
    JsonLines.printObject(
        out,
        json -> {
          json.writeStringField("keyspace", row.keyspace());
          json.writeStringField("key", HexFormat.of().formatHex(row.key()));
          json.writeStringField("reason", row.reason());
          json.writeBinaryField("valueBase64", row.value());
        });
  }
}
