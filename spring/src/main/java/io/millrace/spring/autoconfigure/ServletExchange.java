package io.millrace.spring.autoconfigure;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a servlet and its response, as the console takes them. Names, scheme and address are
 * those that the container tells, which knows of proxies if it is told to. For one thread at a
 * time.
 */
final class ServletExchange extends HttpExchange {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Runnable onStream;
  private final URI uri;
  private final Headers asked = new Headers();
  private final Headers answered = new Headers();

  /**
   * Creates an exchange.
   *
   * @param onStream told when the response is committed and its body will be written bit by bit
   * @throws URISyntaxException the address has characters that none may have
   */
  ServletExchange(HttpServletRequest request, HttpServletResponse response, Runnable onStream)
      throws URISyntaxException {
    this.request = request;
    this.response = response;
    this.onStream = onStream;
    @Nullable String query = request.getQueryString();
    this.uri =
        new URI(
            request.getScheme()
                + "://"
                + host(request)
                + request.getRequestURI()
                + (query == null ? "" : "?" + query));
    for (String name : Collections.list(request.getHeaderNames())) {
      asked.put(name, Collections.list(request.getHeaders(name)));
    }
    asked.set("Host", host(request));
  }

  /** Returns the name that the visitor's browser calls the server by, as its Origin has it. */
  private static String host(HttpServletRequest request) {
    int usual = request.isSecure() ? 443 : 80;
    String name = request.getServerName();
    String bracketed = name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
    int port = request.getServerPort();
    return port == usual ? bracketed : bracketed + ":" + port;
  }

  @Override
  public Headers getRequestHeaders() {
    return asked;
  }

  @Override
  public Headers getResponseHeaders() {
    return answered;
  }

  @Override
  public URI getRequestURI() {
    return uri;
  }

  @Override
  public String getRequestMethod() {
    return request.getMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return new ServletPath(request.getContextPath() + request.getServletPath());
  }

  @Override
  public void close() {
    // The container closes the response.
  }

  /**
   * Returns the body. A form that a filter before has read already is put together again of its
   * parameters.
   */
  @Override
  public InputStream getRequestBody() {
    try {
      PushbackInputStream body = new PushbackInputStream(request.getInputStream());
      int first = body.read();
      if (first >= 0) {
        body.unread(first);
        return body;
      }
      @Nullable String type = request.getContentType();
      return type != null && type.startsWith(FORM) ? formOfParameters() : body;
    } catch (IOException e) {
      return new Broken(e);
    }
  }

  private InputStream formOfParameters() {
    StringBuilder form = new StringBuilder();
    for (Map.Entry<String, String[]> each : request.getParameterMap().entrySet()) {
      for (String value : each.getValue()) {
        form.append(form.isEmpty() ? "" : "&")
            .append(URLEncoder.encode(each.getKey(), StandardCharsets.UTF_8))
            .append('=')
            .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
      }
    }
    return new ByteArrayInputStream(form.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public OutputStream getResponseBody() {
    try {
      return response.getOutputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void sendResponseHeaders(int status, long lengthOrNone) throws IOException {
    response.setStatus(status);
    answered.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    if (lengthOrNone > 0) {
      response.setContentLengthLong(lengthOrNone);
    } else if (lengthOrNone == 0) {
      response.flushBuffer();
      onStream.run();
    }
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return InetSocketAddress.createUnresolved(request.getRemoteAddr(), request.getRemotePort());
  }

  @Override
  public int getResponseCode() {
    return response.getStatus();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return InetSocketAddress.createUnresolved(request.getLocalAddr(), request.getLocalPort());
  }

  @Override
  public String getProtocol() {
    return request.getProtocol();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return request.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    request.setAttribute(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    throw new UnsupportedOperationException("streams are those of the servlet");
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }

  /** A body whose beginning could not be read: the error comes where it is read. */
  private static final class Broken extends InputStream {

    private final IOException error;

    Broken(IOException error) {
      this.error = error;
    }

    @Override
    public int read() throws IOException {
      throw error;
    }
  }
}
