package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Call;
import io.millrace.protocol.MillraceVersion;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import io.millrace.server.Server;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients and servers of which one knows more than the other. */
@Timeout(60)
class OtherVersionTest {

  private static final MethodDescriptor SESSION = Protocol.session();

  private JobEngine engine;
  private Server server;

  static Set<String> scripts() {
    return SameAnswersTest.scripts();
  }

  @BeforeEach
  void start() {
    engine = JobEngine.open("memory:other-version-" + UUID.randomUUID());
    server = Server.on(engine).listen("127.0.0.1:0");
  }

  @AfterEach
  void stop() {
    server.close();
    engine.close();
  }

  private static List<String> told(SameAnswersTest.Script script, JobQueues queues) {
    Told told = new Told();
    script.run(queues, told);
    assertThat(told.lines()).isNotEmpty();
    return told.lines();
  }

  private SessionProxy proxy(UnaryOperator<byte[]> calls, UnaryOperator<byte[]> answers) {
    return new SessionProxy(server.port(), calls, answers);
  }

  /** Returns the answers with a field more, and the response of each with one, too. */
  private static byte[] newerAnswers(byte[] message) {
    Session.Answers answers = Session.Answers.decode(message);
    List<Session.Answer> newer =
        answers.answers().stream()
            .map(
                answer ->
                    new Session.Answer(
                        answer.id(), answer.response().map(NewerMessages::of), answer.failure()))
            .toList();
    return NewerMessages.of(
        SESSION.getOutputType(), new Session.Answers(answers.welcome(), newer).encode());
  }

  /** Returns the calls without what a client need not send, and with a field more. */
  private static byte[] otherCalls(byte[] message) {
    Session.Calls calls = Session.Calls.decode(message);
    Optional<Session.Hello> hello =
        calls.hello().map(it -> new Session.Hello(it.client(), it.described(), ""));
    return NewerMessages.of(
        SESSION.getInputType(),
        new Session.Calls(hello, calls.calls(), calls.ended(), calls.received(), calls.goodbye())
            .encode());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void answers_withMoreAreRead_andCallsWithMoreAreRefused(String name) {
    SameAnswersTest.Script script = SameAnswersTest.ALL.get(name);
    List<String> here = told(script, engine);

    try (Served served = new Served(NewerMessages::of)) {
      assertThat(told(script, served.queues())).containsExactlyElementsOf(here);

      served.calls().all().forEach(OtherVersionTest::assertRefusedWithMore);
    }
  }

  @Test
  void answersOfServersAlone_withMoreAreRead_andCallsWithMoreAreRefused() {
    try (Served served = new Served(NewerMessages::of)) {
      assertThat(served.queues().metrics().ringSize())
          .isEqualTo(served.engine().metrics().ringSize());
      assertThat(served.queues().clients()).isEmpty();

      served.calls().all().forEach(OtherVersionTest::assertRefusedWithMore);
    }
  }

  @SuppressWarnings("unchecked") // a call, and its class
  private static <C extends Call<A>, A> void assertRefusedWithMore(Call<?> call) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    byte[] message = operation.encode((C) call);
    for (byte[] newer : NewerMessages.each(operation.method().getInputType(), message)) {
      assertThatThrownBy(() -> operation.decode(newer))
          .as("%s", call)
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no such field is known here: field=" + NewerMessages.NEW_FIELD)
          .hasMessageEndingWith("update the server first, version=" + MillraceVersion.text());
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void sessions_ofOtherVersions_areThoseOfToday(String name) {
    SameAnswersTest.Script script = SameAnswersTest.ALL.get(name);
    try (JobEngine here = JobEngine.open("memory:here-" + UUID.randomUUID());
        SessionProxy proxy = proxy(OtherVersionTest::otherCalls, OtherVersionTest::newerAnswers);
        RemoteQueues queues = RemoteQueues.connect(proxy.location())) {
      assertThat(told(script, queues)).containsExactlyElementsOf(told(script, here));
    }
  }

  @Test
  void versionOfAClient_isToldWithIt_andEmptyIfItDoesNotSayOne() {
    try (RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + server.port())) {
      assertThat(queues.clients().get(0).version())
          .isEqualTo(MillraceVersion.text())
          .matches("\\d+\\.\\d+\\.\\d+.*");
    }
    try (SessionProxy proxy = proxy(OtherVersionTest::otherCalls, message -> message);
        RemoteQueues queues = RemoteQueues.connect(proxy.location())) {
      assertThat(queues.clients().get(0).version()).isEmpty();
    }
  }

  @Test
  void call_thatAsksForMoreThanTheServerKnows_doesNothing_andTheSessionGoesOn() {
    AtomicReference<String> newer = new AtomicReference<>("Enqueue");
    UnaryOperator<byte[]> asking =
        message -> {
          Session.Calls calls = Session.Calls.decode(message);
          List<Session.SentCall> sent =
              calls.calls().stream()
                  .map(
                      call ->
                          call.operation().equals(newer.get())
                              ? new Session.SentCall(
                                  call.id(), call.operation(), NewerMessages.of(call.request()))
                              : call)
                  .toList();
          return new Session.Calls(
                  calls.hello(), sent, calls.ended(), calls.received(), calls.goodbye())
              .encode();
        };
    try (SessionProxy proxy = proxy(asking, message -> message);
        RemoteQueues queues = RemoteQueues.connect(proxy.location())) {
      assertThatThrownBy(() -> queues.queue("mail").enqueue(new byte[1]))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("update the server first");
      assertThat(engine.queue("mail").stats()).isEmpty();

      newer.set("none");

      assertThat(queues.queue("mail").enqueue(new byte[1]).isDuplicate()).isFalse();
    }
  }

  @Test
  void claim_whoseAnswerIsOfANewerServer_failsAndFreesTheJobs() {
    AtomicReference<UnaryOperator<byte[]>> telling = new AtomicReference<>(message -> message);
    try (SessionProxy proxy = proxy(message -> message, m -> telling.get().apply(m));
        RemoteQueues queues = RemoteQueues.connect(proxy.location())) {
      engine.queue("mail").enqueue(new byte[1]);
      telling.set(
          message -> {
            Session.Answers answers = Session.Answers.decode(message);
            return new Session.Answers(
                    answers.welcome(),
                    answers.answers().stream()
                        .map(
                            answer ->
                                new Session.Answer(
                                    answer.id(),
                                    Optional.of(new byte[] {10, 0}), // a lease of nothing
                                    Optional.empty()))
                        .toList())
                .encode();
          });

      assertThatThrownBy(() -> queues.queue("mail").claim(ClaimOptions.by("older")))
          .isExactlyInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining(
              "the server may be of another version: call=Claim: leases: jobId: ");

      List<Lease> leases =
          engine.queue("mail").claim(ClaimOptions.by("w").waiting(Duration.ofSeconds(30)));
      assertThat(leases).singleElement().extracting(Lease::attempt).isEqualTo(1);
    }
  }
}
