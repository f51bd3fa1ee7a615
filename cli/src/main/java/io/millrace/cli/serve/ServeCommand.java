package io.millrace.cli.serve;

import io.millrace.api.EngineOptions;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.option.StoreLocation;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import io.millrace.server.ServerSetup;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Serves a store to programs in other processes and on other hosts. */
@Command(
    name = "serve",
    description = {
      "Serves a store to programs in other processes, on other hosts and in other languages.",
      "Prints where it listens, and goes on until Ctrl-C or SIGTERM. Leases are kept when it ends,"
          + " however it ends: the workers that hold them are elsewhere.",
      "At an address that other machines reach, --tokens, --certificates and --key are demanded."
    })
public final class ServeCommand extends MillraceCommand {

  private static final Pattern WITH_SCHEME = Pattern.compile("[a-z][a-z0-9-]+:.*");

  /** The JDK's server reads it once, when it is first used. */
  private static final String HTTP_CONNECTIONS = "jdk.httpserver.maxConnections";

  @Parameters(
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description =
          "The folder of a store, or of a new one with its kind: lmdb:FOLDER or rocksdb:FOLDER.")
  private String store = "";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7171",
      description = "Where gRPC listens (default: ${DEFAULT-VALUE}); port 0 takes a free one.")
  private String listen = "";

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "Answer HTTP with JSON as well, at a loopback address.")
  private @Nullable String http;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description =
          "The tokens: a line each, ROLE,ROLE TOKEN, of the roles enqueue, work, operate, read;"
              + " with QUEUE,QUEUE after it, one is for these queues alone (mail, mail@TENANT,"
              + " mail@*, shop-*).")
  private @Nullable Path tokens;

  @Option(
      names = "--certificates",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "The server's certificate and those that vouch for it, in PEM.")
  private @Nullable Path certificates;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "The private key of the certificate, in PEM.")
  private @Nullable Path key;

  @Option(
      names = "--calls",
      paramLabel = "COUNT",
      defaultValue = "10000",
      description =
          "The most calls under way at a time, those that wait for jobs included"
              + " (default: ${DEFAULT-VALUE}).")
  private int callCountMax;

  @Option(
      names = "--connections",
      paramLabel = "COUNT",
      defaultValue = "4000",
      description =
          "The most connections at a time by gRPC, and as many by HTTP"
              + " (default: ${DEFAULT-VALUE}).")
  private int connectionCountMax;

  @Override
  public Integer call() {
    CommandLine command = command();
    if ((certificates == null) != (key == null)) {
      throw new ParameterException(command, "say --certificates and --key, both or neither");
    }
    String location =
        WITH_SCHEME.matcher(store).matches() ? store : StoreLocation.of(store).location();
    EngineOptions options =
        EngineOptions.DEFAULT
            .leasesAtOpen(EngineOptions.LeasesAtOpen.HONOUR)
            .honourGrace(Duration.ofSeconds(5));
    try (JobEngine engine = Checked.value(command, () -> JobEngine.open(location, options))) {
      serve(command, engine);
    }
    return ExitCode.OK;
  }

  private void serve(CommandLine command, JobEngine engine) {
    try (Server server = start(command, engine)) {
      // Before the engine: those who wait are told, and what is under way is answered.
      AutoCloseable unused = engine.beforeShutdown(server::close);
      PrintWriter out = command.getOut();
      out.println("serving millrace://" + host() + ":" + server.port());
      server.httpPort().ifPresent(it -> out.println("serving http://127.0.0.1:" + it + "/v1/"));
      out.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String host() {
    return listen.substring(0, listen.lastIndexOf(':'));
  }

  private Server start(CommandLine command, JobEngine engine) {
    ServerSetup setup =
        Checked.value(
            command,
            () ->
                Server.on(engine)
                    .callCountMax(callCountMax)
                    .connectionCountMax(connectionCountMax));
    if (System.getProperty(HTTP_CONNECTIONS) == null) {
      System.setProperty(HTTP_CONNECTIONS, Integer.toString(connectionCountMax));
    }
    if (tokens != null) {
      TokenFile.read(command, tokens, setup);
    }
    Path certificate = certificates;
    Path secret = key;
    if (certificate != null && secret != null) {
      Checked.value(command, () -> setup.tls(certificate, secret));
    }
    String web = http;
    if (web != null) {
      Checked.value(command, () -> setup.http(web));
    }
    try {
      return Checked.value(command, () -> setup.listen(listen));
    } catch (UncheckedIOException e) {
      throw new CannotException(e.getMessage() + "; choose another address by --listen", e);
    }
  }
}
