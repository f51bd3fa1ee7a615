package io.millrace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Call;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who send, take or ask without measure: others are served all the same. */
@Timeout(120)
class LimitsTest {

  private static final QueueName MAIL = new QueueName("mail", "");

  /** More than threads that read requests. */
  private static final int MANY = 80;

  private static final String HEAD = "POST /v1/now HTTP/1.1\r\nHost: 127.0.0.1\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private JobEngine engine;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void open() {
    engine = JobEngine.open("memory:limits-" + UUID.randomUUID());
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    channel.shutdownNow();
    server.close();
    engine.close();
  }

  private void serve(ServerSetup setup) {
    server = setup.http("127.0.0.1:0").listen("127.0.0.1:0");
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(30_000);
    sockets.add(socket);
    return socket;
  }

  private Socket send(String text) throws IOException {
    Socket socket = connect(server.httpPort().orElseThrow());
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return socket;
  }

  private HttpResponse<String> now() throws Exception {
    return http.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/now"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @SuppressWarnings("unchecked")
  private <C extends Call<A>, A> A ask(C call) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    return operation.decodeAnswer(
        ClientCalls.blockingUnaryCall(
            channel, GrpcMethods.of(operation), CallOptions.DEFAULT, operation.encode(call)));
  }

  private static LeaseCalls.Claim claim(Duration waiting) {
    return new LeaseCalls.Claim(List.of(MAIL), List.of(), ClaimOptions.by("w").waiting(waiting));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time to wait until").isLessThan(end);
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Tells whether the other side has closed the connection, whatever it sent before. */
  private static boolean isCut(Socket socket) {
    try {
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // By a reset.
    }
  }

  @Test
  void connectionsByGrpc_beyondTheMost_areClosedAndThereIsRoomAgain() throws Exception {
    serve(Server.on(engine).connectionCountMax(3));
    for (int i = 0; i < 3; i++) {
      assertThat(connect(server.port()).getInputStream().read()).as("a frame").isNotNegative();
    }
    assertThat(isCut(connect(server.port()))).isTrue();
    // These were there before: were all cut off for their silence, they would be first.
    for (Socket kept : sockets.subList(0, 3)) {
      kept.setSoTimeout(1);
      assertThat(isCut(kept)).isFalse();
    }

    sockets.get(0).close();

    await(
        () -> {
          try {
            return ask(new ReadCalls.Now()).now() != null;
          } catch (StatusRuntimeException e) {
            channel.resetConnectBackoff();
            return false; // The server may not have noticed yet.
          }
        });
  }

  @Test
  void sendersByHttp_whoNeverComeToAnEnd_areCutAndHoldUpNobody() throws Exception {
    serve(Server.on(engine).patience(Duration.ofMillis(1_500)));
    String body = HEAD + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
    for (int i = 0; i < MANY; i++) {
      send(i % 2 == 0 ? HEAD : body);
    }

    assertThat(now().statusCode()).isEqualTo(200);

    // A byte now and then keeps nobody in.
    await(
        () -> {
          LockSupport.parkNanos(50_000_000);
          return sockets.stream().filter(LimitsTest::sends).toList().isEmpty();
        });
    assertThat(now().statusCode()).isEqualTo(200);
  }

  private static boolean sends(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void readersByHttp_whoTakeNothing_areCutAndTheirJobsAreFree() throws Exception {
    serve(Server.on(engine).patience(Duration.ofMillis(500)));
    for (int i = 0; i < 8; i++) {
      engine.queue(MAIL).enqueue(new byte[1 << 20], EnqueueOptions.DEFAULT);
    }
    String json = "{\"queues\":[{\"name\":\"mail\"}],\"options\":{\"worker\":\"w\",\"max\":8}}";
    Socket reader =
        send(
            "POST /v1/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Length: "
                + json.length()
                + "\r\n\r\n"
                + json);
    await(() -> engine.stats(MAIL).orElseThrow().count(JobState.LEASED) == 8);

    await(() -> engine.stats(MAIL).orElseThrow().count(JobState.READY) == 8);

    assertThat(isCut(reader)).isTrue();
  }

  @Test
  void claimsThatWait_leaveRoomForCallsThatDoNot() {
    serve(Server.on(engine).callCountMax(10));
    List<CompletableFuture<LeaseCalls.Claim.Answer>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(
          CompletableFuture.supplyAsync(
              () -> ask(claim(Duration.ofSeconds(60))), work -> new Thread(work).start()));
    }
    await(() -> engine.metrics().parkedClaimCount() == 9);
    CompletableFuture<?> refused =
        CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new));
    assertThat(statusOf(refused)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);

    for (int i = 0; i < 9; i++) {
      ask(new JobCalls.Enqueue(MAIL, List.of(NewJob.of(new byte[0])), Optional.empty()));
    }

    waiting.removeIf(CompletableFuture::isCompletedExceptionally);
    assertThat(waiting).hasSize(9).allMatch(claim -> claim.join().leases().size() == 1);
  }

  private static Status.Code statusOf(CompletableFuture<?> failed) {
    try {
      failed.join();
      return Status.Code.OK;
    } catch (CompletionException e) {
      return Status.fromThrowable(e.getCause()).getCode();
    }
  }

  @Test
  void callsThatTakeLong_leaveThreadsForQuickOnes() {
    serve(Server.on(engine));
    engine.queue(MAIL).enqueue(new byte[0], EnqueueOptions.DEFAULT);
    assertThat(engine.queue(MAIL).claim("w", Duration.ofMinutes(5))).isPresent();
    List<CompletableFuture<?>> drains = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      drains.add(
          CompletableFuture.supplyAsync(
              () -> ask(new QueueCalls.Drain(MAIL, Duration.ofSeconds(20), Optional.empty())),
              work -> new Thread(work).start()));
    }

    await(() -> threads("millrace-server-slow-") == 16);

    assertThat(ask(new ReadCalls.Peek(MAIL, JobState.LEASED, PageRequest.first(1))).jobs().items())
        .hasSize(1);
    assertThat(drains).noneMatch(CompletableFuture::isDone);
  }

  private static long threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }
}
