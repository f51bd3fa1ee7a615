package io.millrace.jmh;

import io.millrace.cli.option.PathConverter;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Workload;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a load, as given on the command line. */
final class LoadArguments {

  @Mixin private StoreArguments on = new StoreArguments();

  @Option(
      names = "--producers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that enqueue (default: ${DEFAULT-VALUE}).")
  int producers = 8;

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that claim and complete (default: ${DEFAULT-VALUE}).")
  int consumers = 8;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1",
      description = "Jobs in each call (default: ${DEFAULT-VALUE}).")
  int batch = 1;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Calls by future that each thread has under way; 0 for blocking calls (default).")
  int inFlight;

  @Option(
      names = "--server",
      description =
          "Call the engine through a server and a client of it, over the loopback network, in this"
              + " process. Leases are honoured, as a server's are.")
  boolean isRemote;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Length of each payload (default: ${DEFAULT-VALUE}).")
  int payload = 256;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      description =
          "Jobs in the queue before the measurement (default: 1000000 for backlog and delayed,"
              + " otherwise 0).")
  private @Nullable Integer backlog;

  @Option(
      names = "--queues",
      paramLabel = "N",
      defaultValue = "1",
      description = "Queues in the store (default: ${DEFAULT-VALUE}).")
  int queues = 1;

  @Option(
      names = "--load-on",
      paramLabel = "WHICH",
      defaultValue = "one",
      description =
          "Which queues have the load: one (default), all of them, evenly, or tenants: all of them,"
              + " as tenants of one name, and each claim is across the tenants.")
  LoadOptions.LoadOn loadOn = LoadOptions.LoadOn.ONE;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description =
          "How long to measure the engine; the bare store and the plain log take as long again,"
              + " each (default: ${DEFAULT-VALUE}).")
  double seconds = 10;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "In how many rounds they take turns (default: ${DEFAULT-VALUE}).")
  int rounds = 5;

  @Option(
      names = "--rate",
      paramLabel = "JOBS/S",
      defaultValue = "0",
      description =
          "Enqueue at this rate and count latencies from when each call was due; 0 for as fast as"
              + " it goes (default).")
  int rate;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      converter = PathConverter.class,
      defaultValue = "millrace-bench",
      description =
          "Where files are written, in a folder that is removed again (default:"
              + " ${DEFAULT-VALUE}).")
  Path dir = Path.of("millrace-bench");

  LoadOptions options(Workload workload) {
    OptionalInt given = backlog == null ? OptionalInt.empty() : OptionalInt.of(backlog);
    return new LoadOptions(
        workload,
        on.store,
        on.durability,
        new LoadOptions.Callers(producers, consumers, batch, inFlight, isRemote),
        payload,
        given.orElse(workload.defaultBacklogCount()),
        new LoadOptions.Queues(queues, loadOn),
        new LoadOptions.Timing(Given.length(seconds, rounds), rounds, rate),
        dir);
  }
}
