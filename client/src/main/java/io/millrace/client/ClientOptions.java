package io.millrace.client;

import io.millrace.api.Limits;
import io.millrace.api.Options;
import io.millrace.options.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The options of a client; see {@link RemoteQueues#connect(String, ClientOptions)}. Immutable:
 * start from {@link #DEFAULT} and change what differs.
 */
public final class ClientOptions extends Options {

  /** The default options: neither a token nor TLS, a minute for calls, five seconds to connect. */
  public static final ClientOptions DEFAULT = new ClientOptions();

  private static final Duration TIMEOUT_LEAST = Duration.ofMillis(1);
  private static final Duration TIMEOUT_MAX = Duration.ofDays(1);

  private Optional<Secret> token = Optional.empty();
  private boolean tls;
  private Optional<Path> trusted = Optional.empty();
  private Duration callTimeout = Duration.ofMinutes(1);
  private Duration connectTimeout = Duration.ofSeconds(5);
  private int claimsAhead;
  private boolean closeAtShutdown = true;

  /** A text that is not shown. */
  private record Secret(String text) {
    @Override
    public String toString() {
      return "not shown";
    }
  }

  private ClientOptions() {}

  private ClientOptions(ClientOptions other) {
    super(other);
    token = other.token;
    tls = other.tls;
    trusted = other.trusted;
    callTimeout = other.callTimeout;
    connectTimeout = other.connectTimeout;
    claimsAhead = other.claimsAhead;
    closeAtShutdown = other.closeAtShutdown;
  }

  /**
   * Returns the options that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public ClientOptions changed(UnaryOperator<ClientOptions> change) {
    return applied(new ClientOptions(this), change);
  }

  /**
   * Sets the token that the server knows this client by. It is sent by connections with TLS, and to
   * this machine, alone.
   *
   * @throws IllegalArgumentException the token has not 1 to 1,024 bytes
   */
  public ClientOptions token(String value) {
    Checks.text("token", value, 1, 1_024);
    ClientOptions changed = new ClientOptions(this);
    changed.token = Optional.of(new Secret(value));
    return changed;
  }

  /** Encrypts connections by TLS, to servers whose certificates this JVM trusts. */
  public ClientOptions tls() {
    ClientOptions changed = new ClientOptions(this);
    changed.tls = true;
    changed.trusted = Optional.empty();
    return changed;
  }

  /**
   * Encrypts connections by TLS, to servers whose certificates these vouch for.
   *
   * @param certificates a file with certificates, in PEM, which is read when the client connects
   * @throws NullPointerException the file is null
   */
  public ClientOptions tls(Path certificates) {
    Objects.requireNonNull(certificates, "certificates");
    ClientOptions changed = new ClientOptions(this);
    changed.tls = true;
    changed.trusted = Optional.of(certificates);
    return changed;
  }

  /**
   * Sets how long a call waits for its answer, beside what it waits for itself, such as a claim for
   * jobs. Waits for the ends of jobs and batches last until these come.
   *
   * @param value 1 ms to 1 day
   * @throws IllegalArgumentException the value is out of this range
   */
  public ClientOptions callTimeout(Duration value) {
    Checks.inRange("callTimeout", value, TIMEOUT_LEAST, TIMEOUT_MAX);
    ClientOptions changed = new ClientOptions(this);
    changed.callTimeout = value;
    return changed;
  }

  /**
   * Sets how long the first connection may take.
   *
   * @param value 1 ms to 1 day
   * @throws IllegalArgumentException the value is out of this range
   */
  public ClientOptions connectTimeout(Duration value) {
    Checks.inRange("connectTimeout", value, TIMEOUT_LEAST, TIMEOUT_MAX);
    ClientOptions changed = new ClientOptions(this);
    changed.connectTimeout = value;
    return changed;
  }

  /**
   * Sets how many jobs are claimed before they are asked for, so that claims of a busy queue need
   * not wait for the server; none unless set. So many for each set of equal claims, but no more
   * than these take within 25 ms, and only if they bound neither weights nor queues, and their
   * leases last 2 s or longer.
   *
   * <p>Such a job is leased already. It is released if nobody asks for it within 100 ms. So a lease
   * may have lost 0.2 s when it is claimed, jobs of a higher priority and pauses may be seen that
   * much later, and jobs may come in another order unless they share a concurrency key of one.
   *
   * @param value 0 to {@value Limits#CALL_JOB_COUNT_MAX}
   * @throws IllegalArgumentException the value is out of this range
   */
  public ClientOptions claimsAhead(int value) {
    Checks.inRange("claimsAhead", value, 0, Limits.CALL_JOB_COUNT_MAX);
    ClientOptions changed = new ClientOptions(this);
    changed.claimsAhead = value;
    return changed;
  }

  /** Sets whether the client is closed when the JVM shuts down. It is, unless this says no. */
  public ClientOptions closeAtShutdown(boolean value) {
    ClientOptions changed = new ClientOptions(this);
    changed.closeAtShutdown = value;
    return changed;
  }

  public Optional<String> token() {
    return token.map(Secret::text);
  }

  public boolean isTls() {
    return tls;
  }

  /** Returns the file with the certificates to trust; empty for those that this JVM trusts. */
  public Optional<Path> trusted() {
    return trusted;
  }

  public Duration callTimeout() {
    return callTimeout;
  }

  public Duration connectTimeout() {
    return connectTimeout;
  }

  public int claimsAhead() {
    return claimsAhead;
  }

  public boolean closeAtShutdown() {
    return closeAtShutdown;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "token", token,
        "tls", tls,
        "trusted", trusted,
        "callTimeout", callTimeout,
        "connectTimeout", connectTimeout,
        "claimsAhead", claimsAhead,
        "closeAtShutdown", closeAtShutdown);
  }
}
