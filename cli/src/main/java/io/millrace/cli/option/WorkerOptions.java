package io.millrace.cli.option;

import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.WorkerChoice;
import io.millrace.cli.place.WorkerProcess;
import io.millrace.console.text.Printable;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The process whose workers a command is about, and the choice among them. */
public final class WorkerOptions {

  @Option(
      names = RunningOptions.PID,
      paramLabel = "PID",
      description = "The process that runs the workers.")
  private @Nullable Long pid;

  @Option(
      names = "--worker",
      paramLabel = "NAME",
      converter = FilledConverter.class,
      description = "The worker of this name.")
  private @Nullable String name;

  @Option(
      names = "--instance",
      paramLabel = "N",
      description = "With --worker, which of those of that name, from 1.")
  private @Nullable Integer instance;

  /** Tells whether a process or a worker was named. */
  public boolean isGiven() {
    return pid != null || name != null || instance != null;
  }

  /** Attaches to the process. */
  public WorkerProcess attach(CommandLine command) {
    if (pid == null) {
      throw new ParameterException(command, "say which process runs the workers: --pid");
    }
    if (instance != null && name == null) {
      throw new ParameterException(command, "--instance needs --worker");
    }
    if (instance != null && instance < 1) {
      throw new ParameterException(command, "--instance is 1 or more: " + instance);
    }
    return WorkerProcess.attach(pid);
  }

  /** Returns the choice of workers; all of them if none was named. */
  public WorkerChoice choice() {
    OptionalInt number = instance == null ? OptionalInt.empty() : OptionalInt.of(instance);
    return new WorkerChoice(Optional.ofNullable(name), number);
  }

  /** Returns the worker's label, for people. */
  public static String label(LiveWorker worker) {
    return Printable.text(worker.label());
  }
}
