package io.millrace.spring.autoconfigure;

import io.millrace.console.HandledConsole;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console behind a servlet container. Pages take the container's threads for as long as they
 * are made; live figures, which last until the visitor leaves, take threads of their own, of which
 * the console admits so many.
 */
final class ConsoleServlet extends HttpServlet {

  /** The name of the servlet in the container. */
  static final String NAME = "millraceConsole";

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
  private static final String EVENTS = "text/event-stream";

  private final transient Supplier<Optional<HandledConsole>> console;
  private final transient ConsoleSurroundings surroundings;

  ConsoleServlet(Supplier<Optional<HandledConsole>> console, ConsoleSurroundings surroundings) {
    this.console = console;
    this.surroundings = surroundings;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<HandledConsole> running = console.get();
    if (running.isEmpty()) {
      say(response, 503, "The console does not run: the application starts or ends.");
      return;
    }
    surroundings.enter();
    if (wantsEvents(request) && request.isAsyncSupported()) {
      handleElsewhere(running.get(), request, response);
    } else {
      handle(running.get(), request, response, () -> {});
    }
  }

  private static boolean wantsEvents(HttpServletRequest request) {
    String accepted = request.getHeader("Accept");
    return accepted != null && accepted.contains(EVENTS);
  }

  /**
   * Handles a request on a thread of its own, and waits until its response has begun: until then no
   * other thread touches it, and after that filters which this thread goes back through cannot.
   */
  private void handleElsewhere(
      HandledConsole running, HttpServletRequest request, HttpServletResponse response) {
    CountDownLatch hasBegun = new CountDownLatch(1);
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0); // as long as the visitor looks
    Runnable work =
        () -> {
          try {
            handle(running, request, response, hasBegun::countDown);
          } catch (IOException e) {
            LOG.debug("a visitor of the console has left: reason={}", e.getMessage());
          } catch (RuntimeException e) {
            LOG.warn("live figures of the console have failed", e);
          } finally {
            try {
              complete(async);
            } finally {
              hasBegun.countDown();
            }
          }
        };
    Thread thread = new Thread(surroundings.carried(work), "millrace-console-live");
    thread.setDaemon(true);
    thread.start();
    try {
      hasBegun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server ends
    }
  }

  private static void complete(AsyncContext async) {
    try {
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("the container has ended the request of a visitor who left", e);
    }
  }

  private static void handle(
      HandledConsole running,
      HttpServletRequest request,
      HttpServletResponse response,
      Runnable onStream)
      throws IOException {
    ServletExchange exchange;
    try {
      exchange = new ServletExchange(request, response, onStream);
    } catch (URISyntaxException e) {
      say(response, 400, "The address of the page is none: " + e.getReason());
      return;
    }
    running.handle(exchange);
  }

  private static void say(HttpServletResponse response, int status, String sentence)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain; charset=utf-8");
    response.getOutputStream().write((sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
