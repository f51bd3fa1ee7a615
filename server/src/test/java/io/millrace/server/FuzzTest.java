package io.millrace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Call;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that are not quite right, by each way in: each has an answer or a failure that blames
 * the caller, and the server goes on as if there had been none.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class FuzzTest {

  private static final String TOKEN = "marked-token-" + "f".repeat(32);
  private static final String PAYLOAD = SampleCalls.PAYLOAD;

  /** The beginnings of tokens and payloads, as text, in base64, in hexadecimal and as numbers. */
  private static final List<String> SECRETS =
      List.of("marked-", "bWFya2Vk", "6d61726b65642d", "109, 97, 114, 107");

  private static final Pattern NAMES = Pattern.compile("(queue|table|signal|worker)=.*?(, |\\n)");

  private static final QueueName FUZZ = new QueueName("fuzz", "");
  private static final QueueName KEPT = new QueueName("kept", "");
  private static final int KEPT_COUNT = 50;
  private static final int CALL_COUNT_MAX = 200;

  /** The codes of failures that are the caller's. */
  private static final Set<Status.Code> CALLERS =
      EnumSet.of(
          Status.Code.OK,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.NOT_FOUND,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.PERMISSION_DENIED,
          // Of calls that wait for something, and of sessions that another stream goes on with:
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.ABORTED);

  private static final Set<String> CALLERS_ERRORS =
      Set.of(
          "IllegalArgument",
          "NotDone",
          "BatchOver",
          "NoSuchBatch",
          "NoSuchListening",
          "EngineOverloaded",
          "EnqueueRefused",
          "LeaseLost",
          "NotAllowed",
          "Cancellation");

  private final long seed = Trials.seed();
  private final Random random = new Random(seed);
  private final Mutations mutations = new Mutations(random);
  private final HttpClient http = HttpClient.newHttpClient();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Semaphore atATime = new Semaphore(32);
  private CapturedLogs logs;
  private JobEngine engine;
  private Server server;
  private ManagedChannel connection;
  private Channel channel;
  private List<Call<?>> samples;

  @BeforeEach
  void serve() {
    logs = new CapturedLogs();
    engine = JobEngine.open("memory:fuzz-" + UUID.randomUUID());
    for (int i = 0; i < KEPT_COUNT; i++) {
      engine.queue(KEPT).enqueue(PAYLOAD.getBytes(UTF_8), EnqueueOptions.DEFAULT);
    }
    JobId job = engine.queue(FUZZ).enqueue(PAYLOAD.getBytes(UTF_8), EnqueueOptions.DEFAULT).jobId();
    samples = new ArrayList<>(new SampleCalls(FUZZ, job, "none").ofQueue());
    samples.addAll(SampleCalls.ofWhatIsShared());
    server =
        Server.on(engine)
            .token(TOKEN, EnumSet.allOf(Role.class))
            .callCountMax(CALL_COUNT_MAX)
            .http("127.0.0.1:0")
            .listen("127.0.0.1:0");
    connection = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    channel =
        ClientInterceptors.intercept(
            connection, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @AfterEach
  void close() {
    connection.shutdownNow();
    server.close();
    engine.close();
    logs.close();
  }

  @Test
  void messagesThatAreNotQuiteRight_endNothingAndLoseNothing() throws Exception {
    int trials = Trials.count("server.fuzz", 500, 2_000, 100_000);
    for (int i = 0; i < trials; i++) {
      switch (random.nextInt(8)) {
        case 0 -> sendSession();
        case 1 -> sendHttpNoise();
        case 2, 3, 4 -> sendHttp();
        default -> sendUnary();
      }
    }
    assertThat(atATime.tryAcquire(32, 60, TimeUnit.SECONDS)).as("all are answered").isTrue();
    Trials.report(FuzzTest.class, trials + " messages, seed " + seed);

    assertThat(wrong).as("seed %s", seed).isEmpty();
    assertThat(logs.lines()).as("seed %s", seed).noneMatch(FuzzTest::isOurFault);
    assertThat(logs.lines()).noneMatch(FuzzTest::tellsASecret);
    serverWorks();
    connection.shutdownNow();
    server.close();
    await(() -> threadCount() == 0);
    assertThat(logs.lines()).noneMatch(line -> line.contains("while calls are under way"));
  }

  private static boolean isOurFault(String line) {
    return line.startsWith("SEVERE") || line.startsWith("WARNING io.grpc.");
  }

  /**
   * Tells whether a line shows a payload or a token, other than where a message has it as a name.
   */
  private static boolean tellsASecret(String line) {
    String withoutNames = NAMES.matcher(line).replaceAll("");
    return SECRETS.stream().anyMatch(withoutNames::contains);
  }

  private static long threadCount() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-server-"))
        .count();
  }

  private Call<?> sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  @SuppressWarnings("unchecked")
  private static <C extends Call<A>, A> byte[] encoded(Call<?> call) {
    return Protocol.of((Class<C>) call.getClass()).encode((C) call);
  }

  private static Operation<?, ?> operation(Call<?> call) {
    return Protocol.operations().stream()
        .filter(it -> it.call() == call.getClass())
        .findFirst()
        .orElseThrow();
  }

  private void sendUnary() throws InterruptedException {
    Call<?> call = sample();
    Operation<?, ?> operation = operation(random.nextInt(20) == 0 ? sample() : call);
    byte[] message = mutations.bytes(encoded(call), encoded(sample()));
    atATime.acquire();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            GrpcMethods.of(operation), CallOptions.DEFAULT.withDeadlineAfter(3, TimeUnit.SECONDS)),
        message,
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] answer) {}

          @Override
          public void onError(Throwable thrown) {
            Status status = Status.fromThrowable(thrown);
            note(operation.name(), CALLERS.contains(status.getCode()), status, message);
            atATime.release();
          }

          @Override
          public void onCompleted() {
            atATime.release();
          }
        });
  }

  private void note(String call, boolean isGood, Object told, byte[] message) {
    if (!isGood) {
      wrong.add(call + ": " + told + " of " + HexFormat.of().formatHex(message));
    }
  }

  private void sendSession() throws Exception {
    String client = UUID.randomUUID() + "-fuzz-fuzz-fuzz";
    Frames frames = new Frames();
    StreamObserver<byte[]> to =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcMethods.session(), CallOptions.DEFAULT), frames);
    byte[] hello = calls(client, List.of(), false);
    to.onNext(random.nextInt(5) == 0 ? mutations.bytes(hello, encoded(sample())) : hello);
    for (int i = random.nextInt(4); i >= 0; i--) {
      List<Session.SentCall> sent = new ArrayList<>();
      for (int j = random.nextInt(4); j >= 0; j--) {
        Call<?> call = sample();
        sent.add(
            new Session.SentCall(
                random.nextInt(8),
                random.nextInt(20) == 0 ? "NoSuchCall" : operation(call).name(),
                mutations.bytes(encoded(call), encoded(sample()))));
      }
      byte[] message =
          new Session.Calls(Optional.empty(), sent, List.of(3L), List.of(1L), false).encode();
      to.onNext(random.nextInt(3) == 0 ? mutations.bytes(message, hello) : message);
    }
    // Whatever became of the stream, its session ends, and with it what waits.
    Frames last = new Frames();
    StreamObserver<byte[]> bye =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcMethods.session(), CallOptions.DEFAULT), last);
    frames.ended.await(20, TimeUnit.MILLISECONDS); // Some of what was sent is under way.
    bye.onNext(calls(client, List.of(), true));
    if (!last.ended.await(20, TimeUnit.SECONDS)) {
      wrong.add("session does not end");
    }
    to.onError(Status.CANCELLED.asRuntimeException());
  }

  private static byte[] calls(String client, List<Session.SentCall> sent, boolean goodbye) {
    return new Session.Calls(
            Optional.of(new Session.Hello(client, "fuzz", "")), sent, List.of(), List.of(), goodbye)
        .encode();
  }

  /** The answers and the end that a server sends by a stream. */
  private final class Frames implements StreamObserver<byte[]> {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onNext(byte[] message) {
      for (Session.Answer answer : Session.Answers.decode(message).answers()) {
        answer
            .failure()
            .ifPresent(it -> note("session", CALLERS_ERRORS.contains(it.error()), it, message));
      }
    }

    @Override
    public void onError(Throwable thrown) {
      Status status = Status.fromThrowable(thrown);
      boolean isOwn = status.getCode() == Status.Code.CANCELLED;
      note("session", isOwn || CALLERS.contains(status.getCode()), status, new byte[0]);
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }
  }

  private void sendHttp() throws Exception {
    Call<?> call = sample();
    Operation<?, ?> operation = operation(call);
    DynamicMessage message =
        DynamicMessage.parseFrom(operation.method().getInputType(), encoded(call));
    String body = mutations.text(JsonFormat.printer().print(message));
    String path = random.nextInt(30) == 0 ? "/v1/none" : HttpCalls.path(operation.name());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort() + path))
            .timeout(Duration.ofSeconds(3))
            .header("Content-Type", random.nextInt(30) == 0 ? "text/html" : "application/json")
            .header("Authorization", "Bearer " + (random.nextInt(30) == 0 ? "wrong" : TOKEN))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    atATime.acquire();
    http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .whenComplete(
            (answer, thrown) -> {
              if (answer != null) {
                boolean isGood = answer.statusCode() == 200 || answer.statusCode() / 100 == 4;
                note(
                    path,
                    isGood && (answer.body().startsWith("{") && answer.body().endsWith("}")),
                    answer.statusCode() + answer.body(),
                    body.getBytes(UTF_8));
              } else {
                boolean hasWaited = thrown.toString().contains("HttpTimeoutException");
                note(path, hasWaited, thrown, body.getBytes(UTF_8));
              }
              atATime.release();
            });
  }

  private int httpPort() {
    return server.httpPort().orElseThrow();
  }

  private void sendHttpNoise() throws IOException {
    String head =
        "POST /v1/now HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Authorization: Bearer "
            + TOKEN
            + "\r\nContent-Length: 2\r\n\r\n{}";
    try (Socket socket = new Socket("127.0.0.1", httpPort())) {
      socket.getOutputStream().write(mutations.bytes(head.getBytes(UTF_8), encoded(sample())));
      socket.shutdownOutput();
      socket.setSoTimeout(1);
      socket.getInputStream().read();
    } catch (IOException e) {
      // It was not understood, or there was no time for an answer.
      assertThat(e).isNotNull();
    }
  }

  private void serverWorks() throws Exception {
    // What was abandoned holds no room: as many wait as may wait.
    int most = CALL_COUNT_MAX - CALL_COUNT_MAX / 10;
    await(() -> engine.metrics().parkedClaimCount() == 0);
    Operation<LeaseCalls.Claim, LeaseCalls.Claim.Answer> claim =
        Protocol.of(LeaseCalls.Claim.class);
    QueueName last = new QueueName("last", "");
    byte[] waiting =
        claim.encode(
            new LeaseCalls.Claim(
                List.of(last), List.of(), ClaimOptions.by("w").waiting(Duration.ofMinutes(1))));
    List<CompletableFuture<Integer>> claims = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      var call = channel.newCall(GrpcMethods.of(claim), CallOptions.DEFAULT);
      CompletableFuture<Integer> leases = new CompletableFuture<>();
      var future = ClientCalls.futureUnaryCall(call, waiting);
      future.addListener(
          () -> {
            try {
              leases.complete(claim.decodeAnswer(future.get()).leases().size());
            } catch (Exception e) {
              leases.completeExceptionally(e);
            }
          },
          Runnable::run);
      claims.add(leases);
    }
    await(() -> engine.metrics().parkedClaimCount() == most || isOneDone(claims));
    assertThat(isOneDone(claims)).isFalse();
    for (int i = 0; i < most; i++) {
      engine.queue(last).enqueue(new byte[0], EnqueueOptions.DEFAULT);
    }
    for (CompletableFuture<Integer> leases : claims) {
      assertThat(leases.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }
    var kept = engine.peek(KEPT, JobState.READY, PageRequest.first(1_000)).items();
    assertThat(kept).hasSize(KEPT_COUNT);
    assertThat(kept).allMatch(job -> new String(job.payload(), UTF_8).equals(PAYLOAD));
    for (int i = 0; i < KEPT_COUNT; i++) {
      Lease lease = engine.queue(KEPT).claim("w", Duration.ofMinutes(1)).orElseThrow();
      assertThat(lease.complete().isDone()).isTrue();
    }
  }

  private static boolean isOneDone(List<CompletableFuture<Integer>> claims) {
    return claims.stream().anyMatch(CompletableFuture::isDone);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
