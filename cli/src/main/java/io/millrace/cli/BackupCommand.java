package io.millrace.cli;

import io.millrace.cli.target.Target;
import io.millrace.cli.text.Printable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies a store while work goes on. */
@Command(
    name = "backup",
    description = {
      "Writes a consistent copy of STORE into an empty or absent folder.",
      "With --pid the engine that has the store open writes it, while work goes on."
    })
final class BackupCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private TargetOptions store = new TargetOptions();

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      required = true,
      converter = PathConverter.class,
      description = "Where the copy goes, on this machine.")
  private Path folder = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    try (Target target = store.toRead(command)) {
      target.backup(folder);
    }
    command.getOut().printf("backed up to %s%n", Printable.text(folder.toString()));
    command.getOut().flush();
    return ExitCode.OK;
  }
}
