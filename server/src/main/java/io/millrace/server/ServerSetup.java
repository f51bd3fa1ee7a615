package io.millrace.server;

import com.sun.net.httpserver.HttpServer;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import io.millrace.protocol.EventLoops;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that is being set up. Belongs to one thread. */
public final class ServerSetup {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private static final int CALL_COUNT_DEFAULT = 10_000;
  private static final int CONNECTION_COUNT_DEFAULT = 4_000;

  /**
   * The greatest length of a message: of the longest content that a call may have, and more. As
   * JSON, where bytes are a third longer, less content fits.
   */
  private static final int MESSAGE_BYTES_MAX = Limits.CALL_BYTES_MAX + (8 << 20);

  /** The most bytes of the headers of a call. */
  private static final int HEADER_BYTES_MAX = 16 << 10;

  private static final int CONNECTION_CALLS_MAX = 1_000;

  private final JobQueues queues;
  private final List<Access.Account> accounts = new ArrayList<>();
  private Optional<InetSocketAddress> http = Optional.empty();
  private Optional<ServerCredentials> tls = Optional.empty();
  private int callCountMax = CALL_COUNT_DEFAULT;
  private int connectionCountMax = CONNECTION_COUNT_DEFAULT;
  private Duration patience = Patience.LENGTH;
  private Duration kept = Sessions.KEPT;

  ServerSetup(JobQueues queues) {
    this.queues = queues;
  }

  /**
   * Lets whoever sends this token do what the roles allow. Without any token everybody may do
   * everything, which is possible at loopback addresses alone.
   *
   * @param token 32 characters or more, best random ones
   * @throws IllegalArgumentException the token is shorter, or there is no role
   */
  public ServerSetup token(String token, Set<Role> roles) {
    accounts.add(Access.Account.of(token, roles, Optional.empty()));
    return this;
  }

  /**
   * Lets whoever sends this token do what the roles allow, to some queues alone: {@code mail} is
   * the queue of that name, {@code mail@acme} the one of the tenant, and a star at the end of a
   * name or a tenant stands for whatever follows: {@code mail@*}, {@code shop-*}, {@code *@acme}.
   * Calls are refused that belong to no queue, or that nobody can tell of: on tables, on batches
   * that are there, and on all queues.
   *
   * @param token 32 characters or more, best random ones
   * @throws IllegalArgumentException the token is shorter, there is no role or no queue, or a text
   *     means no queues
   */
  public ServerSetup token(String token, Set<Role> roles, Set<String> queues) {
    accounts.add(Access.Account.of(token, roles, Optional.of(queues)));
    return this;
  }

