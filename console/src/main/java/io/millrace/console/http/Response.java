package io.millrace.console.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer to a request.
 *
 * @param headers headers beside those that all answers have
 * @param stream writes the body bit by bit, in place of {@code body}, if there is one
 */
public record Response(
    int status, Map<String, String> headers, byte[] body, Optional<Stream> stream) {

  /**
   * A body that is written bit by bit, until the visitor leaves or the console is closed. It is
   * closed in any case, though it may never be written.
   */
  public interface Stream extends AutoCloseable {
    void writeTo(OutputStream out) throws IOException;

    @Override
    void close();
  }

  /** Returns a page. */
  public static Response html(int status, String page) {
    return of(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a document for programs. */
  public static Response json(int status, byte[] document) {
    return of(status, "application/json", document);
  }

  public static Response text(int status, String text) {
    return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  public static Response of(int status, String type, byte[] body) {
    return new Response(status, Map.of("Content-Type", type), body, Optional.empty());
  }

  /** Returns events that are sent as they happen. */
  public static Response events(Stream stream) {
    return new Response(
        200, Map.of("Content-Type", "text/event-stream"), new byte[0], Optional.of(stream));
  }

  /** Returns a redirection after an action: the browser gets the other page. */
  public static Response seeOther(String location) {
    return new Response(303, Map.of("Location", location), new byte[0], Optional.empty());
  }

  /** Returns this answer with one more header. */
  public Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, more, body, stream);
  }
}
