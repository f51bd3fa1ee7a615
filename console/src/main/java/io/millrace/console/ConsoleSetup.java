package io.millrace.console;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.Limits;
import io.millrace.console.access.Guard;
import io.millrace.console.hook.AccessCheck;
import io.millrace.console.hook.AuditEntry;
import io.millrace.console.hook.PayloadView;
import io.millrace.console.live.History;
import io.millrace.console.source.Changes;
import io.millrace.console.source.LocalChanges;
import io.millrace.console.source.LocalSource;
import io.millrace.console.source.Source;
import io.millrace.console.source.Sourced;
import io.millrace.engine.JobEngine;
import io.millrace.options.Checks;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A console that is being set up. For one thread. */
public final class ConsoleSetup {

  /** The fewest characters of a token that is set. */
  public static final int TOKEN_LENGTH_MIN = 16;

  private static final int TOKEN_LENGTH_MAX = 1_024;
  private static final int PORT_MAX = 65_535;

  private final JobReader reader;
  private final Optional<JobQueues> queues;
  private final Optional<JobEngine> engine;

  private final List<Worker> workers = new ArrayList<>();
  private final Set<String> hosts = new TreeSet<>();
  private String name = "Millrace";
  private InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
  private String path = "/";
  private Optional<String> token = Optional.empty();
  private Optional<String> readToken = Optional.empty();
  private Optional<AccessCheck> access = Optional.empty();
  private Optional<PayloadView> payloads = Optional.empty();
  private Consumer<AuditEntry> audit = entry -> {};
  private @Nullable SSLContext tls;
  private boolean isReadOnly;
  private Duration patience = Patience.LENGTH;
  private Duration step = History.STEP;

  ConsoleSetup(JobReader reader, Optional<JobQueues> queues, Optional<JobEngine> engine) {
    this.reader = Objects.requireNonNull(reader, "queues");
    this.queues = queues;
    this.engine = engine;
  }

  /** Shows what this worker runs, and cancels jobs through it; may be called for several. */
  public ConsoleSetup worker(Worker worker) {
    workers.add(Objects.requireNonNull(worker, "worker"));
    return this;
  }

  /**
   * Sets the name of the application, which all pages bear; Millrace by default.
   *
   * @throws IllegalArgumentException it is empty, or longer than a queue's may be
   */
  public ConsoleSetup name(String value) {
    name = Checks.text("name", value, 1, Limits.NAME_BYTES_MAX);
    return this;
  }

  /**
   * Sets the port, on the loopback address; a free one by default.
   *
   * @throws IllegalArgumentException the port is out of its range, 0 to 65535
   */
  public ConsoleSetup port(int value) {
    return address(
        new InetSocketAddress("127.0.0.1", (int) Checks.inRange("port", value, 0, PORT_MAX)));
  }

  /**
   * Sets the address to listen on. Whoever reaches an address that is not the loopback's may try
   * tokens, and read along unless there is {@link #tls}.
   */
  public ConsoleSetup address(InetSocketAddress value) {
    address = Objects.requireNonNull(value, "address");
    return this;
  }

  /**
   * Adds a name or an address that visitors call the console by, such as {@code ops.example.org}.
   * Requests for other names than these and the loopback's are refused. {@code *} stands for any
   * name: in an application's server whose names it does not know, where nobody comes in by the
   * address that a request comes from alone.
   *
   * @throws IllegalArgumentException it is empty, or longer than a queue's may be
   */
  public ConsoleSetup host(String value) {
    hosts.add(Checks.text("host", value, 1, Limits.NAME_BYTES_MAX));
    return this;
  }

  /**
   * Sets the path that the console is below; the root by default.
   *
   * @throws IllegalArgumentException it does not begin with a slash
   */
  public ConsoleSetup path(String value) {
    Objects.requireNonNull(value, "path");
    if (!value.startsWith("/") || value.contains("//") || value.matches(".*[^\\w./~-].*")) {
      throw new IllegalArgumentException(
          "path is none of a console: value=" + value + ", such as=/millrace");
    }
    path = value;
    return this;
  }

