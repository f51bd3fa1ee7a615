package io.millrace.cli.store;

import io.millrace.api.CopyReport;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.StoreLocation;
import io.millrace.console.text.Printable;
import io.millrace.engine.Stores;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a store of a backup. */
@Command(
    name = "restore",
    description =
        "Makes a new store of the backup STORE, which stays and can be restored again. All that is"
            + " written to it is that it was restored: no job id and no lease token is given"
            + " twice.")
public final class RestoreCommand extends MillraceCommand {

  @Mixin private TwoStores stores = new TwoStores();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    PrintWriter out = out();
    String from = stores.from();
    String to = stores.to(from);
    requireWritable(StoreLocation.folder(from));
    CopyReport report = Stores.restore(stores.place(from), stores.place(to));
    CopyOutcome.print(out, "restored", to, report, json);
    return ExitCode.OK;
  }

  private static void requireWritable(Path backup) {
    if (!Files.isWritable(backup)) {
      throw new CannotException(
          "a backup is marked when it is restored, and this one cannot be written: %s; copy the"
                  .formatted(Printable.text(backup.toString()))
              + " folder to where it can, and restore that");
    }
  }
}
