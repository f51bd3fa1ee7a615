package io.millrace.console;

import io.millrace.MillraceException;
import io.millrace.api.EngineClosedException;
import io.millrace.console.access.Guard;
import io.millrace.console.access.Guard.Entry;
import io.millrace.console.act.Actions;
import io.millrace.console.act.Tasks;
import io.millrace.console.api.Api;
import io.millrace.console.api.Call;
import io.millrace.console.api.Performer;
import io.millrace.console.hook.AuditEntry;
import io.millrace.console.hook.PayloadView;
import io.millrace.console.hook.Role;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Request;
import io.millrace.console.http.Response;
import io.millrace.console.http.Routes;
import io.millrace.console.live.History;
import io.millrace.console.page.Assets;
import io.millrace.console.page.Pages;
import io.millrace.console.source.Source;
import io.millrace.console.text.JobParts;
import io.millrace.console.text.Json;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The console without a server: from a request to its answer. Any thread may use it. */
final class App implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(App.class);
  private static final int TOKEN_BYTES = 32;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private final Setup setup;
  private final Guard guard;
  private final Tasks tasks;
  private final History history;
  private final LiveEvents live;
  private final Pages pages;
  private final Assets assets = new Assets();
  private final Routes<Call> routes = new Routes<>();

  /**
   * The choices of who set the console up.
   *
   * @param token the token of who may change things
   * @param isSecure whether all connections are encrypted
   */
  record Setup(
      String name,
      String token,
      boolean isSecure,
      Optional<PayloadView> payloads,
      Consumer<AuditEntry> audit) {}

  App(Setup setup, Source source, Guard guard, History history) {
    this.setup = setup;
    this.guard = guard;
    this.tasks = new Tasks(source);
    this.history = history;
    this.live = new LiveEvents(history);
    JobParts parts = new JobParts(setup.payloads());
    Performer performer = new Performer(source, new Actions(tasks), setup.audit());
    Pages.Head head = new Pages.Head(setup.name(), guard.hasLogin(), history.hasTimes());
    this.pages = new Pages(head, source, tasks, performer, parts);
    pages.addTo(routes);
    new Api(source, tasks, performer, history, parts).addTo(routes);
    routes.get("/live", (call, in) -> live.stream());
  }

  static String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  String token() {
    return setup.token();
  }

  boolean hasLogin() {
    return guard.hasLogin();
  }

  boolean isSecure() {
    return setup.isSecure();
  }

  /** Returns the answer to a request, whatever happens. */
  Response answer(Request request) {
    Response response;
    try {
      response = checked(request);
    } catch (RefusedException e) {
      response = error(request, e.status(), String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      response = error(request, 400, String.valueOf(e.getMessage()));
    } catch (EngineClosedException e) {
      response = error(request, 503, "The engine is closed.");
    } catch (MillraceException e) {
      response = error(request, 503, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.warn("a request to the console has failed: path={}", request.rawPath(), e);
      response = error(request, 500, "The console has failed; its log says why.");
    }
    Response secured =
        response
            .with("Content-Security-Policy", POLICY)
            .with("X-Content-Type-Options", "nosniff")
            .with("X-Frame-Options", "DENY")
            // With no-referrer a browser sends "Origin: null" with the console's own forms, too.
            .with("Referrer-Policy", "same-origin")
            .with("Cross-Origin-Opener-Policy", "same-origin")
            .with("Cross-Origin-Resource-Policy", "same-origin");
    return secured.headers().containsKey("Cache-Control")
        ? secured
        : secured.with("Cache-Control", "no-store");
  }

  private Response checked(Request request) {
    guard.checkHost(request);
    if (!request.isSafe()) {
      guard.checkOrigin(request);
    }
    if (request.path().startsWith("/assets/") && request.isSafe()) {
      return assets.answer(request.path().substring("/assets/".length()));
    }
    if (guard.hasLogin() && request.path().equals("/login")) {
      return login(request);
    }
    Optional<String> shown = guard.hasLogin() ? request.query().text("token") : Optional.empty();
    if (shown.isPresent() && request.path().equals("/") && request.isSafe()) {
      return entered(request, shown.get());
    }
    Optional<Entry> entry = guard.enter(request);
    return entry.isPresent() ? inside(request, entry.get()) : notInside(request);
  }

  private Response login(Request request) {
    if (request.isSafe()) {
      return pages.login(request, 200, "");
    }
    return entered(request, request.form().required("token"));
  }

  private Response entered(Request request, String token) {
    Optional<Entry> entry = guard.login(request, token);
    if (entry.isEmpty()) {
      return pages.login(request, 401, "That is not the token.");
    }
    return Response.seeOther(request.base() + "/")
        .with("Set-Cookie", Guard.cookie(entry.get().session().orElseThrow(), request));
  }

  private Response notInside(Request request) {
    if (!guard.hasLogin()) {
      return error(request, 403, "You may not use this console.");
    }
    if (request.isOfApi() || !request.isSafe()) {
      return error(request, 401, "A token is needed: Authorization: Bearer TOKEN")
          .with("WWW-Authenticate", "Bearer");
    }
    return pages.login(request, 401, "");
  }

  private Response inside(Request request, Entry entry) {
    if (request.path().equals("/logout") && !request.isSafe()) {
      guard.checkChange(request, entry, Role.READ, request.form());
      entry.session().ifPresent(guard::logout);
      return Response.seeOther(request.base() + "/login")
          .with("Set-Cookie", Guard.noCookie(request));
    }
    Routes.Match<Call> match = routes.find(request.method(), request.rawPath());
    if (!request.isSafe()) {
      Parameters form = request.form();
      guard.checkChange(request, entry, match.route().role(), form);
    }
    Response response = match.route().endpoint().answer(new Call(request, entry), match.inPath());
    return entry.isNew()
        ? response.with("Set-Cookie", Guard.cookie(entry.session().orElseThrow(), request))
        : response;
  }

  private Response error(Request request, int status, String message) {
    if (request.isOfApi()) {
      return Response.json(status, Json.object(json -> json.writeStringField("error", message)));
    }
    return pages.error(request, status, message);
  }

  @Override
  public void close() {
    history.close();
    tasks.close();
  }
}
