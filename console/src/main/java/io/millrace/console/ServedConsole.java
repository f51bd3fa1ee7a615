package io.millrace.console;

import com.sun.net.httpserver.HttpServer;
import io.millrace.console.thread.Threads;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ThreadPoolExecutor;

/** A console with a server of its own. */
final class ServedConsole implements Console {

  /** Threads for live figures and for as many other requests again. */
  private static final int THREAD_COUNT_MAX = 64;

  private static final int WAITING_COUNT_MAX = 1_000;

  private final HttpServer server;
  private final App app;
  private final ThreadPoolExecutor threads;
  private final Patience patience;
  private final URI uri;

  ServedConsole(HttpServer server, String path, App app, Patience patience) {
    this.server = server;
    this.patience = patience;
    this.app = app;
    this.threads = Threads.pool("millrace-console", THREAD_COUNT_MAX, WAITING_COUNT_MAX);
    // Requests wait when all are busy. The server's own thread must not answer them: a visitor who
    // looks at live figures, or sends nothing, would keep it from all others for good.
    server.setExecutor(request -> threads.execute(() -> patience.run(request)));
    server.createContext(path, new AppHandler(app, patience));
    server.start();
    this.uri = uri(server.getAddress(), path);
  }

  private URI uri(InetSocketAddress address, String path) {
    String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
    String named = host.contains(":") ? "[" + host + "]" : host;
    String slash = path.endsWith("/") ? path : path + "/";
    String scheme = app.isSecure() ? "https" : "http";
    return URI.create(scheme + "://" + named + ":" + address.getPort() + slash);
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public URI link() {
    return app.hasLogin() ? URI.create(uri + "?token=" + app.token()) : uri;
  }

  @Override
  public String token() {
    return app.token();
  }

  @Override
  public void close() {
    app.close();
    server.stop(0);
    threads.shutdownNow();
    patience.close();
  }
}
