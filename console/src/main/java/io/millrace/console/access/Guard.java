package io.millrace.console.access;

import io.millrace.console.hook.AccessCheck;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Request;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one who lets visitors in. Any thread may use it.
 *
 * <ol>
 *   <li>The {@code Host} header must be a name that the console goes by, so that no other site can
 *       have its own name lead here (DNS rebinding).
 *   <li>A visitor shows a token in {@code Authorization: Bearer}, has a cookie of a session that
 *       began with a token, or passes the application's own check.
 *   <li>What changes anything must not come from another site ({@code Origin}, {@code
 *       Sec-Fetch-Site}), and with a cookie, which browsers send by themselves, must carry the
 *       form's token.
 * </ol>
 */
public final class Guard {

  public static final String COOKIE = "millrace_console";
  public static final String FORM_TOKEN = "_form";
  public static final String FORM_TOKEN_HEADER = "X-Form-Token";

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", canonical("[::1]"));
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final String BEARER = "Bearer ";

  /** The name that stands for all. */
  private static final String ANY_HOST = "*";

  private final Tokens tokens;
  private final Optional<AccessCheck> check;
  private final Set<String> hosts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final Sessions sessions;
  private final FailedLogins failedLogins;

  /** The wrong tokens of programs: one with an old token locks nobody out of the pages. */
  private final FailedLogins failedPrograms;

  /**
   * The tokens that let in; of the one who may only read there may be none.
   *
   * @param operate the token of who may change things
   * @param read the token of who may only look
   */
  public record Tokens(String operate, Optional<String> read) {}

  /**
   * A visitor who was let in.
   *
   * @param session the session; empty for programs, which show a token each time
   * @param isNew whether the session has just begun, so that its cookie must be set
   */
  public record Entry(Visitor visitor, Optional<Session> session, boolean isNew) {}

  /**
   * Creates a guard.
   *
   * @param check the application's own check, in place of the tokens
   * @param names the names and addresses that the console goes by beside those of the loopback
   */
  public Guard(
      Tokens tokens, Optional<AccessCheck> check, Set<String> names, LongSupplier clockNs) {
    this.tokens = tokens;
    this.check = check;
    this.hosts.addAll(LOOPBACK);
    names.forEach(
        name ->
            hosts.add(
                canonical(name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name)));
    this.sessions = new Sessions(clockNs);
    this.failedLogins = new FailedLogins(clockNs);
    this.failedPrograms = new FailedLogins(clockNs);
  }

  /** Tells whether visitors come in by a token, and not by the application's own check. */
  public boolean hasLogin() {
    return check.isEmpty();
  }

  /**
   * Refuses requests that were sent to another name.
   *
   * @throws RefusedException the name is none of the console's
   */
  public void checkHost(Request request) {
    String host = request.header("host").orElse("");
    if (!hosts.contains(ANY_HOST) && !hosts.contains(canonical(withoutPort(host)))) {
      throw new RefusedException(
          421,
          "console does not go by this name: Host=%s, known=%s; name it when the console is set up"
              .formatted(host, String.join(" ", hosts)));
    }
  }

  /**
   * Lets a visitor in; empty if the visitor showed nothing, or nothing that is right.
   *
   * @throws RefusedException too many wrong tokens were tried lately
   */
  public Optional<Entry> enter(Request request) {
    if (check.isPresent()) {
      return checked(request, check.get()).map(visitor -> entry(request, visitor));
    }
    Optional<String> shown = request.header("authorization").filter(it -> it.startsWith(BEARER));
    if (shown.isPresent()) {
      return checked(request, shown.get().substring(BEARER.length()), failedPrograms)
          .map(visitor -> new Entry(visitor, Optional.empty(), false));
    }
    return request
        .cookie(cookieName(request))
        .flatMap(sessions::get)
        .map(session -> new Entry(session.visitor(), Optional.of(session), false));
  }

  /** Returns the entry of a visitor whom the application let in, with a session for the forms. */
  private Entry entry(Request request, Visitor visitor) {
    Optional<Session> known =
        request
            .cookie(cookieName(request))
            .flatMap(sessions::get)
            .filter(session -> session.visitor().equals(visitor));
    if (known.isEmpty() && request.isOfApi() && (request.isSafe() || isOfProgram(request))) {
      // A program that asks each second would end the sessions of all others.
      return new Entry(visitor, Optional.empty(), false);
    }
    boolean isNew = known.isEmpty();
    return new Entry(visitor, Optional.of(known.orElseGet(() -> sessions.begin(visitor))), isNew);
  }

  /**
   * Tells whether no form of another site can have sent the request: a browser asks beforehand
   * whether a script may set this header, and is not allowed to.
   */
  private static boolean isOfProgram(Request request) {
    return request.header("x-requested-with").isPresent();
  }

