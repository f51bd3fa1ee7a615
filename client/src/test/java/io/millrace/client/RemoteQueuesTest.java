package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.server.ServerSetup;
import io.millrace.spi.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RemoteQueuesTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT).queue("mail");
  private static final String TOKEN = "t".repeat(32);

  private JobEngine engine;
  private Server server;

  @BeforeEach
  void start() {
    engine = JobEngine.open("memory:remote-" + UUID.randomUUID());
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
    return "millrace://127.0.0.1:" + server.port();
  }

  @Test
  void jobsGoThere_andComeBack() {
    Table<String, Long> sent = engine.table("sent", Codec.TEXT, Codec.LONG);
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      queues.enqueue(MAIL, "ada");
      Lease lease = queues.queue("mail").claim(ClaimOptions.by("w")).get(0);
      assertThat(lease.payload(MAIL)).isEqualTo("ada");

      Table<String, Long> remote = queues.table("sent", Codec.TEXT, Codec.LONG);
      assertThat(
              queues.transact(
                  tx -> {
                    tx.put(remote, "ada", tx.get(remote, "ada").orElse(0L) + 1);
                    tx.complete(lease);
                    return tx.enqueue(MAIL, "eve");
                  }))
          .matches(result -> result.isDone());
    }
    assertThat(sent.get("ada")).contains(1L);
    assertThat(engine.queue("mail").stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void whoGoesOnWithAnAnswer_mayWaitForOthers() throws Exception {
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      CompletableFuture<Long> ready =
          queues
              .enqueueAsync(MAIL, "ada")
              .thenApply(id -> queues.queue("mail").stats().orElseThrow().count(JobState.READY));

      assertThat(ready.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void whoGoesOnWithAnswers_mayWaitForThoseThatCameWithThem() throws Exception {
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      List<CompletableFuture<?>> ids = new ArrayList<>();
      List<CompletableFuture<?>> waits = new ArrayList<>();
      CompletableFuture<Void> all = new CompletableFuture<>();
      for (int i = 0; i < 200; i++) {
        CompletableFuture<?> id = queues.enqueueAsync(MAIL, "ada");
        ids.add(id);
        waits.add(id.thenAccept(it -> all.join()));
      }
      CompletableFuture.allOf(ids.toArray(CompletableFuture<?>[]::new))
          .thenRun(() -> all.complete(null));

      CompletableFuture.allOf(waits.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void bytesOfAJob_areTheCallersOwn() {
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      Job job = queues.get(queues.enqueue(MAIL, "ada").jobId()).orElseThrow();
      byte[] first = job.payload();
      first[0]++;

      assertThat(job.payload()).isNotEqualTo(first);
    }
  }

  @Test
  void missingArguments_areNamed() {
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      assertThatNullPointerException()
          .isThrownBy(() -> queues.queue("mail").with(null))
          .withMessageContaining("durability");
      assertThatNullPointerException()
          .isThrownBy(() -> queues.admin().configure(null, settings -> settings))
          .withMessageContaining("queueName");
    }
  }

  @Test
  void close_releasesWhatIsHeld_andNothingElse() {
    engine.enqueue(MAIL, "1");
    engine.enqueue(MAIL, "2");
    Lease own = engine.queue("mail").claim(ClaimOptions.by("here")).get(0);
    RemoteQueues queues = RemoteQueues.connect(location());
    RemoteQueues buffered = queues.with(Durability.BUFFERED);
    Lease lease = buffered.queue("mail").claim(ClaimOptions.by("w")).get(0);

    queues.close();
    queues.close();

    Lease again = engine.queue("mail").claim(ClaimOptions.by("w2")).get(0);
    assertThat(again.jobId()).isEqualTo(lease.jobId());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(own.extend(Duration.ofSeconds(30)).isDone()).isTrue();
    assertThatThrownBy(() -> buffered.enqueue(MAIL, "3")).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(lease::complete).isInstanceOf(EngineClosedException.class);
  }

  @Test
  void leasesAreHonoured_overARestartOfTheServer() {
    engine.enqueue(MAIL, "1");
    int port = server.port();
    try (RemoteQueues queues = RemoteQueues.connect(location())) {
      Lease lease = queues.queue("mail").claim(ClaimOptions.by("w")).get(0);
      server.close();
      server = Server.on(engine).listen("127.0.0.1:" + port);

      assertThat(lease.complete().isDone()).isTrue();
    }
  }

  @Test
  void secondServer_isTriedIfTheFirstIsNotThere() {
    try (RemoteQueues queues =
        RemoteQueues.connect("millrace://127.0.0.1:1,127.0.0.1:" + server.port())) {
      assertThat(queues.now()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lmdb:/tmp/x",
        "millrace://",
        "millrace://host:0",
        "millrace://host:65536",
        "millrace://a,,b",
        "millrace://user@host",
        "millrace://host/path"
      })
  void wrongLocation_isRefused(String location) {
    assertThatThrownBy(() -> RemoteQueues.connect(location))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("location");
  }

  @Test
  void noServer_isToldWithTheAddress() {
    assertThatThrownBy(
            () ->
                RemoteQueues.connect(
                    "millrace://127.0.0.1:1", o -> o.connectTimeout(Duration.ofMillis(300))))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("location=millrace://127.0.0.1:1, connectTimeout=PT0.3S")
        .hasMessageContaining("address=127.0.0.1:1: ");
  }

  @Test
  void wrongToken_isToldAtOnce() {
    serve(Server.on(engine).token(TOKEN, Set.of(Role.values())));

    assertThatThrownBy(() -> RemoteQueues.connect(location(), o -> o.token("wrong")))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("server cannot be used: location=" + location())
        .hasMessageContaining("the token is missing or unknown")
        .hasMessageNotContaining("wrong");
    try (RemoteQueues queues = RemoteQueues.connect(location(), o -> o.token(TOKEN))) {
      queues.enqueue(MAIL, "ada");
    }
  }

  @Test
  void token_isSentToNoOtherMachineInTheClear() {
    assertThatThrownBy(() -> RemoteQueues.connect("millrace://192.0.2.1:7171", o -> o.token(TOKEN)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without TLS: addresses=[192.0.2.1:7171]");
    assertThat(ClientOptions.DEFAULT.token(TOKEN).toString()).doesNotContain(TOKEN);
    assertThat(ClientOptions.DEFAULT.token(TOKEN))
        .isEqualTo(ClientOptions.DEFAULT.token(TOKEN))
        .isNotEqualTo(ClientOptions.DEFAULT.token(TOKEN + "t"));
  }

  @Test
  void tlsGoesBySetCertificates(@TempDir Path folder) throws Exception {
    Path wrong = Files.writeString(folder.resolve("wrong.pem"), "no certificate");
    assertThatThrownBy(() -> RemoteQueues.connect(location(), o -> o.tls(wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trusted=" + wrong);
    assertThatThrownBy(
            () ->
                RemoteQueues.connect(
                    location(), o -> o.tls().connectTimeout(Duration.ofMillis(500))))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void workBeforeShutdown_canBeTakenBack() throws Exception {
    try (RemoteQueues queues = RemoteQueues.connect(location(), o -> o.closeAtShutdown(false))) {
      AutoCloseable work = queues.beforeShutdown(() -> {});
      work.close();
      assertThat(queues.now()).isNotNull();
    }
  }
}
