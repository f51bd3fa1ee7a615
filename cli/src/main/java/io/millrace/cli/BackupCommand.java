package io.millrace.cli;

import io.millrace.cli.text.Printable;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a backup of a store that no engine holds. */
@Command(
    name = "backup",
    description =
        "Writes a backup of STORE, which no process may have open, into TARGET. It is a store of"
            + " its own: 'millrace restore' makes of it one to go on with.")
final class BackupCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreParameter store = new StoreParameter();

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      converter = PathConverter.class,
      description = "An empty or absent folder for the backup.")
  private Path target = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Optional.ofNullable(spec).orElseThrow().commandLine().getOut();
    Stores.backup(StorePlace.of(store.location()), target);
    out.printf("backed up to %s%n", Printable.text(target.toString()));
    out.flush();
    return ExitCode.OK;
  }
}
