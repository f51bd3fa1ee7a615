package io.millrace.console;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A console with a server of its own. */
final class ServedConsole implements Console {

  /** Threads for live figures and for as many other requests again. */
  private static final int THREAD_COUNT_MAX = 64;

  private final HttpServer server;
  private final App app;
  private final ExecutorService threads;
  private final URI uri;

  ServedConsole(HttpServer server, String path, App app) {
    this.server = server;
    this.app = app;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            0,
            THREAD_COUNT_MAX,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> {
              Thread made = new Thread(work, "millrace-console-" + number.incrementAndGet());
              made.setDaemon(true);
              return made;
            },
            // The server's own thread answers when all are busy, which slows the visitors down.
            new ThreadPoolExecutor.CallerRunsPolicy());
    server.setExecutor(threads);
    server.createContext(path, new AppHandler(app));
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
  }
}
