package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.ConnectedClient;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Granted;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.MillraceVersion;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.Session;
import io.millrace.protocol.TableCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60) // Some wait without end for what must come.
class SessionTest {

  private static final QueueName MAIL = new QueueName("mail", "");
  private static final String CLIENT = "c".repeat(32);

  private JobEngine engine;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    engine = JobEngine.open("memory:session-" + UUID.randomUUID());
    serve(Server.on(engine));
  }

  private void serve(ServerSetup setup) {
    server = setup.listen("127.0.0.1:0");
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

  private TestStream connect(String client, Long... received) throws Exception {
    TestStream stream = open(false);
    stream.send(TestStream.hello(client, List.of(received)));
    stream.welcome.get(30, TimeUnit.SECONDS);
    return stream;
  }

  private TestStream open(boolean isSlow) {
    return open(isSlow, "");
  }

  private TestStream open(boolean isSlow, String token) {
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    }
    TestStream stream = new TestStream(isSlow);
    ClientCalls.asyncBidiStreamingCall(
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers))
            .newCall(GrpcMethods.session(), CallOptions.DEFAULT),
        stream);
    return stream;
  }

  private static JobCalls.Enqueue enqueue(int bytes) {
    return new JobCalls.Enqueue(
        MAIL, List.of(new NewJob(new byte[bytes], EnqueueOptions.DEFAULT)), Optional.empty());
  }

  private static LeaseCalls.Claim claim(Duration waiting) {
    return new LeaseCalls.Claim(
        List.of(MAIL), List.of(), ClaimOptions.by("w").waiting(waiting).max(10));
  }

  private long count(JobState state) {
    return engine.queue(MAIL).stats().map(stats -> stats.count(state)).orElse(0L);
  }

  private void awaitCount(JobState state, long expected) throws InterruptedException {
    for (int i = 0; i < 3_000 && count(state) != expected; i++) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(count(state)).isEqualTo(expected);
  }

  @Test
  void eachCallIsAnsweredWhenItIsDone() throws Exception {
    TestStream stream = connect(CLIENT);
    assertThat(stream.welcome.get().isKnown()).isFalse();

    stream.ask(1, claim(Duration.ofMinutes(1)));
    stream.ask(2, new ReadCalls.Now());
    assertThat(stream.next(2, ReadCalls.Now.class)).isNotNull();
    stream.ask(3, enqueue(5));

    Session.Answer one = stream.next();
    Session.Answer other = stream.next();
    assertThat(List.of(one.id(), other.id())).containsExactlyInAnyOrder(1L, 3L);
    Session.Answer claimed = one.id() == 1 ? one : other;
    assertThat(
            Protocol.of(LeaseCalls.Claim.class)
                .decodeAnswer(claimed.response().orElseThrow())
                .leases())
        .extracting(lease -> lease.payload().length)
        .containsExactly(5);
  }

  @Test
  void callThatIsSentAgainAfterACutIsCarriedOutOnce() throws Exception {
    TestStream first = connect(CLIENT);
    first.ask(1, enqueue(1));
    String id = jobId(first);
    first.calls.cancel("cut", null);

    TestStream second = connect(CLIENT);
    second.ask(1, enqueue(1));

    assertThat(second.welcome.get().isKnown()).isTrue();
    assertThat(jobId(second)).isEqualTo(id);
    second.ask(2, new ReadCalls.Now());
    second.next(2, ReadCalls.Now.class);
    assertThat(count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void clientThatMayNotHaveHeardThatItsSessionIsNew_isToldAgain() throws Exception {
    TestStream first = connect(CLIENT);
    first.calls.cancel("cut before its welcome came", null);

    TestStream second = connect(CLIENT);

    assertThat(second.welcome.get().isKnown()).isFalse();
    second.ask(1, new ReadCalls.Now());
    second.next(1, ReadCalls.Now.class);
    assertThat(connect(CLIENT).welcome.get().isKnown()).isTrue();
  }

  @Test
  void clientThatIsCutOften_isRememberedAfterEachCut() throws Exception {
    serveAgain(Server.on(engine).kept(Duration.ofSeconds(2)));
    TestStream stream = connect(CLIENT);
    long endNs = System.nanoTime() + Duration.ofMillis(2_500).toNanos();
    for (long id = 1; System.nanoTime() - endNs < 0; id++) {
      stream.ask(id, new ReadCalls.Now());
      stream.next(id, ReadCalls.Now.class);
      stream.calls.cancel("cut", null);
      LockSupport.parkNanos(5_000_000);

      stream = connect(CLIENT, id);

      assertThat(stream.welcome.get().isKnown()).isTrue();
    }
  }

  @Test
  void clientThatDoesNotComeAgain_isForgotten_andAJobThatWasNotSentToItIsFree() throws Exception {
    serveAgain(Server.on(engine).kept(Duration.ofMillis(500)));
    TestStream stream = connect(CLIENT);
    stream.ask(1, new ReadCalls.Now());
    stream.next(1, ReadCalls.Now.class);
    stream.ask(2, claim(Duration.ofMinutes(1)));
    stream.ask(3, new ReadCalls.Now());
    stream.next(3, ReadCalls.Now.class);

    stream.calls.cancel("gone", null);
    await(() -> server.clients().stream().noneMatch(ConnectedClient::isConnected));
    engine.queue(MAIL).enqueue(new byte[1]);

    await(() -> server.clients().isEmpty());
    awaitCount(JobState.READY, 1);
  }

  @Test
  void clientThatDoesNotComeAgain_isForgotten_andMayWorkOnAJobThatWasSentToIt() throws Exception {
    serveAgain(Server.on(engine).kept(Duration.ofMillis(100)));
    engine.queue(MAIL).enqueue(new byte[1]);
    TestStream stream = connect(CLIENT);
    stream.ask(1, claim(Duration.ZERO));
    LeaseCalls.Claim.Answer claimed = stream.next(1, LeaseCalls.Claim.class);

    stream.calls.cancel("gone", null);

    await(() -> server.clients().isEmpty());
    Granted granted = claimed.leases().get(0);
    assertThat(
            engine.lease(granted.jobId(), granted.token()).extend(Duration.ofMinutes(1)).isDone())
        .isTrue();
  }

  private static void await(BooleanSupplier condition) {
    long endNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).isNegative();
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static String jobId(TestStream stream) throws InterruptedException {
    return stream.next(1, JobCalls.Enqueue.class).results().get(0).orThrow().jobId().toString();
  }

  @Test
  void tokenForSomeQueues_reachesNoOthersInASession() throws Exception {
    String token = "t".repeat(32);
    String others = "o".repeat(32);
    serveAgain(
        Server.on(engine)
            .token(token, Set.of(Role.ENQUEUE), Set.of("other"))
            .token(others, Set.of(Role.ENQUEUE)));
    TestStream stream = open(false, token);
    stream.send(TestStream.hello(CLIENT, List.of()));
    stream.welcome.get(30, TimeUnit.SECONDS);

    stream.ask(1, enqueue(1));

    Session.Failure failure = stream.nextFailure(1);
    assertThat(failure.error()).isEqualTo("NotAllowed");
    assertThat(failure.message()).contains("queue=mail").contains("[other]");
    assertThat(engine.stats(MAIL)).isEmpty();
    TestStream stolen = open(false, others);
    stolen.send(TestStream.hello(CLIENT, List.of()));
    assertThat(stolen.end().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void answersThatWereReceivedAreForgotten() throws Exception {
    TestStream first = connect(CLIENT);
    first.ask(1, enqueue(1));
    first.ask(2, enqueue(1));
    first.next(1, JobCalls.Enqueue.class);
    first.next(2, JobCalls.Enqueue.class);
    first.calls.cancel("cut", null);

    TestStream second = connect(CLIENT, 1L);

    second.next(2, JobCalls.Enqueue.class);
    second.ask(3, new ReadCalls.Now());
    second.next(3, ReadCalls.Now.class);
    assertThat(second.answers).isEmpty();
  }

  @Test
  void waitGoesOnOverACut() throws Exception {
    TestStream first = connect(CLIENT);
    first.ask(1, claim(Duration.ofMinutes(1)));
    first.ask(2, new ReadCalls.Now());
    first.next(2, ReadCalls.Now.class);
    first.calls.cancel("cut", null);
    TestStream second = connect(CLIENT, 2L);

    engine.queue(MAIL).enqueue(new byte[7]);

    List<Granted> leases = second.next(1, LeaseCalls.Claim.class).leases();
    assertThat(leases).hasSize(1);
    assertThat(leases.get(0).attempt()).isEqualTo(1);
  }

  @Test
  void newerStreamEndsTheOlder() throws Exception {
    TestStream first = connect(CLIENT);
    TestStream second = connect(CLIENT);

    assertThat(first.end().getCode()).isEqualTo(Status.Code.ABORTED);
    second.ask(1, new ReadCalls.Now());
    second.next(1, ReadCalls.Now.class);
    assertThat(second.ended).isNotDone();
  }

  @Test
  void goodbyeFreesJobsThatWereNotReceived() throws Exception {
    engine.queue(MAIL).enqueue(new byte[1]);
    engine.queue(MAIL).enqueue(new byte[1]);
    TestStream stream = connect(CLIENT);
    stream.ask(1, new LeaseCalls.Claim(List.of(MAIL), List.of(), ClaimOptions.by("w")));
    stream.next(1, LeaseCalls.Claim.class);
    stream.send(TestStream.calls(List.of(), List.of(1L)));
    stream.ask(2, claim(Duration.ZERO));
    stream.next(2, LeaseCalls.Claim.class);
    awaitCount(JobState.LEASED, 2);

    stream.send(new Session.Calls(Optional.empty(), List.of(), List.of(), List.of(), true));

    assertThat(stream.end().getCode()).isEqualTo(Status.Code.OK);
    awaitCount(JobState.READY, 1);
    awaitCount(JobState.LEASED, 1); // The one that was received.
    assertThat(connect(CLIENT).welcome.get().isKnown()).isFalse();
  }

  @Test
  void waitThatIsEndedIsAnsweredAndTakesNothing() throws Exception {
    TestStream stream = connect(CLIENT);
    stream.ask(1, claim(Duration.ofMinutes(1)));
    stream.send(new Session.Calls(Optional.empty(), List.of(), List.of(1L, 99L), List.of(), false));

    assertThat(stream.nextFailure(1).error()).isEqualTo("Cancellation");
    engine.queue(MAIL).enqueue(new byte[1]);
    assertThat(count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void jobOfAnAnswerThatNobodyWantsIsReleased() throws Exception {
    engine.queue(MAIL).enqueue(new byte[1]);
    TestStream stream = connect(CLIENT);
    stream.ask(1, claim(Duration.ZERO));
    assertThat(stream.next(1, LeaseCalls.Claim.class).leases()).hasSize(1);

    stream.send(new Session.Calls(Optional.empty(), List.of(), List.of(1L), List.of(1L), false));

    stream.ask(2, claim(Duration.ofMinutes(1)));
    assertThat(stream.next(2, LeaseCalls.Claim.class).leases()).hasSize(1);
  }

  @Test
  void failuresAreThoseOfSingleCalls() throws Exception {
    TestStream stream = connect(CLIENT);
    stream.send(
        TestStream.calls(
            List.of(
                new Session.SentCall(1, "Telepathy", new byte[0]),
                new Session.SentCall(2, "Enqueue", new byte[] {-1, -1})),
            List.of()));

    assertThat(stream.nextFailure(1))
        .isEqualTo(
            new Session.Failure(
                "IllegalArgument",
                "no such call is known here: call=Telepathy; the caller may be of a newer version:"
                    + " update the server first, version="
                    + MillraceVersion.text()));
    assertThat(stream.nextFailure(2).error()).isEqualTo("IllegalArgument");
    assertThat(stream.ended).isNotDone();
  }

  @Test
  void callsAboveTheLimitAreRefusedAndLaterOnesAreNot() throws Exception {
    serveAgain(Server.on(engine).callCountMax(2));
    TestStream stream = connect(CLIENT);
    assertThat(stream.welcome.get().callCountMax()).isEqualTo(2);
    stream.ask(1, new ReadCalls.Now());
    stream.ask(2, new ReadCalls.Now());
    stream.next();
    stream.next();
    stream.ask(3, new ReadCalls.Now());
    assertThat(stream.nextFailure(3).error()).isEqualTo("EngineOverloaded");

    stream.send(TestStream.calls(List.of(), List.of(1L)));
    stream.ask(4, new ReadCalls.Now());

    stream.next(4, ReadCalls.Now.class);
  }

  @Test
  void slowReaderIsHeldUpAndLosesNothing() throws Exception {
    engine.table("t", Codec.BYTES, Codec.BYTES).put(new byte[] {1}, new byte[200_000]);
    TestStream stream = open(true);
    stream.send(TestStream.hello(CLIENT, List.of()));
    int count = 100;
    for (int i = 0; i < count; i++) {
      stream.ask(i, new TableCalls.GetRows("t", List.of(new byte[] {1})));
    }
    engine.queue(MAIL).enqueue(new byte[1]);
    assertThat(stream.answers).isEmpty();

    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stream.calls.request(1);
      ids.add(stream.next().id());
    }

    assertThat(Set.copyOf(ids)).hasSize(count);
  }

  @Test
  void closedServerTellsWhoWaitsAndEndsTheStream() throws Exception {
    TestStream stream = connect(CLIENT);
    stream.ask(1, claim(Duration.ofMinutes(1)));
    stream.ask(2, new ReadCalls.Now());
    stream.next(2, ReadCalls.Now.class);

    server.close();

    assertThat(stream.nextFailure(1).error()).isEqualTo("EngineClosed");
    assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void wrongBeginningsAreRefused() throws Exception {
    TestStream noHello = open(false);
    noHello.ask(1, new ReadCalls.Now());
    assertThat(noHello.end().getDescription()).contains("no hello");

    TestStream shortName = open(false);
    shortName.send(TestStream.hello("abc", List.of()));
    assertThat(shortName.end().getDescription()).contains("characters=3, least=32, most=256");

    TestStream noMessage = open(false);
    noMessage.calls.onNext(new byte[] {-1, -1, -1});
    assertThat(noMessage.end().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);

    connect(CLIENT).ask(1, enqueue(1));
    awaitCount(JobState.READY, 1);
  }

  @Test
  void sessionIsThatOfItsToken() throws Exception {
    String worker = "w".repeat(32);
    String reader = "r".repeat(32);
    serveAgain(
        Server.on(engine)
            .token(worker, Set.of(Role.WORK, Role.READ))
            .token(reader, Set.of(Role.READ)));

    TestStream none = open(false);
    none.send(TestStream.hello(CLIENT, List.of()));
    assertThat(none.end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);

    TestStream reading = open(false, reader);
    reading.send(TestStream.hello(CLIENT, List.of()));
    reading.ask(1, enqueue(1));
    assertThat(reading.nextFailure(1).error()).isEqualTo("NotAllowed");

    TestStream working = open(false, worker);
    working.send(TestStream.hello(CLIENT, List.of()));
    assertThat(working.end().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(reading.ended).isNotDone();
  }

  @Test
  void eachOfManyCallsIsAnsweredOnce() throws Exception {
    TestStream stream = connect(CLIENT);
    int count = 2_000;
    List<Session.SentCall> sent = new ArrayList<>();
    Operation<JobCalls.Enqueue, JobCalls.Enqueue.Answer> operation =
        TestStream.operation(enqueue(1));
    for (int i = 0; i < count; i++) {
      sent.add(new Session.SentCall(i, "Enqueue", operation.encode(enqueue(1))));
    }
    stream.send(TestStream.calls(sent, List.of()));

    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Session.Answer answer = stream.next();
      assertThat(answer.failure()).isEmpty();
      assertThat(ids.add(answer.id())).isTrue();
    }
    assertThat(count(JobState.READY)).isEqualTo(count);
  }
}
