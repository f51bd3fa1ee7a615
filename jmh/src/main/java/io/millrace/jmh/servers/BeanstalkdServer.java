package io.millrace.jmh.servers;

import io.millrace.api.Limits;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Payloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** beanstalkd, with a log that is synced at each write. */
final class BeanstalkdServer implements ServerPeer {

  /** The shortest wait for a job that its protocol knows but for none. */
  private static final int WAIT_S = 1;

  private final String program;

  BeanstalkdServer(String program) {
    this.program = program;
  }

  @Override
  public String name() {
    return "beanstalkd";
  }

  @Override
  public String setting() {
    return "-b FOLDER -f 0: a sync for each write; one connection for each caller, no batches";
  }

  @Override
  public boolean takesBatches() {
    return false;
  }

  @Override
  public Optional<String> missing() {
    return ServerProcess.program(program).isPresent()
        ? Optional.empty()
        : Optional.of(program + " (Debian: apt-get install beanstalkd)");
  }

  @Override
  public Running start(Path folder, LoadOptions options) {
    int port = ServerProcess.freePort();
    Path log = folder.resolve("log");
    try {
      Files.createDirectories(log);
    } catch (IOException e) {
      throw new UncheckedIOException("folder cannot be made: path=" + log, e);
    }
    return ServerProcess.start(
            folder,
            port,
            List.of(
                program,
                "-l",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-b",
                log.toString(),
                "-f",
                "0",
                "-z",
                String.valueOf(Limits.PAYLOAD_BYTES_MAX)))
        .called(() -> new Calls(port));
  }

  /** Calls of one server. A job belongs to the connection that reserved it. */
  private static final class Calls extends BlockingTarget {

    private final Connections<BeanstalkdConnection> connections;

    Calls(int port) {
      connections = new Connections<>(() -> new BeanstalkdConnection(port));
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      BeanstalkdConnection connection = connections.take();
      payloads.forEach(connection::put);
      connections.giveBack(connection);
    }

    @Override
    public Claimed claim(int max) {
      BeanstalkdConnection connection = connections.take();
      List<BeanstalkdConnection.Job> jobs = new ArrayList<>();
      Optional<BeanstalkdConnection.Job> next = connection.reserve(WAIT_S);
      while (next.isPresent()) {
        jobs.add(next.get());
        next = jobs.size() < max ? connection.reserve(0) : Optional.empty();
      }
      if (jobs.isEmpty()) {
        connections.giveBack(connection);
        return Handed.NONE;
      }
      return new Handed(
          jobs.stream().mapToLong(job -> Payloads.number(job.body())).toArray(),
          () -> {
            jobs.forEach(job -> connection.delete(job.id()));
            connections.giveBack(connection);
          });
    }

    @Override
    public void close() {
      connections.close();
    }
  }
}
