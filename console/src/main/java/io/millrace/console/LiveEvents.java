package io.millrace.console;

import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Response;
import io.millrace.console.live.History;
import io.millrace.console.live.Point;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The points of the history as they come, as server-sent events. Each visitor who looks takes a
 * thread of the server, so there is a limit.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
final class LiveEvents {

  private static final int COUNT_MAX = 32;
  private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

  private final History history;
  private final Semaphore free = new Semaphore(COUNT_MAX);

  LiveEvents(History history) {
    this.history = history;
  }

  /**
   * Returns a stream of events.
   *
   * @throws RefusedException too many look already
   */
  Response stream() {
    if (!free.tryAcquire()) {
      throw new RefusedException(503, "too many pages look at live figures: limit=" + COUNT_MAX);
    }
    return Response.events(new Points());
  }

  /** The place of a visitor among those who look. */
  private final class Points implements Response.Stream {

    private final AtomicBoolean isHeld = new AtomicBoolean(true);

    @Override
    public void writeTo(OutputStream out) throws IOException {
      write(out);
    }

    @Override
    public void close() {
      if (isHeld.getAndSet(false)) {
        free.release();
      }
    }
  }

  private void write(OutputStream out) throws IOException {
    out.write(":\n\n".getBytes(StandardCharsets.UTF_8)); // so that the browser knows it is there
    out.flush();
    long seen = history.count();
    try {
      while (!history.isClosed()) {
        Optional<Point> point = history.await(seen, SILENCE_MAX);
        seen = history.count();
        out.write(point.isPresent() ? event(point.get()) : silence(history.trouble()));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server ends
    }
  }

  /** Returns what is sent when no point has come, which also finds out whether a visitor left. */
  private static byte[] silence(Optional<String> trouble) {
    return trouble.isEmpty()
        ? ":\n\n".getBytes(StandardCharsets.UTF_8)
        : event("trouble", Json.object(out -> out.writeStringField("error", trouble.get())));
  }

  private static byte[] event(Point point) {
    return event(
        "point", Json.object(out -> DescribedJson.writeAttributes(Point.DESCRIPTION, point, out)));
  }

  private static byte[] event(String kind, byte[] json) {
    return ("event: %s\ndata: %s\n\n".formatted(kind, new String(json, StandardCharsets.UTF_8)))
        .getBytes(StandardCharsets.UTF_8);
  }
}