  /**
   * Begins a session with a token; empty if the token is wrong.
   *
   * @throws RefusedException too many wrong tokens were tried lately
   */
  public Optional<Entry> login(Request request, String token) {
    return checked(request, token, failedLogins)
        .map(it -> new Entry(it, Optional.of(sessions.begin(it)), true));
  }

  private Optional<Visitor> checked(Request request, String token, FailedLogins failed) {
    String address = request.remote().orElse("");
    failed.check(address);
    Optional<Visitor> visitor = visitor(token);
    if (visitor.isEmpty()) {
      failed.add(address);
    }
    return visitor;
  }

  private static Optional<Visitor> checked(Request request, AccessCheck check) {
    try {
      return check.visitor(request);
    } catch (RuntimeException e) {
      LOG.warn("the check of the console's visitors has failed: path={}", request.rawPath(), e);
      return Optional.empty();
    }
  }

  /** Ends a session. */
  public void logout(Session session) {
    sessions.end(session);
  }

  /**
   * Refuses a change that the visitor may not make, or whose form is not of the visitor's session.
   *
   * @throws RefusedException it may not be made
   */
  public void checkChange(Request request, Entry entry, Role needed, Parameters form) {
    if (!entry.visitor().role().includes(needed)) {
      throw new RefusedException(
          403,
          "visitor may only look: visitor=%s, role=%s, needed=%s"
              .formatted(entry.visitor().name(), word(entry.visitor().role()), word(needed)));
    }
    if (entry.session().isPresent()) {
      String shown = request.header(FORM_TOKEN_HEADER).or(() -> form.text(FORM_TOKEN)).orElse("");
      if (!isSame(shown, entry.session().get().formToken())) {
        throw new RefusedException(
            403, "form is not of this session: load its page again and send it once more");
      }
    }
  }

  /**
   * Refuses a request that a page of another site sent. The browser's own word is taken if it gives
   * one: it knows the address that the visitor sees, which a proxy may have changed on the way.
   *
   * @throws RefusedException it is of another site
   * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch metadata</a>
   */
  public void checkOrigin(Request request) {
    String origin = request.header("origin").orElse("");
    Optional<String> site = request.header("sec-fetch-site");
    boolean isOwn =
        site.map(it -> it.equals("same-origin") || it.equals("none"))
            .orElseGet(() -> origin.isEmpty() || isOwnOrigin(origin, request));
    if (!isOwn) {
      throw new RefusedException(
          403,
          "request is of another site: Origin=%s, Sec-Fetch-Site=%s"
              .formatted(origin, site.orElse("")));
    }
  }

  private static boolean isOwnOrigin(String origin, Request request) {
    return authority(origin).equalsIgnoreCase(request.header("host").orElse(""));
  }

  /** Returns the header that gives a new session's cookie to the browser. */
  public static String cookie(Session session, Request request) {
    return cookie(session.id(), Sessions.LENGTH.toSeconds(), request);
  }

  /** Returns the header that takes the cookie from the browser. */
  public static String noCookie(Request request) {
    return cookie("", 0, request);
  }

  private static String cookie(String value, long seconds, Request request) {
    return cookieName(request)
        + "="
        + value
        + "; Path="
        + request.base()
        + "/; Max-Age="
        + seconds
        + "; HttpOnly; SameSite=Strict"
        + (request.isSecure() ? "; Secure" : "");
  }

  /** Returns a name with the port: browsers send a cookie to all ports of a host. */
  private static String cookieName(Request request) {
    String host = request.header("host").orElse("");
    String port = host.substring(withoutPort(host).length()).replaceAll("[^0-9]", "");
    return port.isEmpty() ? COOKIE : COOKIE + "_" + port;
  }

  private Optional<Visitor> visitor(String token) {
    if (isSame(token, tokens.operate())) {
      return Optional.of(new Visitor("operator", Role.OPERATE));
    }
    return tokens
        .read()
        .filter(read -> isSame(token, read))
        .map(read -> new Visitor("reader", Role.READ));
  }

  /** Compares in the same time whatever is the same. */
  private static boolean isSame(String shown, String secret) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  /** Returns a host in one form; an IPv6 address may be written in many. */
  private static String canonical(String host) {
    if (!host.startsWith("[")) {
      return host;
    }
    try {
      return "[" + InetAddress.getByName(host).getHostAddress() + "]"; // asks nobody for its name
    } catch (UnknownHostException e) {
      return host;
    }
  }

  private static String authority(String origin) {
    try {
      return Optional.ofNullable(new URI(origin).getAuthority()).orElse("");
    } catch (URISyntaxException e) {
      return "";
    }
  }

  private static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
