package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.MillraceException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import io.millrace.server.ServerSetup;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sentences about servers that users cannot use, and about engines that refuse. */
@Timeout(60)
class BadServersTest {

  @TempDir static Path folder;

  private final FaultyStore machine = new FaultyStore(1);
  private JobEngine engine;

  @BeforeEach
  void start() {
    engine =
        JobEngine.open(machine, StoreOptions.of(Path.of("bad-servers")), EngineOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private ServerSetup setup() {
    return io.millrace.server.Server.on(engine);
  }

  private static ThrowableAssert.ThrowingCallable connecting(
      int port, UnaryOperator<ClientOptions> options) {
    return () ->
        RemoteQueues.connect(
                "millrace://localhost:" + port,
                it -> options.apply(it.connectTimeout(Duration.ofSeconds(30))))
            .close();
  }

  /** Waits no longer for what does not come, but long enough for the reason to be known. */
  private static ClientOptions shortly(ClientOptions options) {
    return options.connectTimeout(Duration.ofSeconds(3));
  }

  @Test
  void certificates_thatExpired_areRefusedAtOnce() throws Exception {
    Keytool keytool = new Keytool(folder);
    keytool.make("root", "-ext", "bc:c");
    keytool.make("leaf");
    keytool.issue(
        "root", "leaf", "-startdate", "-10d", "-validity", "5", "-ext", "san=dns:localhost");
    keytool.make("old", "-startdate", "-10d", "-validity", "5", "-ext", "san=dns:localhost");
    try (var expired =
        setup().tls(keytool.certificates("leaf"), keytool.key("leaf")).listen("127.0.0.1:0")) {

      assertThatThrownBy(connecting(expired.port(), o -> o.tls(keytool.certificates("root"))))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessageContaining("server cannot be used: location=millrace://localhost:")
          .hasMessageContaining("the server's certificate has expired: NotAfter");
      assertThatThrownBy(connecting(expired.port(), o -> o.tls(keytool.certificates("old"))))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessageContaining("certificates have expired: trusted=")
          .hasMessageContaining("; take those that vouch for the server now");
    }
  }

  @Test
  void certificates_ofOthers_areRefusedAtOnce() throws Exception {
    Keytool keytool = new Keytool(folder);
    keytool.make("elsewhere", "-ext", "san=dns:elsewhere.example");
    keytool.make("stranger", "-ext", "san=dns:localhost");
    try (var other =
        setup()
            .tls(keytool.certificates("elsewhere"), keytool.key("elsewhere"))
            .listen("127.0.0.1:0")) {

      assertThatThrownBy(connecting(other.port(), o -> o.tls(keytool.certificates("elsewhere"))))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessageContaining("certificate is not accepted: No subject alternative DNS name");
      assertThatThrownBy(connecting(other.port(), o -> o.tls(keytool.certificates("stranger"))))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessageContaining("certificate is not accepted: ");
      assertThatThrownBy(connecting(other.port(), BadServersTest::shortly))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("a server that speaks TLS does so, set ClientOptions.tls");
    }
  }

  @Test
  void servers_ofAnotherKind_areTold() throws Exception {
    try (var plain = setup().http("127.0.0.1:0").listen("127.0.0.1:0")) {
      assertThatThrownBy(connecting(plain.port(), o -> shortly(o).tls()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageEndingWith(": the server does not speak TLS");
      assertThatThrownBy(connecting(plain.httpPort().orElseThrow(), BadServersTest::shortly))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageEndingWith("no server of Millrace, or only its port of HTTP");
    }
    Server another = NettyServerBuilder.forPort(0).build().start();
    try {
      assertThatThrownBy(connecting(another.getPort(), o -> o))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessageEndingWith(": there is another server, or one of an older version");
    } finally {
      another.shutdownNow();
    }
  }

  /** Expects the same hint: how an end by a server that speaks TLS is told is chance. */
  @Test
  void connectionThatIsReset_isToldAsOneThatIsClosed() {
    Status reset =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(
                new IOException(
                    "recvAddress(..) failed with error(-104): Connection reset by peer"));

    assertThat(Unreachable.text(reset))
        .isEqualTo(
            "recvAddress(..) failed with error(-104): Connection reset by peer"
                + "; a server that speaks TLS does so, set ClientOptions.tls");
  }

  /** A server of another version, which knows sessions but none of the calls. */
  private static StreamObserver<byte[]> old(StreamObserver<byte[]> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        Session.Calls calls = Session.Calls.decode(message);
        calls
            .hello()
            .ifPresent(
                hello ->
                    answers.onNext(
                        new Session.Answers(Optional.of(new Session.Welcome(false, 10)), List.of())
                            .encode()));
        for (Session.SentCall call : calls.calls()) {
          Session.Failure none =
              new Session.Failure(
                  "IllegalArgument", "no such call is known here: call=" + call.operation());
          answers.onNext(
              new Session.Answers(
                      Optional.empty(),
                      List.of(new Session.Answer(call.id(), Optional.empty(), Optional.of(none))))
                  .encode());
        }
      }

      @Override
      public void onError(Throwable thrown) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  @Test
  void serverOfAnOlderVersion_saysWhichCallItLacks() throws Exception {
    Server older =
        NettyServerBuilder.forPort(0)
            .addService(
                ServerServiceDefinition.builder(Protocol.serviceName())
                    .addMethod(
                        GrpcMethods.session(),
                        ServerCalls.asyncBidiStreamingCall(BadServersTest::old))
                    .build())
            .build()
            .start();
    try (RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + older.getPort())) {
      assertThatThrownBy(queues::clients)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no such call is known here: call=Clients");
    } finally {
      older.shutdownNow();
    }
  }

  @Test
  void engineThatIsFull_throwsWhatItThrowsHere() {
    try (var server = setup().listen("127.0.0.1:0");
        RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + server.port())) {
      machine.room(FaultyStore.Room.FOR_RESERVE_USERS);

      assertThatThrownBy(() -> queues.queue("mail").enqueue(new byte[0]))
          .isExactlyInstanceOf(StoreFullException.class)
          .hasMessageContaining("store is full; nothing happened");
      assertThat(queues.metrics().health().status()).isEqualTo(EngineHealth.Status.FULL);
    }
  }

  @Test
  void engineThatIsPoisoned_throwsWhatItThrowsHere() {
    try (var server = setup().listen("127.0.0.1:0");
        RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + server.port())) {
      machine.failNext(StoreCall.WRITE, Fault.BEFORE);

      assertThatThrownBy(() -> queues.queue("mail").enqueue(new byte[0]))
          .isInstanceOf(MillraceException.class);
      assertThatThrownBy(() -> queues.queue("mail").enqueue(new byte[0]))
          .isExactlyInstanceOf(EnginePoisonedException.class)
          .hasMessageContaining("nothing happened, reopen it");
      assertThat(queues.metrics().health().status()).isEqualTo(EngineHealth.Status.POISONED);
      engine.reopen();
      assertThat(queues.queue("mail").enqueue(new byte[0]).jobId()).isNotNull();
    }
  }
}
