package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.api.Codec;
import io.millrace.api.JobReader;
import io.millrace.console.Browser.Answer;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.FaultyStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServedConsoleTest {

  private final JobEngine engine = ConsoleRig.open(new FaultyStore(1));

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void start_defaults_listensOnTheLoopbackAndLetsInByItsLink() throws IOException {
    engine.queue("mail").enqueue(new byte[] {1});
    try (Console console = Console.on(engine).start()) {
      Answer outside = Browser.get(console.uri());
      Answer link = Browser.get(console.link());
      String cookie = link.header("set-cookie").orElseThrow().split(";")[0];
      Answer inside = Browser.get(console.uri(), "cookie", cookie);

      assertThat(console.uri().getHost()).isEqualTo("127.0.0.1");
      assertThat(console.token()).hasSize(43);
      assertThat(outside.status()).isEqualTo(401);
      assertThat(link.status()).isEqualTo(303);
      assertThat(inside.status()).isEqualTo(200);
      assertThat(inside.body()).contains("mail");
    }
  }

  @Test
  void pages_tellBrowsersToSayWhereTheirFormsComeFrom() throws IOException {
    try (Console console = Console.on(engine).start()) {
      assertThat(Browser.get(console.uri()).header("referrer-policy")).contains("same-origin");
    }
  }

  @Test
  void live_sendsPointsUntilTheConsoleIsClosed() throws IOException {
    Console console = Console.on(engine).step(Duration.ofMillis(200)).start();
    HttpURLConnection stream =
        Browser.connection(
            console.uri().resolve("live"), "authorization", "Bearer " + console.token());
    String seen = "";
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
      while (!seen.startsWith("data: ")) {
        seen = lines.readLine();
      }
      console.close();
    }

    assertThat(stream.getContentType()).isEqualTo("text/event-stream");
    assertThat(seen).contains("\"enqueued\":", "\"ready\":0", "\"waitP99Us\":");
  }

  @Test
  void live_engineIsClosedMeanwhile_saysThatNoFiguresCome() throws IOException {
    Console console = Console.on(engine).step(Duration.ofMillis(200)).start();
    HttpURLConnection stream =
        Browser.connection(
            console.uri().resolve("live"), "authorization", "Bearer " + console.token());
    String said;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
      readUntil("event: point", lines);
      engine.close();
      readUntil("event: trouble", lines); // the test's time limit ends it
      said = lines.readLine();
      console.close();
    }

    assertThat(said).startsWith("data: {\"error\":\"engine is closed");
  }

  private static void readUntil(String wanted, BufferedReader lines) throws IOException {
    String line = "";
    while (!wanted.equals(line)) {
      line = lines.readLine();
    }
  }

  @Test
  void overview_ofAReader_saysThatTimesAreNotSeen() throws IOException {
    JobReader reader = engine;
    try (Console ofEngine = Console.on(engine).start();
        Console ofReader = Console.on(reader).start()) {
      Answer whole = Browser.get(ofEngine.uri(), "authorization", "Bearer " + ofEngine.token());
      Answer part = Browser.get(ofReader.uri(), "authorization", "Bearer " + ofReader.token());
      URI history = ofReader.uri().resolve("api/v1/history");
      String points = "";
      while (!points.contains("\"ready\":")) { // the first point is on its way
        points = Browser.get(history, "authorization", "Bearer " + ofReader.token()).body();
      }

      assertThat(whole.body()).contains("id=\"waits\"").doesNotContain("only seen in the process");
      assertThat(part.body()).contains("only seen in the process").doesNotContain("id=\"waits\"");
      assertThat(points).doesNotContain("waitP50Us");
    }
  }

  @Test
  void assets_areThereWithoutAToken() throws IOException {
    try (Console console = Console.on(engine).start()) {
      for (String file :
          new String[] {"console.css", "console.js", "htmx.min.js", "chart.umd.js", "icon.svg"}) {
        Answer response = Browser.get(console.uri().resolve("assets/" + file));
        assertThat(response.status()).as(file).isEqualTo(200);
        assertThat(response.body().length()).as(file).isGreaterThan(100);
      }
    }
  }

  @Test
  void path_belowAnother_allLinksAreBelowIt() throws IOException {
    try (Console console = Console.on(engine).path("/millrace").start()) {
      Answer page = Browser.get(console.uri(), "authorization", "Bearer " + console.token());

      assertThat(console.uri().getPath()).isEqualTo("/millrace/");
      assertThat(page.body())
          .contains("href=\"/millrace/queues\"", "src=\"/millrace/assets/htmx.min.js\"");
      assertThat(page.body()).doesNotContain("href=\"/queues\"");
    }
  }

  @Test
  void handler_inAnApplicationsServerWithItsOwnCheck_letsInWhomTheCheckKnows() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    try (HandledConsole console =
        Console.on(engine)
            .access(
                request ->
                    request
                        .header("x-user")
                        .map(
                            user ->
                                new Visitor(user, user.equals("ada") ? Role.OPERATE : Role.READ)))
            .handler()) {
      server.createContext("/ops", console);
      server.start();
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ops/store");

      Answer nobody = Browser.get(uri);
      Answer ada = Browser.get(uri, "x-user", "ada");
      Answer bob = Browser.get(uri, "x-user", "bob");

      assertThat(nobody.status()).isEqualTo(403);
      assertThat(ada.body()).contains("ada", "Back up");
      assertThat(ada.header("set-cookie").orElseThrow()).contains("Path=/ops/");
      assertThat(bob.body()).contains("bob", "read only").doesNotContain("Back up");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void request_tooLarge_isRefused() throws IOException {
    try (Console console = Console.on(engine).start()) {
      Answer response =
          Browser.post(
              console.uri().resolve("api/v1/actions/job.cancel"),
              new byte[(1 << 20) + 1],
              "authorization",
              "Bearer " + console.token());

      assertThat(response.status()).isEqualTo(413);
      assertThat(Browser.get(console.uri().resolve("queues?a=" + "x".repeat(17_000))).status())
          .isEqualTo(414);
    }
  }

  @Test
  void reader_changesNothing() throws IOException {
    try (Console console = Console.on((io.millrace.api.JobReader) engine).start()) {
      Answer response =
          Browser.post(
              console.uri().resolve("api/v1/actions/queue.pause"),
              "queueName=mail".getBytes(StandardCharsets.UTF_8),
              "authorization",
              "Bearer " + console.token());

      assertThat(response.status()).isEqualTo(409);
      assertThat(response.body()).contains("opened to be read");
    }
  }

  @Test
  void visitors_asManyAsThreadsWhoSendNothing_leaveRoomWhenTheirTimeIsOver() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try (Console console = Console.on(engine).patience(Duration.ofMillis(500)).start()) {
      for (int i = 0; i < 64; i++) {
        Socket visitor = new Socket("127.0.0.1", console.uri().getPort());
        silent.add(visitor);
        String begun =
            i % 2 == 0
                ? "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                : "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n";
        visitor.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
      }

      Answer page = Browser.get(console.link());

      assertThat(page.status()).isEqualTo(303);
      for (Socket visitor : silent) {
        visitor.setSoTimeout(10_000);
        assertThat(visitor.getInputStream().readAllBytes()).isEmpty();
      }
    } finally {
      for (Socket visitor : silent) {
        visitor.close();
      }
    }
  }

  @Test
  void live_longerThanThePatience_goesOn() throws IOException {
    try (Console console =
        Console.on(engine).patience(Duration.ofMillis(200)).step(Duration.ofMillis(600)).start()) {
      HttpURLConnection stream =
          Browser.connection(
              console.uri().resolve("live"), "authorization", "Bearer " + console.token());
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
        int points = 0;
        while (points < 2) { // more than the patience lies between them
          points += lines.readLine().startsWith("data: ") ? 1 : 0;
        }
      }
    }
  }

  @Test
  void setup_wrongValues_areRefusedByName() throws IOException {
    ConsoleSetup setup = Console.on(engine);

    assertThatThrownBy(() -> setup.port(70_000))
        .hasMessageContaining("port")
        .hasMessageContaining("70000");
    assertThatThrownBy(() -> setup.token("short"))
        .hasMessageContaining("token")
        .hasMessageContaining("16");
    assertThatThrownBy(() -> setup.path("ops"))
        .hasMessageContaining("path")
        .hasMessageContaining("ops");
    try (Console console = Console.on(engine).start()) {
      assertThatThrownBy(() -> Console.on(engine).port(console.uri().getPort()).start())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(String.valueOf(console.uri().getPort()));
    }
  }

  @Test
  void payloads_ownView_masksThemInPagesAndForPrograms() throws IOException {
    var job = engine.queue("mail").enqueue("secret=42".getBytes(StandardCharsets.UTF_8)).jobId();
    try (Console console =
        Console.on(engine).payloads((it, part, text) -> text.replaceAll("\\d", "*")).start()) {
      String bearer = "Bearer " + console.token();
      String page =
          Browser.get(console.uri().resolve("jobs/" + job), "authorization", bearer).body();
      String api =
          Browser.get(console.uri().resolve("api/v1/jobs/" + job), "authorization", bearer).body();

      assertThat(page).contains("secret=**").doesNotContain("secret=42");
      assertThat(api).contains("\"payloadShown\":\"secret=**\"").doesNotContain("secret=42");
    }
  }

  @Test
  void payloads_viewFails_showsNothingOfThem() throws IOException {
    var job = engine.queue("mail").enqueue("secret".getBytes(StandardCharsets.UTF_8)).jobId();
    try (Console console =
        Console.on(engine)
            .payloads(
                (it, part, text) -> {
                  throw new IllegalStateException(text);
                })
            .start()) {
      Answer page =
          Browser.get(
              console.uri().resolve("jobs/" + job), "authorization", "Bearer " + console.token());

      assertThat(page.status()).isEqualTo(200);
      assertThat(page.body()).contains("not shown").doesNotContain("secret");
    }
  }

  @Test
  void live_visitorsWhoOnlyAskForItsHead_takeNoPlaces() throws IOException {
    try (Console console = Console.on(engine).start()) {
      int last = 0;
      for (int i = 0; i < 40; i++) {
        HttpURLConnection head =
            Browser.connection(
                console.uri().resolve("live"), "authorization", "Bearer " + console.token());
        head.setRequestMethod("HEAD");
        last = head.getResponseCode();
      }

      assertThat(last).isEqualTo(200);
    }
  }

  @Test
  void path_thatOnlyBeginsLikeTheConsoles_isNone() throws IOException {
    try (Console console = Console.on(engine).path("/millrace").start()) {
      Answer foreign = Browser.get(console.uri().resolve("/millracefoo"));

      assertThat(foreign.status()).isEqualTo(404);
    }
  }

  @Test
  void table_nameWithSlashesAndEscapes_isFoundByItsLink() throws IOException {
    String name = "a/b+c %2F ü?#";
    engine.table(name, Codec.TEXT, Codec.TEXT).put("key", "a row");
    try (Console console = Console.on(engine).start()) {
      String[] bearer = {"authorization", "Bearer " + console.token()};
      String list = Browser.get(console.uri().resolve("tables"), bearer).body();
      int at = list.indexOf("/tables/");
      String link = list.substring(at, list.indexOf('"', at));

      assertThat(Browser.get(console.uri().resolve(link), bearer).body()).contains("a row");
      assertThat(Browser.get(console.uri().resolve("/api/v1" + link), bearer).body())
          .contains("a row");
    }
  }

  @Test
  void address_ofTheLoopbackThatIsNotTheUsualOne_goesByIt() throws IOException {
    try (Console console =
        Console.on(engine).address(new InetSocketAddress("127.0.0.2", 0)).start()) {
      assertThat(Browser.get(console.link()).status()).isEqualTo(303);
    }
  }

  @Test
  void host_ofAnyName_isAnsweredWhereThatIsSaid() throws IOException {
    try (Console console = Console.on(engine).host("*").start();
        Socket socket = new Socket("127.0.0.1", console.uri().getPort())) {
      String request =
          "GET /api/v1/queues HTTP/1.1\r\nHost: jobs.example.org\r\nConnection: close\r\n"
              + "Authorization: Bearer %s\r\n\r\n".formatted(console.token());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));

      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void requests_moreThanThreads_areAnsweredWhenOthersHaveLeft() throws IOException {
    try (Console console = Console.on(engine).start()) {
      List<Socket> silent = new ArrayList<>();
      for (int i = 0; i < 70; i++) {
        Socket socket = new Socket("127.0.0.1", console.uri().getPort());
        socket.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.UTF_8));
        silent.add(socket);
      }
      for (Socket socket : silent.subList(0, 40)) {
        socket.close();
      }

      HttpURLConnection page =
          Browser.connection(console.uri(), "authorization", "Bearer " + console.token());
      page.setReadTimeout(30_000);
      assertThat(page.getResponseCode()).isEqualTo(200);
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }
}
