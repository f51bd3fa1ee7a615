package io.millrace.jmh;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.PeerSide;
import io.millrace.jmh.load.PeersRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.RunFolder;
import io.millrace.jmh.servers.ServerPeer;
import io.millrace.options.Checks;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that measures the engine, our server and servers of others in turns. */
@Command(
    name = "servers",
    description = {
      "Measures the engine, our server, and those of others under the same loads, in turns. The"
          + " engine is in the process of its callers; each server has a process of its own, and"
          + " its callers another. Servers are called over the loopback network; each call is"
          + " answered after what it wrote is synced.",
      "Exit code 1 says that a job was lost or done twice."
    })
final class ServersCommand implements Callable<Integer> {

  private final List<ServerPeer> known;
  private final Starting starting;

  /** A way to start a peer and its callers for a row. */
  interface Starting {
    PeerSide start(Peer peer, TableRows.Row row, Path parent);
  }

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RowArguments rows = new RowArguments();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--servers",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these beside the engine: millrace, millrace-ahead, beanstalkd, redis, artemis.")
  private List<String> names = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long to measure each of them in each row (default: ${DEFAULT-VALUE}).")
  private double seconds = 10;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "In how many rounds they take turns (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "30",
      description =
          "How long each of them is under load before that, in each row, while Java compiles"
              + " (default: ${DEFAULT-VALUE}).")
  private double warmUp = 30;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Length of each payload (default: ${DEFAULT-VALUE}).")
  private int payload = TableRows.PAYLOAD_BYTES;

  ServersCommand() {
    this(ServerPeer.all(), CallersProcess::start);
  }

  /** Creates the command with servers of which a test knows what they do. */
  ServersCommand(List<ServerPeer> known, Starting starting) {
    this.known = known;
    this.starting = starting;
  }

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    Duration warmingUp = Given.checked(command, () -> Given.warmUp(warmUp));
    List<TableRows.Row> all = Given.checked(command, this::rows);
    rows.requireRow(command, all.stream().map(TableRows.Row::name).toList());
    List<ServerPeer> servers = installed(command, chosen(command));
    RunFolder.create(rows.dir).close();
    Progress progress = Given.progress(command);
    ServersPrinter printer = new ServersPrinter(command.commandLine().getOut(), rows.isJson);
    printer.begin(servers, payload, warmingUp);
    boolean isGood = true;
    for (TableRows.Row row : all.stream().filter(row -> rows.isWanted(row.name())).toList()) {
      boolean isOfBatches = ServerRows.isOfBatches(row);
      List<Peer> peers = new ArrayList<>(List.of(ServerRows.engine()));
      servers.stream().filter(it -> it.takesBatches() || !isOfBatches).forEach(peers::add);
      progress.begin(row.name());
      List<PeerSide.Start> starts =
          peers.stream()
              .map(it -> new PeerSide.Start(it.name(), parent -> starting.start(it, row, parent)))
              .toList();
      List<PeersRun.Result> results =
          new PeersRun(row.options(), warmingUp, starts, progress).run();
      progress.end();
      results.forEach(result -> printer.result(row, result));
      servers.stream()
          .filter(it -> !it.takesBatches() && isOfBatches)
          .forEach(it -> printer.without(row, it.name()));
      isGood &= results.stream().allMatch(result -> result.findings().isEmpty());
    }
    return isGood ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private List<TableRows.Row> rows() {
    Checks.inRange("--rounds", rounds, 1, LoadOptions.ROUND_COUNT_MAX);
    LoadOptions.Timing timing = new LoadOptions.Timing(Given.length(seconds, rounds), rounds, 0);
    return new ServerRows(timing, payload, rows.dir).all();
  }

  private List<ServerPeer> chosen(CommandSpec command) {
    List<String> all = known.stream().map(Peer::name).toList();
    for (String name : names) {
      if (!all.contains(name)) {
        throw new ParameterException(
            command.commandLine(),
            "unknown server: '%s'; known are %s".formatted(name, String.join(", ", all)));
      }
    }
    return known.stream().filter(it -> names.isEmpty() || names.contains(it.name())).toList();
  }

  /** Returns those that can be started, and tells of the others what to install. */
  private static List<ServerPeer> installed(CommandSpec command, List<ServerPeer> chosen) {
    PrintWriter err = command.commandLine().getErr();
    for (ServerPeer server : chosen) {
      server
          .missing()
          .ifPresent(
              what ->
                  err.printf(
                      "millrace: %s is LEFT OUT, for it is not installed: install %s%n",
                      server.name(), what));
    }
    err.flush();
    List<ServerPeer> there = chosen.stream().filter(it -> it.missing().isEmpty()).toList();
    if (there.isEmpty()) {
      throw new CannotException("none of the servers is installed; nothing was measured");
    }
    return there;
  }
}
