package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.Durability;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.calls.AtShutdown;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.MillraceVersion;
import io.millrace.protocol.Session;
import io.millrace.spi.StoreUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of a server, in another process or on another host, as those of an engine in this
 * process. Any thread.
 *
 * <pre>{@code
 * try (RemoteQueues queues = RemoteQueues.connect("millrace://localhost:7171")) {
 *   queues.queue("mail").enqueue(payload);
 * }
 * }</pre>
 *
 * <p>A broken connection is made again, and calls go on: each is carried out once, as long as the
 * server is the same. A call that a server may have carried out before it was replaced throws
 * {@link io.millrace.api.OutcomeUnknownException} if it must not be made twice, such as an enqueue.
 * If no server is reached within {@link ClientOptions#callTimeout}, a call that was not sent throws
 * {@link StoreUnavailableException}: nothing of it happened. Leases go on whatever becomes of the
 * connection, until their time is over or this is closed.
 */
public final class RemoteQueues extends RemoteCalls {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteQueues.class);

  private static final long RELEASING_MS = 1_000;

  private final Connection connection;
  private final AtShutdown atShutdown;

  private RemoteQueues(Caller caller, Connection connection, AtShutdown atShutdown) {
    super(caller);
    this.connection = connection;
    this.atShutdown = atShutdown;
  }

  /**
   * Connects to a server with the default options; see {@link #connect(String, ClientOptions)}.
   *
   * @throws StoreUnavailableException no server was reached
   * @throws MillraceException the server refuses this client, or this client refuses it
   */
  public static RemoteQueues connect(String location) {
    return connect(location, ClientOptions.DEFAULT);
  }

  /**
   * Connects to a server, with options that the function makes of the default ones.
   *
   * @throws IllegalArgumentException the location, or an option, is wrong
   * @throws StoreUnavailableException no server was reached
   * @throws MillraceException the server refuses this client, or this client refuses it
   */
  public static RemoteQueues connect(String location, UnaryOperator<ClientOptions> options) {
    return connect(location, ClientOptions.DEFAULT.changed(options));
  }

  /**
   * Connects to a server.
   *
   * @param location {@code millrace://HOST:PORT}, or several servers of which each is tried in
   *     turn, {@code millrace://HOST:PORT,HOST:PORT}; the port is 7171 unless it is given
   * @throws IllegalArgumentException the location, or an option, is wrong
   * @throws StoreUnavailableException no server was reached within {@link
   *     ClientOptions#connectTimeout}
   * @throws MillraceException the server refuses this client, whose token is unknown, or it is of
   *     another version, or its certificate is not accepted, or has expired
   */
  public static RemoteQueues connect(String location, ClientOptions options) {
    return connect(location, options, System::nanoTime);
  }

  /** Connects as above, with a clock of the caller's by which leases last. */
  static RemoteQueues connect(String location, ClientOptions options, LongSupplier nowNs) {
    Objects.requireNonNull(options, "options");
    Connection connection = opened(ServerLocation.parse(location), options);
    try {
      connection.connected().get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      String last = connection.lastFailure();
      connection.close();
      throw notConnected(location, options, last, e);
    }
    Caller caller = Caller.of(connection, nowNs, options.claimsAhead());
    connection.holding(caller.leases()::count);
    AtShutdown atShutdown =
        AtShutdown.begin(options.closeAtShutdown() ? () -> end(caller, connection) : () -> {});
    return new RemoteQueues(caller, connection, atShutdown);
  }

  private static Connection opened(ServerLocation location, ClientOptions options) {
    if (options.token().isPresent() && !options.isTls() && !location.isLoopback()) {
      throw new IllegalArgumentException(
          "a token would be sent to another machine without TLS: addresses="
              + location.addresses()
              + "; set ClientOptions.tls, or connect through a tunnel to 127.0.0.1");
    }
    ClientThreads threads = new ClientThreads();
    return new Connection(
        new Channels(
            location.addresses(), Tls.credentials(options), options.token(), threads.connections()),
        new Session.Hello(Identity.byChance(), Identity.described(), MillraceVersion.text()),
        options.callTimeout(),
        threads);
  }

  private static RuntimeException notConnected(
      String location, ClientOptions options, String last, Exception why) {
    if (why.getCause() instanceof MillraceException refused) {
      return new MillraceException(
          "server cannot be used: location=" + location + ", " + refused.getMessage(), why);
    }
    if (why instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new StoreUnavailableException(
        "no server was reached: location="
            + location
            + ", connectTimeout="
            + options.connectTimeout()
            + ", "
            + last,
        why);
  }

  @Override
  public RemoteQueues with(Durability durability) {
    return new RemoteQueues(caller().with(durability), connection, atShutdown);
  }

  @Override
  public <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work) {
    return RemoteTransactions.transact(caller(), work);
  }

  /**
   * Registers work to run when the JVM shuts down, before this client is closed for that reason
   * ({@link ClientOptions#closeAtShutdown}). Closing the returned object takes the work back.
   */
  @Override
  public AutoCloseable beforeShutdown(Runnable work) {
    caller().functions().check();
    return atShutdown.before(Objects.requireNonNull(work, "work"));
  }

  @Override
  public boolean isClosed() {
    return connection.isClosed();
  }

  /**
   * Closes the connection. Listeners end. The leases that were granted by these queues and are
   * still held are released. Calls that are under way are given a second; those that wait for
   * something end. Idempotent.
   */
  @Override
  public void close() {
    end(caller(), connection);
    atShutdown.close();
  }

  private static void end(Caller caller, Connection connection) {
    caller.listenings().close();
    caller.ahead().close();
    List<LeaseRef> held = caller.leases().held();
    if (!held.isEmpty() && !connection.isClosed()) {
      try {
        var unused =
            connection
                .send(new LeaseCalls.Release(held, Optional.empty(), Optional.empty()))
                .get(RELEASING_MS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        LOG.warn("leases are not released, they end with their time: leases={}", held.size(), e);
      }
    }
    connection.close();
  }
}
