package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.console.HandledConsole;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConsolePagesTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final HttpClient browser =
      HttpClient.newBuilder()
          .cookieHandler(new CookieManager())
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  private String visit(URI uri, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return browser.send(request.build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void served_byItsLink_showsTheOverview() {
    try (JobEngine engine = JobEngine.open("memory:console-served");
        Worker worker = Worker.on(engine).handle(MAIL, (mail, job) -> {}).start()) {
      String page = ConsolePages.served(engine, worker, this::visit);

      assertThat(page).contains("Orders", "<h1>Overview</h1>");
    }
  }

  @Test
  void handled_byAnApplicationsServer_showsItToItsUsersAlone() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    try (JobEngine engine = JobEngine.open("memory:console-handled");
        HandledConsole console = ConsolePages.handled(engine, server)) {
      server.start();
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/millrace/");

      assertThat(console.token()).isNotEmpty();
      assertThat(visit(uri)).contains("You may not use this console.");
      assertThat(visit(uri, "x-user", "ada")).contains("<h1>Overview</h1>", "ada");
    } finally {
      server.stop(0);
    }
  }
}
