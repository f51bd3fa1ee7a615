package io.millrace.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A visitor over HTTP who does not follow redirections. */
final class Browser {

  private Browser() {}

  /** An answer as it came over the wire. */
  record Answer(int status, Map<String, List<String>> headers, String body) {
    Optional<String> header(String name) {
      return headers.entrySet().stream()
          .filter(each -> name.equalsIgnoreCase(each.getKey()))
          .map(each -> each.getValue().get(0))
          .findFirst();
    }
  }

  static Answer get(URI uri, String... headers) throws IOException {
    return answer(connection(uri, headers));
  }

  static Answer post(URI uri, byte[] body, String... headers) throws IOException {
    HttpURLConnection connection = connection(uri, headers);
    connection.setDoOutput(true);
    connection.getOutputStream().write(body);
    return answer(connection);
  }

  static HttpURLConnection connection(URI uri, String... headers) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setInstanceFollowRedirects(false);
    for (int i = 0; i < headers.length; i += 2) {
      connection.setRequestProperty(headers[i], headers[i + 1]);
    }
    return connection;
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String body = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(status, connection.getHeaderFields(), body);
    }
  }
}
