package io.millrace.cli.schedules;

import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.ServerOptions;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.option.WorkerOptions;
import io.millrace.cli.place.FolderTarget;
import io.millrace.cli.place.QueuesSchedules;
import io.millrace.cli.place.ScheduleTarget;
import io.millrace.cli.place.ServerTarget;
import io.millrace.cli.place.WorkerSchedules;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The store whose schedules a command is about: one in a folder, or that of a worker that runs. */
final class ScheduleOptions {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description = "A store's folder, such as data/jobs, or say --pid" + ServerOptions.OR_SERVER)
  private @Nullable String store;

  @Mixin private WorkerOptions workers = new WorkerOptions();
  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private LostCommitsOption lost = new LostCommitsOption();

  /** Opens the schedules to look at them. */
  ScheduleTarget toRead(CommandLine command) {
    return target(
        command,
        location ->
            FolderTarget.toRead(
                location, lost.lostCommits(), note -> TargetOptions.tell(command, note)));
  }

  /** Opens the schedules to change them. */
  ScheduleTarget toChange(CommandLine command) {
    return target(command, location -> FolderTarget.toChange(location, lost.lostCommits()));
  }

  private ScheduleTarget target(CommandLine command, Function<String, FolderTarget> opening) {
    Optional<ServerTarget> asked = server.connect(command, store);
    if (asked.isPresent()) {
      return new QueuesSchedules(asked.get());
    }
    if (workers.isGiven()) {
      if (store != null) {
        throw new ParameterException(command, "say either STORE or --pid, not both");
      }
      return WorkerSchedules.of(workers.attach(command), workers.choice());
    }
    if (store == null) {
      throw TargetOptions.noStore(command);
    }
    return new QueuesSchedules(opening.apply(StoreLocation.of(store).location()));
  }
}
