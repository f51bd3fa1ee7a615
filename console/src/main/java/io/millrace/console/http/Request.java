package io.millrace.console.http;

import io.millrace.console.hook.Incoming;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request, whatever server took it.
 *
 * @param base the path of the console, without a slash at its end; empty for the root
 * @param rawPath the path below that as it came, with escapes
 * @param headers values by names in lower case
 * @param isSecure whether it came through TLS
 */
public record Request(
    String method,
    String base,
    String rawPath,
    Parameters query,
    Map<String, List<String>> headers,
    byte[] body,
    Optional<String> remote,
    boolean isSecure)
    implements Incoming {

  private static final String FORM = "application/x-www-form-urlencoded";

  /** Returns the path below that of the console, decoded: a slash in it may be one of a name. */
  @Override
  public String path() {
    return Parameters.inPath(rawPath);
  }

  @Override
  public Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  @Override
  public Optional<String> cookie(String name) {
    for (String line : headers.getOrDefault("cookie", List.of())) {
      for (String pair : line.split(";")) {
        int equals = pair.indexOf('=');
        if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
          return Optional.of(unquoted(pair.substring(equals + 1).strip()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns a value without the quotes that some programs put around it. */
  private static String unquoted(String value) {
    boolean isQuoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }

  /**
   * Returns the parameters of the form in the body; none if there is no body.
   *
   * @throws RefusedException the body is no form
   */
  public Parameters form() {
    if (body.length == 0) {
      return Parameters.NONE;
    }
    String type = header("content-type").orElse("").split(";")[0].strip();
    if (!type.equalsIgnoreCase(FORM)) {
      throw new RefusedException(
          415, "body is not a form: content-type=" + type + ", wanted=" + FORM);
    }
    return Parameters.parse(new String(body, StandardCharsets.UTF_8));
  }

  /** Tells whether the request promises to change nothing. */
  public boolean isSafe() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** Tells whether the request is of a program, which is answered in JSON. */
  public boolean isOfApi() {
    return rawPath.startsWith("/api/");
  }
}
