package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.millrace.api.Batch;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadLetters;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Call;
import io.millrace.protocol.Granted;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60) // Some wait without end for what must come.
class ServerTest {

  private static final QueueName MAIL = new QueueName("mail", "");
  private static final String WORKER_TOKEN = "w".repeat(32);
  private static final String READER_TOKEN = "r".repeat(32);

  private final HttpClient http = HttpClient.newHttpClient();
  private JobEngine engine;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    engine = JobEngine.open("memory:server-" + UUID.randomUUID());
    serve(Server.on(engine));
  }

  private void serve(ServerSetup setup) {
    server = setup.http("127.0.0.1:0").listen("127.0.0.1:0");
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  private void serveAgain(ServerSetup setup) {
    channel.shutdownNow();
    server.close();
    serve(setup);
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
    engine.close();
  }

  private <C extends Call<A>, A> A ask(C call) {
    return ask(channel, call);
  }

  @SuppressWarnings("unchecked")
  private static <C extends Call<A>, A> A ask(Channel channel, C call) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    return operation.decodeAnswer(
        ClientCalls.blockingUnaryCall(
            channel, GrpcMethods.of(operation), CallOptions.DEFAULT, operation.encode(call)));
  }

  private JobId enqueued(String payload) {
    NewJob job = NewJob.of(payload.getBytes(StandardCharsets.UTF_8));
    EnqueueResult result =
        ask(new JobCalls.Enqueue(MAIL, List.of(job), Optional.empty())).results().get(0);
    return result.orThrow().jobId();
  }

  private List<Granted> claimed(Duration waiting) {
    ClaimOptions options =
        ClaimOptions.by("w").waiting(waiting).leaseDuration(Duration.ofMinutes(1));
    return ask(new LeaseCalls.Claim(List.of(MAIL), List.of(), options)).leases();
  }

  @Test
  void aJobIsEnqueuedClaimedAndCompleted() {
    JobId id = enqueued("hello");
    Granted lease = claimed(Duration.ZERO).get(0);
    assertThat(lease.jobId()).isEqualTo(id);
    assertThat(lease.payload()).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));

    LeaseCalls.Complete complete =
        new LeaseCalls.Complete(
            List.of(new LeaseCalls.Finished(new LeaseRef(id, lease.token()), Optional.empty())),
            Optional.empty());

    assertThat(ask(complete).results()).containsExactly(CompleteResult.COMPLETED);
    assertThat(ask(complete).results())
        .as("a second answer")
        .first()
        .isIn(CompleteResult.GONE, CompleteResult.STALE_LEASE);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void jobsAreCompletedTogetherWithResultsAndWithout() {
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(Duration.ofHours(1));
    engine.queue(MAIL).enqueueAll(Collections.nCopies(3, new NewJob(new byte[0], kept)));
    List<Granted> leases =
        ask(new LeaseCalls.Claim(List.of(MAIL), List.of(), ClaimOptions.by("w").max(3))).leases();
    List<LeaseCalls.Finished> jobs =
        List.of(
            finished(leases.get(0), Optional.empty()),
            finished(leases.get(1), Optional.of(new byte[] {7})),
            finished(leases.get(0), Optional.empty()),
            finished(leases.get(2), Optional.of(new byte[0])));

    assertThat(ask(new LeaseCalls.Complete(jobs, Optional.empty())).results())
        .containsExactly(
            CompleteResult.COMPLETED,
            CompleteResult.COMPLETED,
            CompleteResult.STALE_LEASE,
            CompleteResult.COMPLETED);
    assertThat(leases)
        .map(lease -> engine.get(lease.jobId()).orElseThrow().result().map(Arrays::toString))
        .containsExactly(Optional.empty(), Optional.of("[7]"), Optional.of("[]"));
  }

  private static LeaseCalls.Finished finished(Granted lease, Optional<byte[]> result) {
    return new LeaseCalls.Finished(new LeaseRef(lease.jobId(), lease.token()), result);
  }

  @Test
  void aFailedJobIsDeadAndIsBroughtBack() {
    JobId id = enqueued("x");
    Granted lease = claimed(Duration.ZERO).get(0);
    ask(
        new LeaseCalls.Fail(
            List.of(new LeaseRef(id, lease.token())),
            "no such letter",
            FailOptions.PERMANENT,
            Optional.empty()));
    assertThat(ask(new ReadCalls.Get(id)).job().orElseThrow().state()).isEqualTo(JobState.DEAD);
    assertThat(ask(new ReadCalls.Get(id)).job().orElseThrow().lastError())
        .contains("no such letter");
    assertThat(ask(new ReadCalls.Explain(id)).explanation().orElseThrow().reasons()).isNotEmpty();

    ask(new JobCalls.Redrive(MAIL, id, DeadLetters.Checkpointed.KEEP, Optional.empty()))
        .result()
        .orThrow();
    assertThat(engine.get(id).orElseThrow().state()).isEqualTo(JobState.READY);
  }

  @Test
  void waitingIsAnsweredWhenAJobComes() throws Exception {
    Future<List<Granted>> waiting =
        CompletableFuture.supplyAsync(() -> claimed(Duration.ofSeconds(60)));
    while (engine.metrics().parkedClaimCount() == 0) {
      Thread.onSpinWait();
    }
    JobId id = enqueued("late");
    assertThat(waiting.get().get(0).jobId()).isEqualTo(id);
  }

  @Test
  void whoGoesAwayWaitsForNoJobs() {
    CompletableFuture.supplyAsync(() -> claimed(Duration.ofSeconds(60)));
    while (engine.metrics().parkedClaimCount() == 0) {
      Thread.onSpinWait();
    }
    channel.shutdownNow();
    while (engine.metrics().parkedClaimCount() != 0) {
      Thread.onSpinWait();
    }
    engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT);
    assertThat(engine.queue("mail").claim("other", Duration.ofMinutes(1))).isPresent();
  }

  @Test
  void theEndOfAJobIsAwaited() throws Exception {
    JobId id = enqueued("x");
    Future<JobEnd<byte[]>> end =
        CompletableFuture.supplyAsync(() -> ask(new JobCalls.Await(id, false)).end());
    while (engine.metrics().awaitCount() == 0) {
      Thread.onSpinWait();
    }
    assertThat(engine.cancel(id).isDone()).isTrue();
    assertThat(end.get()).isInstanceOf(JobEnd.Cancelled.class);
  }

  @Test
  void aQueueIsLeasedAsAWhole() {
    enqueued("x");
    QueueCalls.LeaseQueue.Answer first =
        ask(new QueueCalls.LeaseQueue(MAIL, "one", Duration.ofMinutes(1)));
    long token = ((QueueCalls.LeaseQueue.Granted) first).token();
    assertThat(ask(new QueueCalls.LeaseQueue(MAIL, "two", Duration.ofMinutes(1))))
        .isInstanceOf(QueueCalls.LeaseQueue.Leased.class);
    assertThat(claimed(Duration.ZERO)).isEmpty();
    assertThat(ask(new QueueCalls.ClaimLeased(MAIL, token, ClaimOptions.by("one"))).leases())
        .hasSize(1);
    ask(new QueueCalls.CloseQueueLease(MAIL, token));
    assertThat(ask(new QueueCalls.ClaimLeased(MAIL, token, ClaimOptions.by("one"))).isStale())
        .isTrue();
  }

  @Test
  void settingsAreChangedIfTheyAreAsExpected() {
    var held = ask(new ReadCalls.Settings(Optional.of(MAIL), Optional.empty())).settings();
    var call =
        new QueueCalls.Configure(
            Optional.of(MAIL), Optional.empty(), held, held.depthMax(1), Optional.empty());
    assertThat(ask(call).present()).isEmpty();
    assertThat(engine.settings(MAIL).depthMax()).hasValue(1);
    assertThat(ask(call).present().orElseThrow().depthMax()).hasValue(1);
    enqueued("one");
    assertThat(
            ask(new JobCalls.Enqueue(MAIL, List.of(NewJob.of(new byte[0])), Optional.empty()))
                .results()
                .get(0))
        .isEqualTo(new EnqueueResult.QueueFull(MAIL, 1));
  }

  @Test
  void errorsNameTheExceptionOfTheApi() {
    assertThatThrownBy(() -> ask(new LeaseCalls.Claim(List.of(), List.of(), ClaimOptions.by("w"))))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(e.getTrailers().get(Failure.KIND)).isEqualTo("IllegalArgument");
              assertThat(e.getStatus().getDescription()).contains("queues");
            });
    engine.close();
    assertThatThrownBy(() -> enqueued("x"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
              assertThat(e.getTrailers().get(Failure.KIND)).isEqualTo("EngineClosed");
            });
  }

  @Test
  void tooManyCallsAreRefused() {
    serveAgain(Server.on(engine).callCountMax(1));
    CompletableFuture.supplyAsync(() -> claimed(Duration.ofSeconds(60)));
    while (engine.metrics().parkedClaimCount() == 0) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> enqueued("x"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
  }

  @Test
  void tokensAllowWhatTheirRolesAllow() throws Exception {
    serveAgain(
        Server.on(engine)
            .token(WORKER_TOKEN, Set.of(Role.ENQUEUE, Role.WORK))
            .token(READER_TOKEN, Set.of(Role.READ)));
    assertThatThrownBy(() -> enqueued("x"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
    Channel asReader = ClientInterceptors.intercept(channel, sending(READER_TOKEN));
    assertThat(ask(asReader, new ReadCalls.Stats(MAIL)).stats()).isEmpty();
    assertThatThrownBy(
            () ->
                ask(
                    asReader,
                    new JobCalls.Enqueue(MAIL, List.of(NewJob.of(new byte[0])), Optional.empty())))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
    assertThat(engine.stats(MAIL)).isEmpty();
    assertThat(post("enqueue", "{}").statusCode()).isEqualTo(401);
    assertThat(post("metrics", "{}", "Authorization", "Bearer " + WORKER_TOKEN).statusCode())
        .isEqualTo(403);
    assertThat(post("metrics", "{}", "Authorization", "Bearer " + READER_TOKEN).statusCode())
        .isEqualTo(200);
    assertThat(post("now", "{}", "Authorization", "Bearer " + WORKER_TOKEN).statusCode())
        .isEqualTo(200);
    assertThat(post("now", "{}").statusCode()).isEqualTo(401);
  }

  @Test
  void tokenForSomeQueues_reachesNoOthers() throws Exception {
    serveAgain(
        Server.on(engine).token(WORKER_TOKEN, Set.of(Role.ENQUEUE, Role.WORK), Set.of("mail")));
    Channel worker = ClientInterceptors.intercept(channel, sending(WORKER_TOKEN));
    JobCalls.Enqueue allowed =
        new JobCalls.Enqueue(MAIL, List.of(NewJob.of(new byte[0])), Optional.empty());
    JobCalls.Enqueue other =
        new JobCalls.Enqueue(
            new QueueName("mail", "acme"), List.of(NewJob.of(new byte[0])), Optional.empty());

    assertThat(ask(worker, allowed).results()).hasSize(1);
    assertThatThrownBy(() -> ask(worker, other))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
              assertThat(e.getStatus().getDescription()).contains("queue=mail@acme");
            });
    HttpResponse<String> byHttp =
        post(
            "claim",
            "{\"queues\":[{\"name\":\"ship\"}],\"options\":{\"worker\":\"w\"}}",
            "Authorization",
            "Bearer " + WORKER_TOKEN);
    assertThat(byHttp.statusCode()).isEqualTo(403);
    assertThat(byHttp.body()).contains("\"error\":\"NotAllowed\"").contains("queue=ship");
  }

  private static ClientInterceptor sending(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private HttpResponse<String> post(String path, String json, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path, json);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String json) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/" + path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(json));
  }

  @Test
  void aJobIsWorkedByHttp() throws Exception {
    HttpResponse<String> enqueued =
        post(
            "enqueue",
            "{\"queue\":{\"name\":\"mail\"},\"jobs\":[{\"payload\":\"aGVsbG8=\","
                + "\"options\":{\"priority\":5,\"headers\":{\"to\":\"ada\"}}}]}");
    assertThat(enqueued.statusCode()).isEqualTo(200);
    String id = found("\"jobId\":\"([0-9a-f]{32})\"", enqueued.body());
    assertThat(engine.get(JobId.parse(id)).orElseThrow().priority()).isEqualTo(5);

    HttpResponse<String> claimed =
        post(
            "claim",
            "{\"queues\":[{\"name\":\"mail\"}],"
                + "\"options\":{\"worker\":\"curl\",\"waitingMs\":\"1000\"}}");
    assertThat(claimed.body()).contains("\"payload\":\"aGVsbG8=\"").contains("\"to\":\"ada\"");
    String token = found("\"token\":\"(\\d+)\"", claimed.body());

    HttpResponse<String> completed =
        post(
            "complete",
            "{\"jobs\":[{\"lease\":{\"jobId\":\"" + id + "\",\"token\":\"" + token + "\"}}]}");
    assertThat(completed.body()).isEqualTo("{\"results\":[\"COMPLETED\"]}");
    assertThat(engine.get(JobId.parse(id))).isEmpty();
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  @Test
  void manyWaitByHttpAndOthersAreAnswered() throws Exception {
    int waiting = 150;
    String claim =
        "{\"queues\":[{\"name\":\"mail\"}],\"options\":{\"worker\":\"w\",\"waitingMs\":60000}}";
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      answers.add(
          http.sendAsync(request("claim", claim).build(), HttpResponse.BodyHandlers.ofString()));
    }
    while (engine.metrics().parkedClaimCount() < waiting) {
      Thread.onSpinWait();
    }
    assertThat(post("now", "{}").statusCode()).isEqualTo(200);
    for (int i = 0; i < waiting; i++) {
      enqueued("job");
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertThat(answer.get().body()).contains("\"token\"");
    }
  }

  @Test
  void wrongRequestsByHttpAreToldWhatIsWrong() throws Exception {
    assertThat(post("nothing", "{}").statusCode()).isEqualTo(404);
    assertThat(post("claim", "{").body()).contains("\"error\":\"IllegalArgument\"");
    assertThat(post("claim", "{\"wrong\":1}").body()).contains("wrong");
    assertThat(post("claim", "{}").body()).contains("options: worker");
    assertThat(post("claim", "{}").statusCode()).isEqualTo(400);
    HttpRequest form =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/now"))
            .header("Content-Type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    assertThat(http.send(form, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(415);
  }

  @Test
  void addressesThatOthersReachNeedATokenAndTls() {
    assertThatThrownBy(() -> Server.on(engine).listen("0.0.0.0:0"))
        .hasMessageContaining("token")
        .hasMessageContaining("TLS");
    assertThatThrownBy(() -> Server.on(engine).http("0.0.0.0:0")).hasMessageContaining("proxy");
    assertThatThrownBy(() -> Server.on(engine).listen("here")).hasMessageContaining("HOST:PORT");
    assertThatThrownBy(() -> Server.on(engine).token("short", Set.of(Role.READ)))
        .hasMessageContaining("token");
    assertThatThrownBy(() -> Server.on(engine).listen("127.0.0.1:" + server.port()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("127.0.0.1:" + server.port());
  }

  @Test
  void whatTheStateRefusesIsNoFaultOfTheServer() {
    engine.queue("mail").configure(settings -> settings.depthMax(1));
    enqueued("one");
    Batch batch = Batch.of("b").add(MAIL, NewJob.of(new byte[0]));
    assertThatThrownBy(() -> ask(new BatchCalls.StartBatch(batch, false, Optional.empty())))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
              assertThat(e.getTrailers().get(Failure.KIND)).isEqualTo("EnqueueRefused");
            });
  }

  @Test
  void whoWaitsWhenTheServerIsClosedIsToldAndGetsNoJob() {
    CompletableFuture<HttpResponse<String>> byHttp =
        http.sendAsync(
            request(
                    "claim",
                    "{\"queues\":[{\"name\":\"mail\"}],"
                        + "\"options\":{\"worker\":\"w\",\"waitingMs\":60000}}")
                .build(),
            HttpResponse.BodyHandlers.ofString());
    CompletableFuture<List<Granted>> byGrpc =
        CompletableFuture.supplyAsync(() -> claimed(Duration.ofSeconds(60)));
    while (engine.metrics().parkedClaimCount() < 2) {
      Thread.onSpinWait();
    }

    server.close();

    assertThat(byHttp.join().statusCode()).isEqualTo(503);
    assertThat(byHttp.join().body()).contains("\"error\":\"EngineClosed\"");
    assertThatThrownBy(byGrpc::join).hasMessageContaining("server is closed");
    engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT);
    assertThat(engine.queue("mail").claim("other", Duration.ofMinutes(1))).isPresent();
  }

  @Test
  void pagesUnderANameOfTheirOwnAreRefusedWithoutAToken() throws Exception {
    int port = server.httpPort().orElseThrow();
    assertThat(statusFor("rebound.example:" + port)).startsWith("HTTP/1.1 403");
    assertThat(statusFor("127.0.0.1.rebound.example")).startsWith("HTTP/1.1 403");
    assertThat(statusFor("localhost:" + port)).startsWith("HTTP/1.1 200");

    serveAgain(Server.on(engine).token(READER_TOKEN, Set.of(Role.READ)));
    assertThat(statusFor("behind-a-proxy.example", "Authorization: Bearer " + READER_TOKEN))
        .startsWith("HTTP/1.1 200");
  }

  /** Returns the first line of the answer; the JDK's client sends no such header. */
  private String statusFor(String host, String... headers) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.httpPort().orElseThrow())) {
      String head =
          "POST /v1/now HTTP/1.1\r\nHost: "
              + host
              + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
              + String.join("\r\n", headers)
              + (headers.length == 0 ? "" : "\r\n")
              + "Connection: close\r\n\r\n{}";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void othersReachItByTlsWithAToken(@TempDir Path folder) throws Exception {
    Path certificate = folder.resolve("server.pem");
    Path key = folder.resolve("key.pem");
    makeCertificate(folder, certificate, key);
    try (Server open =
        Server.on(engine)
            .token(READER_TOKEN, Set.of(Role.READ))
            .tls(certificate, key)
            .listen("0.0.0.0:0")) {
      ManagedChannel encrypted =
          NettyChannelBuilder.forAddress(
                  "localhost",
                  open.port(),
                  TlsChannelCredentials.newBuilder().trustManager(certificate.toFile()).build())
              .intercept(sending(READER_TOKEN))
              .build();
      ManagedChannel plain =
          NettyChannelBuilder.forAddress("localhost", open.port()).usePlaintext().build();
      try {
        assertThat(ask(encrypted, new ReadCalls.Stats(MAIL)).stats()).isEmpty();
        assertThatThrownBy(() -> ask(plain, new ReadCalls.Stats(MAIL)))
            .isInstanceOf(StatusRuntimeException.class);
      } finally {
        encrypted.shutdownNow();
        plain.shutdownNow();
      }
    }
    assertThatThrownBy(() -> Server.on(engine).tls(key, certificate)).hasMessageContaining("PEM");
    assertThatThrownBy(() -> Server.on(engine).tls(folder.resolve("none"), key))
        .hasMessageContaining("none");
  }

  private static void makeCertificate(Path folder, Path certificate, Path key) throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret",
                "-storetype",
                "PKCS12")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    write(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
    write(key, "PRIVATE KEY", keys.getKey("server", "secret".toCharArray()).getEncoded());
  }

  private static void write(Path file, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  @Test
  void eachOperationHasAHandler() {
    Dispatch dispatch = new Dispatch(engine, Runnable::run, Runnable::run, 1);
    assertThat(dispatch.handlers().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Protocol.operations().stream().map(Operation::name).toList());
  }
}
