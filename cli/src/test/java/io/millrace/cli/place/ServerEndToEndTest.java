package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.MillraceVersion;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.server.ServerSetup;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands with a server in place of a store. */
@Timeout(60)
class ServerEndToEndTest {

  private static final String TOKEN = "t".repeat(32);

  @TempDir Path folder;

  private final FaultyStore machine = new FaultyStore(1);
  private JobEngine engine;
  private Server server;

  @BeforeEach
  void start() {
    engine = JobEngine.open(machine, StoreOptions.of(Path.of("served")), EngineOptions.DEFAULT);
    serve(Server.on(engine));
  }

  private void serve(ServerSetup setup) {
    if (server != null) {
      server.close();
    }
    server = setup.listen("127.0.0.1:0");
  }

  @AfterEach
  void stop() {
    server.close();
    engine.close();
  }

  private String location() {
    return "millrace://localhost:" + server.port();
  }

  /** Runs a command, in which SERVER is the server. */
  private CommandRun run(String command) {
    return CommandRun.of(
        List.of(command.split(" ")).stream()
            .map(word -> word.replace("SERVER", location()))
            .toArray(String[]::new));
  }

  private String ran(String command) {
    CommandRun run = run(command);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  private JobId enqueued() {
    return engine.queue("mail").enqueue(new byte[] {'h', 'i'}).jobId();
  }

  private long count(JobState state) {
    return engine.queue("mail").stats().orElseThrow().count(state);
  }

  @Test
  void lookingCommands_showWhatTheEngineHas() {
    JobId id = enqueued();
    engine.queue("mail").pause();
    engine.table("stock", Codec.TEXT, Codec.TEXT).put("tea", "twelve");

    assertThat(ran("inspect SERVER")).contains("mail").contains("paused");
    assertThat(ran("inspect SERVER --jobs --json"))
        .contains("\"id\":\"" + id)
        .contains("\"payloadText\":\"hi\"");
    assertThat(ran("inspect SERVER --job " + id)).contains("hi");
    assertThat(ran("inspect SERVER --tables")).isEqualTo("stock\n");
    assertThat(ran("inspect SERVER --table stock")).contains("twelve");
    assertThat(ran("queue settings SERVER --queue mail")).contains("maxAttempts");
    assertThat(ran("verify SERVER")).startsWith("ok: 1 queue, 1 job");
    assertThat(ran("schedules SERVER")).isEqualTo("no schedules\n");
    assertThat(ran("batch list SERVER")).isNotEmpty();
  }

  @Test
  void explain_tellsWhatOnlyARunningEngineKnows() {
    JobId id = enqueued();
    assertThat(engine.queue("mail").claim(ClaimOptions.by("ada"))).hasSize(1);

    assertThat(ran("explain SERVER " + id))
        .startsWith(id + " of mail is leased:")
        .contains("is run by ada")
        .contains("its lease ends at");
  }

  @Test
  void top_showsTheFiguresOfTheEngine() {
    enqueued();

    assertThat(ran("top SERVER --once --interval 0.1"))
        .startsWith(location() + "  open for ")
        .contains("jobs/s ")
        .contains("commit, ms")
        .containsPattern("mail +1 ");
    assertThat(ran("top SERVER --once --interval 0.1 --json"))
        .contains("\"store\":\"" + location() + "\",\"status\":\"UP\"")
        .contains("\"enqueued\":1")
        .doesNotContain("\"pid\"");
  }

  @Test
  void clients_areShownWithWhatTheyHold() {
    enqueued();
    try (RemoteQueues other = RemoteQueues.connect(location())) {
      assertThat(other.queue("mail").claim(ClaimOptions.by("w"))).hasSize(1);
      long beganNs = System.nanoTime();
      while (server.clients().get(0).leaseCount() == 0) {
        assertThat(System.nanoTime() - beganNs).as("waited, ns").isLessThan(20_000_000_000L);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }

      String process = ", pid " + ProcessHandle.current().pid();
      assertThat(ran("clients SERVER").lines().toList())
          .hasSize(3)
          .satisfies(
              lines -> {
                assertThat(lines.get(0))
                    .matches("CLIENT +VERSION +ADDRESS +SINCE +CALLS +LEASES +CONNECTION");
                assertThat(lines.get(1)).contains(process).matches(".*Z +0 +1  there");
                assertThat(lines.get(2)).contains(process).matches(".*Z +1 +0  there");
              });
      assertThat(ran("clients SERVER --json").lines().findFirst().orElseThrow())
          .contains(
              process
                  + "\",\"version\":\""
                  + MillraceVersion.text()
                  + "\",\"address\":\"127.0.0.1:")
          .endsWith("\"connected\":true,\"calls\":0,\"leases\":1}");
    }
  }

  @Test
  void changingCommands_changeTheQueuesOfTheServer() {
    JobId id = enqueued();
    ran("queue pause SERVER --queue mail");
    assertThat(engine.queue("mail").stats().orElseThrow().serving())
        .isEqualTo(QueueStats.Serving.PAUSED);
    ran("queue resume SERVER --queue mail");
    assertThat(engine.queue("mail").claim(ClaimOptions.by("w"))).hasSize(1);
    ran("job release SERVER --job " + id);
    assertThat(count(JobState.READY)).isEqualTo(1);
    engine
        .queue("mail")
        .claim(ClaimOptions.by("w"))
        .get(0)
        .fail("no", FailOptions.PERMANENT)
        .orThrow();
    assertThat(ran("dead list SERVER")).contains(id.toString()).contains("no");
    ran("dead redrive SERVER --job " + id);
    assertThat(count(JobState.READY)).isEqualTo(1);
    assertThat(ran("queue configure SERVER --queue mail --set depthMax=7"))
        .containsPattern("depthMax +7");
    assertThat(ran("job cancel SERVER --where queueName=mail --yes")).contains("CANCELLED");
    ran("queue delete SERVER --queue mail");
    assertThat(engine.queue("mail").stats()).isEmpty();
  }

  @Test
  void batch_isAwaited() {
    BatchId id = Batch.of("parts").add(QueueName.of("mail"), NewJob.of(new byte[0])).start(engine);
    engine.queue("mail").claim(ClaimOptions.by("w")).get(0).complete().orThrow();

    assertThat(ran("batch await SERVER --batch " + id)).contains("parts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "backup SERVER b | with --pid of the server's process",
        "reopen SERVER | with --pid of the server's process",
        "console SERVER | with --pid of the server's process",
        "copy SERVER b | with the store's folder, when the server has ended",
        "restore SERVER b | with the store's folder, when the server has ended",
        "repair SERVER b | with the store's folder, when the server has ended",
      })
  void commands_thatNeedTheStoreItself_sayWhereToRunThem(String command, String how) {
    CommandRun run = run(command);

    assertThat(run.err())
        .isEqualTo(
            "millrace: "
                + location()
                + " is a server, and this needs the store itself: run it on the server's machine, "
                + how
                + "\n");
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "inspect millrace:// | location is of no server: value=\"millrace://\", expected"
            + " millrace://HOST:PORT, or several with commas between",
        "inspect SERVER --pid 1 | say either a server or --pid",
        "inspect SERVER --timeout 0 | --timeout is from 1 to 86400 seconds: 0",
        "inspect SERVER --accept-lost-commits | --accept-lost-commits goes with a store that is"
            + " opened here, not with a server",
        "inspect x --tls | --tls needs a server, millrace://HOST:PORT",
        "explain x 1234 --token-file t | invalid value for parameter 'ID': a job id has 32"
            + " hexadecimal digits",
        "schedules x --token-file t | --token-file needs a server, millrace://HOST:PORT",
        "clients lmdb:x | only a server has clients: say millrace://HOST:PORT, not lmdb:x",
      })
  void wrongCommandLines_areRefused(String command, String message) {
    CommandRun run = run(command);

    assertThat(run.err().lines().findFirst()).contains("millrace: " + message);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  private CommandRun cannot(String command, String message) {
    CommandRun run = run(command);
    assertThat(run.err()).startsWith("millrace: ").contains(message).hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(run.out()).isEmpty();
    return run;
  }

  @Test
  void server_thatIsNotThere_isTold() {
    cannot("inspect millrace://127.0.0.1:1", "no server was reached: location=millrace://127");
  }

  @Test
  void token_isThatOfTheFile() throws IOException {
    enqueued();
    serve(Server.on(engine).token(TOKEN, Set.of(Role.READ)));
    Path right = Files.writeString(folder.resolve("right"), TOKEN + "\n");
    Path wrong = Files.writeString(folder.resolve("wrong"), "u".repeat(32));
    Path two = Files.writeString(folder.resolve("two"), TOKEN + " " + TOKEN);

    assertThat(ran("inspect SERVER --token-file " + right)).contains("mail");
    assertThat(ran("clients SERVER --token-file " + right)).contains(" there");
    cannot("inspect SERVER", "the token is missing or unknown; give --token-file");
    assertThat(cannot("inspect SERVER --token-file " + wrong, "token is missing or unknown").err())
        .doesNotContain("uuu");
    cannot(
        "queue pause SERVER --queue mail --token-file " + right,
        "the token does not allow this call: call=Pause");
    assertThat(run("inspect SERVER --token-file " + two).err())
        .contains("--token-file is to have a token")
        .doesNotContain("ttt");
    cannot("inspect SERVER --token-file none", "--token-file cannot be read: no such file");
  }

  @Test
  void certificates_areTrustedUntilTheyExpire() throws Exception {
    enqueued();
    Path good = certificate("good");
    serve(Server.on(engine).tls(good, folder.resolve("good.key")));

    assertThat(ran("inspect SERVER --certificates " + good)).contains("mail");
    cannot("inspect SERVER --tls", "the server's certificate is not accepted: ");

    Path old = certificate("old", "-startdate", "-10d", "-validity", "5");
    serve(Server.on(engine).tls(old, folder.resolve("old.key")));
    cannot("inspect SERVER --certificates " + old, "certificates have expired: trusted=" + old);
    cannot("inspect SERVER --certificates " + good, "the server's certificate ");
  }

  @Test
  void engine_thatIsFull_isTold() {
    enqueued();
    machine.room(FaultyStore.Room.FOR_RESERVE_USERS);
    cannot("queue configure SERVER --queue mail --set depthMax=7", "no room left: ");
    assertThat(ran("top SERVER --once --interval 0.1")).contains("FULL").contains("reason ");
  }

  @Test
  void engine_thatIsPoisoned_isTold() {
    enqueued();
    machine.failNext(StoreCall.WRITE, Fault.BEFORE);
    assertThat(run("queue pause SERVER --queue mail").exitCode()).isEqualTo(ExitCode.CANNOT);
    cannot("queue pause SERVER --queue mail", "the engine takes no changes: ");
    assertThat(ran("top SERVER --once --interval 0.1")).contains("POISONED").contains("reason ");
    assertThat(ran("inspect SERVER")).contains("mail");
    engine.reopen();
    ran("queue pause SERVER --queue mail");
  }

  @Test
  void answer_thatDoesNotCome_isWaitedForAsLongAsTheOptionSays() {
    enqueued();
    machine.onSlow(() -> LockSupport.parkNanos(Duration.ofSeconds(3).toNanos()));
    machine.failNext(StoreCall.WRITE, Fault.SLOW);

    cannot(
        "queue pause SERVER --queue mail --timeout 1",
        "nobody knows whether that happened; look, and run the command again if it did not: ");
  }

  /** Makes a certificate in PEM, and beside it its key. */
  private Path certificate(String name, String... more) throws Exception {
    Path store = folder.resolve(name + ".p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret"));
    command.addAll(List.of(more));
    Process keytool =
        new ProcessBuilder(command).redirectOutput(folder.resolve("out").toFile()).start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    write(
        folder.resolve(name + ".key"),
        "PRIVATE KEY",
        keys.getKey(name, "secret".toCharArray()).getEncoded());
    Path certificate = folder.resolve(name + ".pem");
    write(certificate, "CERTIFICATE", keys.getCertificate(name).getEncoded());
    return certificate;
  }

  private static void write(Path file, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }
}
