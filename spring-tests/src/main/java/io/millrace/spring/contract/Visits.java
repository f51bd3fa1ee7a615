package io.millrace.spring.contract;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Requests of one visitor to an application that listens on a port; none follows redirections. */
final class Visits {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI root;
  private final List<String> headers;

  private Visits(URI root, List<String> headers) {
    this.root = root;
    this.headers = headers;
  }

  /** Returns a visitor who shows nothing. */
  static Visits to(String port) {
    return new Visits(URI.create("http://localhost:" + port), List.of());
  }

  /** Returns the same visitor with one more header. */
  Visits with(String name, String value) {
    List<String> more = new ArrayList<>(headers);
    more.addAll(List.of(name, value));
    return new Visits(root, more);
  }

  /** Returns the same visitor with a name, of whom the password is the same. */
  Visits as(String name) {
    byte[] both = (name + ":" + name).getBytes(StandardCharsets.UTF_8);
    return with("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
  }

  /** Returns the same visitor with the cookie that an answer sets. */
  Visits after(HttpResponse<String> answer) {
    String set = answer.headers().firstValue("Set-Cookie").orElseThrow();
    return with("Cookie", set.substring(0, set.indexOf(';')));
  }

  URI root() {
    return root;
  }

  HttpResponse<String> get(String path) {
    return send(request(path).GET());
  }

  HttpResponse<String> post(String path, String... form) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < form.length; i += 2) {
      body.append(i == 0 ? "" : "&")
          .append(form[i])
          .append('=')
          .append(URLEncoder.encode(form[i + 1], StandardCharsets.UTF_8));
    }
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  /** Returns the lines of an endless answer, as they come. */
  HttpResponse<Stream<String>> events(String path) {
    try {
      return client.send(
          request(path).header("Accept", "text/event-stream").GET().build(),
          BodyHandlers.ofLines());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path)).timeout(PATIENCE);
    return headers.isEmpty() ? request : request.headers(headers.toArray(String[]::new));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
