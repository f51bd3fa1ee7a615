package io.millrace.cli;

import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.FolderTarget;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a backup of a store, which a running engine may hold. */
@Command(
    name = "backup",
    description = {
      "Writes a backup of STORE into TARGET, an empty or absent folder. It is a store of its own.",
      "With --pid the engine that has the store open writes it, while work goes on; STORE may be"
          + " left out."
    })
final class BackupCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      arity = "1..2",
      paramLabel = "[STORE] TARGET",
      hideParamSyntax = true,
      description = "The store's folder, and the folder for the backup.")
  private List<String> places = new ArrayList<>();

  @Mixin private RunningOptions running = new RunningOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    PrintWriter out = command.getOut();
    Path folder = StoreLocation.folder(places.get(places.size() - 1));
    Optional<String> store = places.size() == 1 ? Optional.empty() : Optional.of(places.get(0));
    try (Target target = target(command, store)) {
      target.backup(folder);
    }
    out.printf("backed up to %s%n", Printable.text(folder.toString()));
    out.flush();
    return ExitCode.OK;
  }

  private Target target(CommandLine command, Optional<String> store) {
    Optional<EngineTarget> engine = running.engine(command, store.map(StoreLocation::folder));
    if (engine.isPresent()) {
      return engine.get();
    }
    return FolderTarget.toRead(
        store
            .map(argument -> StoreLocation.of(argument).location())
            .orElseThrow(() -> TargetOptions.noStore(command)));
  }
}
