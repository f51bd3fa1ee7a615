package io.millrace.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;

/**
 * A console that is a part of the application's own server. Any thread may use it.
 *
 * <p>The server should have threads to spare: each page with live figures takes one.
 */
public final class HandledConsole implements HttpHandler, AutoCloseable {

  private final App app;
  private final AppHandler handler;

  HandledConsole(App app) {
    this.app = app;
    this.handler = new AppHandler(app, Patience.ENDLESS);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    handler.handle(exchange);
  }

  /** Returns the token of who may change things; the one that was set, or one made by chance. */
  public String token() {
    return app.token();
  }

  /**
   * Ends the console: its figures stand still, and its tasks end. Take it out of the server first.
   */
  @Override
  public void close() {
    app.close();
  }
}