  /**
   * Sets the token of who may change things; one made by chance by default.
   *
   * @throws IllegalArgumentException it is shorter than {@value #TOKEN_LENGTH_MIN} characters
   */
  public ConsoleSetup token(String value) {
    token = Optional.of(checkedToken("token", value));
    return this;
  }

  /**
   * Sets the token of who may only look; nobody has one by default.
   *
   * @throws IllegalArgumentException it is shorter than {@value #TOKEN_LENGTH_MIN} characters
   */
  public ConsoleSetup readToken(String value) {
    readToken = Optional.of(checkedToken("readToken", value));
    return this;
  }

  private static String checkedToken(String parameter, String value) {
    Objects.requireNonNull(value, parameter);
    Checks.inRange("length of " + parameter, value.length(), TOKEN_LENGTH_MIN, TOKEN_LENGTH_MAX);
    return value;
  }

  /** Sets a check of the application's own, in place of tokens. */
  public ConsoleSetup access(AccessCheck value) {
    access = Optional.of(value);
    return this;
  }

  /** Sets how payloads, results, kept states and headers of jobs are shown. */
  public ConsoleSetup payloads(PayloadView value) {
    payloads = Optional.of(value);
    return this;
  }

  /**
   * Sets who is told of each action, beside the log {@code io.millrace.console.audit}. Called on
   * the thread of the request, after the action; what it throws is logged.
   */
  public ConsoleSetup audit(Consumer<AuditEntry> value) {
    audit = Objects.requireNonNull(value, "audit");
    return this;
  }

  /** Encrypts all connections. */
  public ConsoleSetup tls(SSLContext value) {
    tls = Objects.requireNonNull(value, "tls");
    return this;
  }

  /** Lets nobody change anything. */
  public ConsoleSetup readOnly() {
    isReadOnly = true;
    return this;
  }

  /** Sets how long the server waits for a visitor. */
  ConsoleSetup patience(Duration value) {
    patience = value;
    return this;
  }

  /** Sets the time between two points of the last hour. */
  ConsoleSetup step(Duration value) {
    step = value;
    return this;
  }

  /**
   * Starts a server for the console.
   *
   * @throws UncheckedIOException the address cannot be had
   */
  public Console start() {
    HttpServer server = server();
    try {
      return new ServedConsole(server, path, app(tls != null), new Patience(patience));
    } catch (RuntimeException | Error e) {
      server.stop(0);
      throw e;
    }
  }

  /**
   * Returns the console as a part of the application's own server, which hands it all requests
   * below one path: {@code server.createContext("/millrace", handler)}. It ends with {@link
   * HandledConsole#close}.
   */
  public HandledConsole handler() {
    return new HandledConsole(app(tls != null));
  }

  private HttpServer server() {
    try {
      if (tls == null) {
        return HttpServer.create(address, 0);
      }
      HttpsServer server = HttpsServer.create(address, 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "console cannot listen: address=" + address + ", reason=" + e.getMessage(), e);
    }
  }

  private App app(boolean isSecure) {
    Source source = reader instanceof Sourced other ? other.source(isReadOnly) : local();
    if (!address.getAddress().isAnyLocalAddress()) {
      hosts.add(address.getHostString());
      hosts.add(address.getAddress().getHostAddress());
    }
    String operate = token.orElseGet(App::newToken);
    Guard guard = new Guard(new Guard.Tokens(operate, readToken), access, hosts, System::nanoTime);
    App.Setup setup = new App.Setup(name, operate, isSecure, payloads, audit);
    return new App(setup, source, guard, new History(source, queues, step));
  }

  private Source local() {
    Optional<Changes> changes =
        isReadOnly ? Optional.empty() : queues.map(it -> new LocalChanges(it, engine, workers));
    return new LocalSource(reader, engine, changes, workers);
  }
}
