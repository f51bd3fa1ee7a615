package io.millrace.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsExchange;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Request;
import io.millrace.console.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The console behind the JDK's own server. */
final class AppHandler implements HttpHandler {

  private static final int BODY_BYTES_MAX = 1 << 20;
  private static final int QUERY_LENGTH_MAX = 16_384;

  private final App app;
  private final Patience patience;

  AppHandler(App app, Patience patience) {
    this.app = app;
    this.patience = patience;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Response response;
      try {
        response = answer(request(exchange));
      } catch (RefusedException e) {
        response = Response.text(e.status(), e.getMessage() + "\n");
      }
      try {
        send(exchange, response);
      } finally {
        response.stream().ifPresent(Response.Stream::close);
      }
    }
  }

  private Response answer(Request request) {
    patience.end();
    try {
      return app.answer(request);
    } finally {
      patience.begin();
    }
  }

  private Request request(HttpExchange exchange) throws IOException {
    String context = exchange.getHttpContext().getPath();
    String base = context.endsWith("/") ? context.substring(0, context.length() - 1) : context;
    String raw = exchange.getRequestURI().getRawPath();
    // The server finds its handlers by the beginning of a path: /millracefoo comes here, too.
    if (!raw.startsWith(base)
        || !(raw.length() == base.length() || raw.charAt(base.length()) == '/')) {
      throw new RefusedException(404, "there is nothing at this path: path=" + raw);
    }
    String path = raw.substring(base.length());
    String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    if (query.length() > QUERY_LENGTH_MAX) {
      throw new RefusedException(
          414, "query is too long: length=" + query.length() + ", limit=" + QUERY_LENGTH_MAX);
    }
    Map<String, List<String>> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
    return new Request(
        exchange.getRequestMethod(),
        base,
        path.isEmpty() ? "/" : path,
        Parameters.parse(query),
        headers,
        body(exchange),
        Optional.ofNullable(exchange.getRemoteAddress()).map(InetSocketAddress::getHostString),
        isSecure(exchange));
  }

  /** Tells whether it came through TLS; another server behind the exchange says so by its URI. */
  private boolean isSecure(HttpExchange exchange) {
    return app.isSecure()
        || exchange instanceof HttpsExchange
        || "https".equals(exchange.getRequestURI().getScheme());
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      byte[] body = in.readNBytes(BODY_BYTES_MAX + 1);
      if (body.length > BODY_BYTES_MAX) {
        throw new RefusedException(413, "body is too large: limit=" + BODY_BYTES_MAX);
      }
      return body;
    }
  }

  private void send(HttpExchange exchange, Response response) throws IOException {
    response.headers().forEach(exchange.getResponseHeaders()::set);
    boolean isOfHead = exchange.getRequestMethod().equals("HEAD");
    if (response.stream().isPresent() && !isOfHead) {
      exchange.sendResponseHeaders(response.status(), 0);
      patience.end(); // events come when they come
      try (OutputStream out = exchange.getResponseBody()) {
        response.stream().get().writeTo(patience.watched(out));
      }
      return;
    }
    byte[] body = response.body();
    boolean isBodyless = isOfHead || body.length == 0;
    exchange.sendResponseHeaders(response.status(), isBodyless ? -1 : body.length);
    if (!isBodyless) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }
}
