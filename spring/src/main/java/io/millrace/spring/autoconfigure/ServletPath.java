package io.millrace.spring.autoconfigure;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The path of a servlet, where the JDK's server has a context with a path. Has nothing else. */
final class ServletPath extends HttpContext {

  private final String path;

  ServletPath(String path) {
    this.path = path;
  }

  @Override
  public String getPath() {
    return path;
  }

  @Override
  public HttpHandler getHandler() {
    throw none();
  }

  @Override
  public void setHandler(HttpHandler handler) {
    throw none();
  }

  @Override
  public HttpServer getServer() {
    throw none();
  }

  @Override
  public Map<String, Object> getAttributes() {
    return Map.of();
  }

  @Override
  public List<Filter> getFilters() {
    return List.of();
  }

  @Override
  public @Nullable Authenticator setAuthenticator(Authenticator authenticator) {
    throw none();
  }

  @Override
  public @Nullable Authenticator getAuthenticator() {
    return null;
  }

  private static UnsupportedOperationException none() {
    return new UnsupportedOperationException("the server is a servlet container");
  }
}
