package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream as a client has it. It reads all that comes, unless it is a slow one. */
final class TestStream implements ClientResponseObserver<byte[], byte[]> {
  final BlockingQueue<Session.Answer> answers = new LinkedBlockingQueue<>();
  final CompletableFuture<Session.Welcome> welcome = new CompletableFuture<>();
  final CompletableFuture<Status> ended = new CompletableFuture<>();
  private final boolean isSlow;
  ClientCallStreamObserver<byte[]> calls;

  TestStream(boolean isSlow) {
    this.isSlow = isSlow;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
    calls = stream;
    if (isSlow) {
      stream.disableAutoRequestWithInitial(1);
    }
  }

  @Override
  public void onNext(byte[] message) {
    Session.Answers told = Session.Answers.decode(message);
    told.welcome().ifPresent(welcome::complete);
    answers.addAll(told.answers());
  }

  @Override
  public void onError(Throwable thrown) {
    ended.complete(Status.fromThrowable(thrown));
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.OK);
  }

  void send(Session.Calls sent) {
    calls.onNext(sent.encode());
  }

  <C extends Call<A>, A> void ask(long id, C call) {
    Operation<C, A> operation = operation(call);
    send(
        calls(
            List.of(new Session.SentCall(id, operation.name(), operation.encode(call))),
            List.of()));
  }

  Session.Answer next() throws InterruptedException {
    Session.Answer answer = answers.poll(30, TimeUnit.SECONDS);
    assertThat(answer).as("no answer came").isNotNull();
    return answer;
  }

  <C extends Call<A>, A> A next(long id, Class<C> of) throws InterruptedException {
    Session.Answer answer = next();
    assertThat(answer.id()).isEqualTo(id);
    assertThat(answer.failure()).isEmpty();
    return Protocol.of(of).decodeAnswer(answer.response().orElseThrow());
  }

  Session.Failure nextFailure(long id) throws InterruptedException {
    Session.Answer answer = next();
    assertThat(answer.id()).isEqualTo(id);
    return answer.failure().orElseThrow();
  }

  Status end() throws Exception {
    return ended.get(30, TimeUnit.SECONDS);
  }

  static Session.Calls calls(List<Session.SentCall> sent, List<Long> received) {
    return new Session.Calls(Optional.empty(), sent, List.of(), received, false);
  }

  static Session.Calls hello(String client, List<Long> received) {
    return new Session.Calls(
        Optional.of(new Session.Hello(client, "test", "")), List.of(), List.of(), received, false);
  }

  @SuppressWarnings("unchecked")
  static <C extends Call<A>, A> Operation<C, A> operation(C call) {
    return Protocol.of((Class<C>) call.getClass());
  }
}
