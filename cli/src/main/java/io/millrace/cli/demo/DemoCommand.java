package io.millrace.cli.demo;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.option.PathConverter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows Millrace at work: hashes all files of a folder, and can be killed at any time. */
@Command(
    name = "demo",
    description = {
      "Computes the SHA-256 sum of every file below FOLDER, one job each, into manifest.sha256.",
      "Kill it at any time, with kill -9 too: the same command goes on from there. Symbolic links"
          + " and special files are skipped; what cannot be read becomes a dead letter."
    })
public final class DemoCommand extends MillraceCommand {

  private static final int WORKER_COUNT_MAX = 256;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FOLDER",
      converter = PathConverter.class,
      description = "Whose files to hash; without it the folder of the running Java.")
  private @Nullable Path folder;

  @Option(
      names = "--store",
      paramLabel = "KIND",
      defaultValue = "lmdb",
      description = "What keeps the jobs: lmdb (default), rocksdb, or memory, which forgets them.")
  private StoreKind store = StoreKind.LMDB;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      converter = PathConverter.class,
      defaultValue = "millrace-demo",
      description = "Where the store and the manifest go (default: ${DEFAULT-VALUE}).")
  private Path dir = Path.of("millrace-demo");

  @Option(names = "--fresh", description = "Start over: forget what an earlier demo left in DIR.")
  private boolean isFresh;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many threads hash files (default: one for each processor).")
  private @Nullable Integer workers;

  @Option(
      names = "--fail-every",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Let the first attempt of every Nth job fail, to show retries; 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private int failEvery;

  @Override
  public Integer call() {
    int workerCount =
        Optional.ofNullable(workers).orElse(Runtime.getRuntime().availableProcessors());
    if (workerCount < 1 || workerCount > WORKER_COUNT_MAX) {
      throw new ParameterException(
          command(), "--workers is from 1 to %d: %d".formatted(WORKER_COUNT_MAX, workerCount));
    }
    if (failEvery < 0) {
      throw new ParameterException(
          command(), "--fail-every is 0 for none, or a number of jobs: " + failEvery);
    }
    DemoOptions options =
        new DemoOptions(
            Optional.ofNullable(folder).orElseGet(() -> Path.of(System.getProperty("java.home"))),
            dir,
            store,
            isFresh,
            workerCount,
            failEvery);
    Demo.Ending ending = new Demo(options, out()).run();
    return ending == Demo.Ending.COMPLETE ? ExitCode.OK : ExitCode.CANNOT;
  }
}
