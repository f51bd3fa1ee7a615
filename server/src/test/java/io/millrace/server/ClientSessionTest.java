package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClientSessionTest {

  /** A stream of a client that does not keep up, unless it is told to. */
  private static final class SlowStream extends ServerCallStreamObserver<byte[]> {
    private final List<Session.Answers> sent = new ArrayList<>();
    private boolean isReady;

    @Override
    public void onNext(byte[] message) {
      sent.add(Session.Answers.decode(message));
    }

    @Override
    public boolean isReady() {
      return isReady;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void onError(Throwable thrown) {}

    @Override
    public void onCompleted() {}

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    private List<Long> answered() {
      return sent.stream().flatMap(it -> it.answers().stream()).map(Session.Answer::id).toList();
    }
  }

  private static List<Long> ids(int count) {
    return LongStream.rangeClosed(1, count).boxed().toList();
  }

  private static ClientSession asked(SlowStream by, JobEngine engine, int callCount) {
    Dispatch dispatch = new Dispatch(engine, Runnable::run, Runnable::run, 10_000);
    ClientSession session =
        new ClientSession(dispatch, new Session.Hello("c", "test", ""), Rights.ALL, callCount);
    session.attach(by, Runnable::run, "here", List.of());
    byte[] now = Protocol.of(ReadCalls.Now.class).encode(new ReadCalls.Now());
    List<Session.SentCall> calls =
        ids(callCount).stream().map(id -> new Session.SentCall(id, "Now", now)).toList();
    session.take(by, new Session.Calls(Optional.empty(), calls, List.of(), List.of(), false));
    return session;
  }

  @Test
  void sendAll_clientKeepsUpAgain_getsAllByAsManyMessagesAsItTakes() {
    try (JobEngine engine = JobEngine.open("memory:session-" + UUID.randomUUID())) {
      SlowStream stream = new SlowStream();
      ClientSession session = asked(stream, engine, 2_500);
      assertThat(stream.answered()).isEmpty();

      stream.isReady = true;
      session.sendAll();

      assertThat(stream.answered()).containsExactlyElementsOf(ids(2_500));
      assertThat(stream.sent).hasSizeGreaterThan(2);
    }
  }

  @Test
  void sendLast_clientDoesNotKeepUp_isToldMoreThanOneMessageHasRoomFor() {
    try (JobEngine engine = JobEngine.open("memory:session-" + UUID.randomUUID())) {
      SlowStream stream = new SlowStream();
      ClientSession session = asked(stream, engine, 2_500);

      session.sendLast();

      assertThat(stream.answered()).containsExactlyElementsOf(ids(2_500));
    }
  }
}