  /**
   * Encrypts connections by TLS.
   *
   * @param certificates a file with the certificate and those that vouch for it, in PEM
   * @param key a file with the private key, in PEM
   * @throws IllegalArgumentException a file cannot be read, or is not what it should be
   */
  public ServerSetup tls(Path certificates, Path key) {
    try {
      ServerCredentials credentials =
          TlsServerCredentials.create(certificates.toFile(), key.toFile());
      // Netty looks into them here, and else when the server starts.
      var unused = NettyServerBuilder.forPort(0, credentials);
      tls = Optional.of(credentials);
      warnIfExpired(certificates);
    } catch (IOException | CertificateException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "certificate or key cannot be read, both must be PEM: certificates="
              + certificates
              + ", key="
              + key
              + ": "
              + e.getMessage(),
          e);
    }
    return this;
  }

  /** Tells the log of a certificate that clients will not accept; what it serves may do without. */
  private static void warnIfExpired(Path certificates) throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(certificates)) {
      X509Certificate first =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      if (first.getNotAfter().toInstant().isBefore(Instant.now())) {
        LOG.warn(
            "certificate has expired, clients do not accept it, renew it: certificates={},"
                + " until={}",
            certificates,
            first.getNotAfter().toInstant());
      }
    }
  }

  /**
   * Answers calls by HTTP with JSON, too. The address must be a loopback one: if others are to
   * reach it, a proxy that speaks TLS has to stand before it.
   *
   * @param address {@code HOST:PORT}; port 0 takes a free one
   * @throws IllegalArgumentException the address is none, or not a loopback one
   */
  public ServerSetup http(String address) {
    InetSocketAddress parsed = parse(address);
    if (!parsed.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "others can reach this address, and HTTP is not encrypted: address="
              + address
              + "; answer at 127.0.0.1 and put a proxy before it that speaks TLS");
    }
    http = Optional.of(parsed);
    return this;
  }

  /**
   * Sets how many calls may be under way at a time, those that wait for jobs included.
   *
   * @param value 1 to 1,000,000; 10,000 unless it is set
   * @throws IllegalArgumentException the value is out of this range
   */
  public ServerSetup callCountMax(int value) {
    Checks.inRange("callCountMax", value, 1, 1_000_000);
    callCountMax = value;
    return this;
  }

  /**
   * Sets how many connections by gRPC there may be at a time; those beyond are closed at once. By
   * HTTP the JDK's own limit applies, {@code -Djdk.httpserver.maxConnections}.
   *
   * @param value 1 to 1,000,000; 4,000 unless it is set
   * @throws IllegalArgumentException the value is out of this range
   */
  public ServerSetup connectionCountMax(int value) {
    Checks.inRange("connectionCountMax", value, 1, 1_000_000);
    connectionCountMax = value;
    return this;
  }

  /** Sets how long a request by HTTP may take to come, and an answer to be taken. */
  ServerSetup patience(Duration value) {
    patience = value;
    return this;
  }

  /** Sets for how long a client without a connection is remembered. */
  ServerSetup kept(Duration value) {
    kept = value;
    return this;
  }

  /**
   * Starts the server.
   *
   * @param address {@code HOST:PORT}; port 0 takes a free one
   * @throws IllegalArgumentException the address is none, or others can reach it and there is no
   *     token, or no TLS
   * @throws UncheckedIOException the server cannot listen at the address; nothing was started
   */
  public Server listen(String address) {
    InetSocketAddress parsed = parse(address);
    if (!parsed.getAddress().isLoopbackAddress() && (accounts.isEmpty() || tls.isEmpty())) {
      throw new IllegalArgumentException(
          "others can reach this address, and there is no token, or no TLS: address="
              + address
              + "; set both, or listen at 127.0.0.1");
    }
    ServerThreads threads = new ServerThreads(connectionCountMax);
    Access access = new Access(List.copyOf(accounts));
    Dispatch dispatch = new Dispatch(queues, threads.blocking(), threads.slow(), callCountMax);
    Sessions sessions = new Sessions(dispatch, threads, callCountMax, kept);
    io.grpc.Server grpc =
        limited(parsed)
            // A call is begun on the thread of its connection; what blocks has threads of its own.
            .directExecutor()
            .bossEventLoopGroup(threads.connections().group())
            .workerEventLoopGroup(threads.connections().group())
            .channelType(EventLoops.serverChannels())
            .intercept(GrpcCalls.access(access))
            .addService(new GrpcCalls(dispatch, sessions).service())
            .build();
    @Nullable HttpServer web = null;
    try {
      if (http.isPresent()) {
        web = HttpServer.create(http.get(), 0);
        Patience watch = new Patience(threads.clock(), patience);
        web.setExecutor(work -> threads.httpRequests().execute(() -> watch.during(work::run)));
        web.createContext(
            "/", new HttpCalls(dispatch, access, MESSAGE_BYTES_MAX, threads.http(), watch));
      }
      grpc.start();
    } catch (IOException e) {
      if (web != null) {
        web.stop(0);
      }
      threads.close();
      throw new UncheckedIOException(
          "server cannot listen: address="
              + (web == null && http.isPresent() ? http.get() : address)
              + ": "
              + (e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
          e);
    }
    if (web != null) {
      web.start();
    }
    return new Server(grpc, Optional.ofNullable(web), dispatch, sessions, threads);
  }

  /** Returns a server that takes from its callers no more than it can bear. */
  private NettyServerBuilder limited(InetSocketAddress address) {
    return NettyServerBuilder.forAddress(address, tls.orElseGet(InsecureServerCredentials::create))
        .flowControlWindow(EventLoops.WINDOW_BYTES)
        .maxInboundMessageSize(MESSAGE_BYTES_MAX)
        .maxInboundMetadataSize(HEADER_BYTES_MAX)
        .maxConcurrentCallsPerConnection(CONNECTION_CALLS_MAX)
        // Those who have gone without a word are noticed, and so wait for no jobs any more.
        .keepAliveTime(10, TimeUnit.SECONDS)
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .permitKeepAliveTime(5, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true)
        .handshakeTimeout(10, TimeUnit.SECONDS);
  }

  private static InetSocketAddress parse(String address) {
    int colon = Checks.text("address", address, 1, 300).lastIndexOf(':');
    String port = address.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
      throw wrong(address);
    }
    InetSocketAddress parsed =
        new InetSocketAddress(address.substring(0, colon), Integer.parseInt(port));
    if (parsed.isUnresolved()) {
      throw wrong(address);
    }
    return parsed;
  }

  private static IllegalArgumentException wrong(String address) {
    return new IllegalArgumentException(
        "nothing can listen at this address: value=\"" + address + "\", expected HOST:PORT");
  }
}
