package io.millrace.cli.workers;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.WorkerOptions;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.WorkerProcess;
import java.time.Instant;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the workers of a running process. */
@Command(
    name = "workers",
    description = {
      "Shows the workers of a running process, and the jobs that each of them runs.",
      "Its commands change what they do. Needs --pid."
    },
    subcommands = {
      WorkersPauseCommand.class,
      WorkersResumeCommand.class,
      WorkersConcurrencyCommand.class,
      WorkersCancelCommand.class,
      WorkersStopCommand.class
    })
public final class WorkersCommand extends MillraceCommand {

  /**
   * The calls of a stack that are shown: enough for those of handlers, and for those that call
   * them.
   */
  private static final int STACK_LENGTH = 64;

  @Mixin private WorkerOptions workers = new WorkerOptions();

  @Option(names = "--stacks", description = "Show what the thread of each job is doing.")
  private boolean isWithStacks;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    try (WorkerProcess process = workers.attach(command)) {
      WorkerListing listing = new WorkerListing(command.getOut(), Instant.now());
      for (LiveWorker worker : process.workers(workers.choice())) {
        listing.add(worker, isWithStacks ? STACK_LENGTH : 0);
      }
      if (json.isJson()) {
        listing.printJson();
      } else {
        listing.printTables();
      }
    }
    command.getOut().flush();
    return ExitCode.OK;
  }
}
