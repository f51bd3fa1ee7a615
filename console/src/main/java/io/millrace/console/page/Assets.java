package io.millrace.console.page;

import io.millrace.console.http.RefusedException;
import io.millrace.console.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that pages refer to: our own, and scripts that webjars bring. Any thread may use it.
 */
public final class Assets {

  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** The types of the files, by name. */
  private static final Map<String, String> TYPES =
      Map.of(
          "console.css", "text/css; charset=utf-8",
          "console.js", SCRIPT,
          "icon.svg", "image/svg+xml",
          "htmx.min.js", SCRIPT,
          "chart.umd.js", SCRIPT);

  private final Map<String, byte[]> read = new ConcurrentHashMap<>();

  /**
   * Returns a file.
   *
   * @throws RefusedException there is none of this name
   */
  public Response answer(String name) {
    String type = TYPES.get(name);
    if (type == null) {
      throw new RefusedException(404, "there is no such file: name=" + name);
    }
    return Response.of(200, type, read.computeIfAbsent(name, Assets::bytes))
        .with("Cache-Control", "max-age=3600");
  }

  private static byte[] bytes(String name) {
    try (InputStream in = Assets.class.getResourceAsStream("/io/millrace/console/assets/" + name)) {
      if (in == null) {
        throw new IllegalStateException("a file of the console is not in its jar: name=" + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("a file of the console cannot be read: name=" + name, e);
    }
  }
}
