package io.millrace.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.Main;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.CommandRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ServeCommandTest {

  private static final String TOKEN = "t".repeat(32);
  private static final String OTHER_TOKEN = "o".repeat(32);

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
  }

  /** Starts the command in a process of its own, and returns where it answers HTTP. */
  private String serve(String... more) throws IOException {
    List<String> command = ChildEngine.java(List.of());
    command.addAll(
        List.of(
            Main.class.getName(),
            "serve",
            "lmdb:" + folder.resolve("store"),
            "--listen",
            "127.0.0.1:0",
            "--http",
            "127.0.0.1:0"));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).matches("serving millrace://127\\.0\\.0\\.1:\\d+");
    String line = out.readLine();
    assertThat(line).matches("serving http://127\\.0\\.0\\.1:\\d+/v1/");
    return line.substring("serving ".length());
  }

  private String post(String url, String call, String json, String... token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + call))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (token.length > 0) {
      request.header("Authorization", "Bearer " + token[0]);
    }
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  private Process last() {
    return started.get(started.size() - 1);
  }

  @Test
  @Tag("slow")
  void leaseIsKept_howeverTheServerEnds() throws Exception {
    String url = serve();
    post(url, "enqueue", "{\"queue\":{\"name\":\"mail\"},\"jobs\":[{\"payload\":\"aGk=\"}]}");
    String claimed =
        post(url, "claim", "{\"queues\":[{\"name\":\"mail\"}],\"options\":{\"worker\":\"w\"}}");
    String job = found("\"jobId\":\\s*\"([0-9a-f]+)\"", claimed);
    String token = found("\"token\":\\s*\"(\\d+)\"", claimed);

    last().destroyForcibly().waitFor();
    String second = serve();
    String again =
        post(second, "claim", "{\"queues\":[{\"name\":\"mail\"}],\"options\":{\"worker\":\"x\"}}");
    last().destroy();
    assertThat(last().waitFor(30, TimeUnit.SECONDS)).isTrue();
    String third = serve();
    String completed =
        post(
            third,
            "complete",
            "{\"jobs\":[{\"lease\":{\"jobId\":\"%s\",\"token\":\"%s\"}}]}".formatted(job, token));

    assertThat(again).doesNotContain("jobId");
    assertThat(completed).contains("COMPLETED");
  }

  @Test
  @Tag("slow")
  void tokens_areThoseOfTheFile() throws Exception {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"),
            "# of the shop\n\nenqueue,read "
                + TOKEN
                + "\nenqueue "
                + OTHER_TOKEN
                + " letters,mail*\n");
    String url = serve("--tokens", tokens.toString());
    String enqueue = "{\"queue\":{\"name\":\"mail\"},\"jobs\":[{\"payload\":\"aGk=\"}]}";

    assertThat(post(url, "enqueue", enqueue)).contains("Unauthenticated");
    assertThat(post(url, "enqueue", enqueue, TOKEN)).contains("enqueued");
    assertThat(post(url, "enqueue", enqueue, OTHER_TOKEN)).contains("enqueued");
    assertThat(post(url, "enqueue", enqueue.replace("mail", "shop"), OTHER_TOKEN))
        .contains("the token does not allow this queue: queue=shop")
        .contains("queues of the token=[letters, mail*]");
    assertThat(post(url, "pause", "{\"queue\":{\"name\":\"mail\"}}", TOKEN)).contains("NotAllowed");
  }

  @Test
  @Tag("slow")
  void connectionsByHttp_beyondTheMost_areClosed() throws Exception {
    int port = URI.create(serve("--connections", "2")).getPort();
    try (Socket one = new Socket("127.0.0.1", port);
        Socket two = new Socket("127.0.0.1", port);
        Socket three = new Socket("127.0.0.1", port)) {
      three.setSoTimeout(20_000);
      assertThat(three.getInputStream().read()).isEqualTo(-1);
      assertThat(one.isConnected() && two.isConnected()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--key k.pem | say --certificates and --key, both or neither",
        "--certificates c.pem | say --certificates and --key, both or neither",
        "--certificates c.pem --key k.pem | certificate or key cannot be read, both must be PEM",
        "--listen 0.0.0.0:0 | others can reach this address, and there is no token, or no TLS",
        "--listen nowhere | expected HOST:PORT",
        "--http 192.0.2.1:80 | others can reach this address, and HTTP is not encrypted",
        "--calls 0 | callCountMax is out of range: value=0, least=1, most=1000000",
        "--connections 0 | connectionCountMax is out of range: value=0, least=1, most=1000000",
        "--tokens none | --tokens cannot be read",
      })
  void wrongOptions_areTold(String options, String told) {
    List<String> args = new ArrayList<>(List.of("serve", "lmdb:" + folder.resolve("store")));
    args.addAll(List.of(options.split(" ")));

    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.err()).contains(told);
    assertThat(run.exitCode()).isIn(2, 3);
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "enqueue | line 1 of",
        "fly tttttttttttttttttttttttttttttttt | no such role, possible=enqueue, work, operate,"
            + " read",
        "# nothing | --tokens has no token",
        "read tttttttttttttttttttttttttttttttt a@ | no queues of a token: value=\"a@\"",
        "read short | token has a length out of range",
      })
  void wrongTokens_areTold(String line, String told) throws IOException {
    Path tokens = Files.writeString(folder.resolve("tokens"), line);

    CommandRun run =
        CommandRun.of("serve", "lmdb:" + folder.resolve("store"), "--tokens", tokens.toString());

    assertThat(run.err()).contains(told);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void folderWithoutAStore_isNone() {
    CommandRun run = CommandRun.of("serve", folder.resolve("nothing").toString());

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("nothing");
  }
}
