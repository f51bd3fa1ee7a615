package io.millrace.cli.store;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.RunningOptions;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.FolderTarget;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Writes a backup of a store, which a running engine may hold. */
@Command(
    name = "backup",
    description = {
      "Writes a backup of STORE into TARGET, an empty or absent folder. It is a store of its own.",
      "With --pid the engine that has the store open writes it, while work goes on; STORE may be"
          + " left out."
    })
public final class BackupCommand extends MillraceCommand {

  private static final int PLACE_COUNT_MAX = 2;

  @Parameters(
      arity = "1..2",
      paramLabel = "[STORE] TARGET",
      hideParamSyntax = true,
      description = "The store's folder, and the folder for the backup.")
  private List<String> places = new ArrayList<>();

  @Mixin private RunningOptions running = new RunningOptions();
  @Mixin private LostCommitsOption lost = new LostCommitsOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    PrintWriter out = out();
    checkPlaces(command);
    Path folder = StoreLocation.folder(places.get(places.size() - 1));
    Optional<String> store = places.size() == 1 ? Optional.empty() : Optional.of(places.get(0));
    store.ifPresent(from -> OtherFolder.require(StoreLocation.folder(from), folder, "TARGET"));
    try (Target target = target(command, store)) {
      target.backup(folder);
    }
    out.printf("backed up to %s%n", Printable.text(folder.toString()));
    out.flush();
    return ExitCode.OK;
  }

  /** Refuses too many words, which picocli takes though it says otherwise, and empty ones. */
  private void checkPlaces(CommandLine command) {
    if (places.size() > PLACE_COUNT_MAX) {
      throw new ParameterException(
          command, "unmatched argument: '%s'".formatted(places.get(PLACE_COUNT_MAX)));
    }
    if (places.contains("")) {
      throw new ParameterException(
          command,
          "%s names no folder: %s"
              .formatted(
                  places.get(places.size() - 1).isEmpty() ? "TARGET" : "STORE",
                  FilledConverter.EMPTY));
    }
  }

  private Target target(CommandLine command, Optional<String> store) {
    Optional<EngineTarget> engine = running.engine(command, store.map(StoreLocation::folder));
    if (engine.isPresent()) {
      return engine.get();
    }
    return FolderTarget.toRead(
        store
            .map(argument -> StoreLocation.of(argument).location())
            .orElseThrow(() -> TargetOptions.noStore(command)),
        lost.lostCommits(),
        note -> TargetOptions.tell(command, note));
  }
}
