package io.millrace.server;

import com.sun.net.httpserver.HttpServer;
import io.millrace.api.ConnectedClient;
import io.millrace.api.JobQueues;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A server of queues for programs in other processes, by gRPC and by HTTP with JSON. Any thread.
 *
 * <pre>{@code
 * try (Server server = Server.on(engine).http("127.0.0.1:7172").listen("127.0.0.1:7171")) {
 *   ...
 * }
 * }</pre>
 */
public final class Server implements AutoCloseable {

  /** The time that calls, and then their answers, have left when the server is closed. */
  private static final long CLOSING_MS = 1_000;

  private final io.grpc.Server grpc;
  private final Optional<HttpServer> http;
  private final Dispatch dispatch;
  private final Sessions sessions;
  private final ServerThreads threads;

  Server(
      io.grpc.Server grpc,
      Optional<HttpServer> http,
      Dispatch dispatch,
      Sessions sessions,
      ServerThreads threads) {
    this.grpc = grpc;
    this.http = http;
    this.dispatch = dispatch;
    this.sessions = sessions;
    this.threads = threads;
  }

  /** Returns the set-up of a server of these queues, which outlive it. */
  public static ServerSetup on(JobQueues queues) {
    return new ServerSetup(queues);
  }

  /** Returns the port of gRPC. */
  public int port() {
    return grpc.getPort();
  }

  /** Returns the port of HTTP; empty if calls are not answered by HTTP. */
  public OptionalInt httpPort() {
    return http.stream().mapToInt(it -> it.getAddress().getPort()).findFirst();
  }

  /**
   * Returns the programs that are connected, those who came first first. Calls by HTTP, and single
   * ones by gRPC, are of nobody who is known.
   */
  public List<ConnectedClient> clients() {
    return sessions.clients();
  }

  /**
   * Stops answering calls. Those that wait end at once, and are told that the server is closed;
   * others are given a second. The queues are not closed, and leases go on.
   */
  @Override
  public void close() {
    grpc.shutdown();
    try {
      dispatch.close(CLOSING_MS);
      sessions.close();
      threads.answerHttp(CLOSING_MS);
      if (!grpc.awaitTermination(CLOSING_MS, TimeUnit.MILLISECONDS)) {
        grpc.shutdownNow().awaitTermination(CLOSING_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      grpc.shutdownNow();
      Thread.currentThread().interrupt();
    }
    http.ifPresent(it -> it.stop(0));
    threads.close();
  }
}
