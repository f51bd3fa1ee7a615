package io.millrace.server;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.millrace.api.ConnectedClient;
import io.millrace.protocol.MillraceVersion;
import io.millrace.protocol.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The session of a client, over as many streams one after the other as it needs. Remembers the
 * calls that are under way and the answers that the client did not yet receive: a call that is sent
 * again after a cut is carried out once. Any thread.
 */
final class ClientSession {

  /**
   * The most answers of a message, and the bytes after which no further one is added: the client
   * takes one apart while the next is put together.
   */
  private static final int MESSAGE_ANSWER_COUNT_MAX = 1_000;

  private static final int MESSAGE_BYTES = 1 << 16;

  private static final int LAST_MESSAGE_COUNT_MAX = 16;

  private final Dispatch dispatch;
  private final Session.Hello client;
  private final Rights rights;
  private final int callCountMax;

  private final Map<Long, Asked> known = new ConcurrentHashMap<>();
  private final Queue<Asked> unsent = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isToSend = new AtomicBoolean();
  private final Object sending = new Object();
  private final Instant since = Instant.now();
  private volatile @Nullable ServerCallStreamObserver<byte[]> stream;
  private volatile @Nullable Executor connection;
  private volatile String address = "";
  private volatile int leaseCount;

  /**
   * The sign that the client has sent something since a welcome, and so knows that the session is
   * new. Until then it may have calls of a session that is forgotten. Guarded by this.
   */
  private boolean isHeard;

  /** The end of the time for which the session goes on without a stream. Guarded by this. */
  private Future<?> forgetting = CompletableFuture.completedFuture(null);

  /** A client as people are told of it. */
  private record Seen(
      String described,
      String version,
      String address,
      Instant since,
      boolean isConnected,
      int callCount,
      int leaseCount)
      implements ConnectedClient {}

  /**
   * Creates the session of a client that is new.
   *
   * @param callCountMax the most calls under way, and answers that were not received
   */
  ClientSession(Dispatch dispatch, Session.Hello client, Rights rights, int callCountMax) {
    this.dispatch = dispatch;
    this.client = client;
    this.rights = rights;
    this.callCountMax = callCountMax;
  }

  Session.Hello client() {
    return client;
  }

  /** Returns what whoever goes on with the session must be allowed, no less and no more. */
  Rights rights() {
    return rights;
  }

  /** Returns what people are told of the client. */
  ConnectedClient seen() {
    int callCount = (int) known.values().stream().filter(asked -> !asked.isAnswered()).count();
    return new Seen(
        client.described(), client.version(), address, since, isConnected(), callCount, leaseCount);
  }

  /** Tells whether the client has a stream now. */
  boolean isConnected() {
    return stream != null;
  }

  /**
   * Goes on with a new stream, and sends again what the client did not receive by the last one.
   *
   * @param thread the thread of its connection, on which answers are sent
   * @param from from where the stream comes, for people
   */
  synchronized void attach(
      ServerCallStreamObserver<byte[]> to, Executor thread, String from, List<Long> received) {
    forgetting.cancel(false);
    address = from;
    received.forEach(known::remove);
    synchronized (sending) {
      end(Status.ABORTED.withDescription("the client has opened another stream"));
      to.onNext(
          new Session.Answers(Optional.of(new Session.Welcome(isHeard, callCountMax)), List.of())
              .encode());
      unsent.clear();
      stream = to;
      connection = thread;
    }
    known.values().stream().filter(Asked::isAnswered).forEach(unsent::add);
    send();
  }

  /**
   * Goes on without a stream if this one was the last.
   *
   * @param forgetLater begins the time after which the session is forgotten
   */
  synchronized boolean detach(
      ServerCallStreamObserver<byte[]> from, Supplier<Future<?>> forgetLater) {
    if (stream != from) {
      return false;
    }
    synchronized (sending) { // Nothing more is sent by it: whoever leaves may end it.
      stream = null;
    }
    forgetting = forgetLater.get();
    return true;
  }

  /** Carries out what came by this stream, unless the client has another one by now. */
  synchronized void take(ServerCallStreamObserver<byte[]> from, Session.Calls calls) {
    if (stream != from) {
      return;
    }
    isHeard |= calls.hello().isEmpty();
    calls.held().ifPresent(count -> leaseCount = count);
    // First: a call may be received as well, by a client that wants nothing of the answer.
    for (long id : calls.ended()) {
      Asked asked = known.get(id);
      if (asked != null) {
        asked.end();
      }
    }
    calls.received().forEach(known::remove);
    for (Session.SentCall call : calls.calls()) {
      if (!known.containsKey(call.id())) {
        begin(call);
      }
    }
  }

  private void begin(Session.SentCall call) {
    Handler<?, ?> handler = dispatch.handlers().get(call.operation());
    Asked asked = new Asked(call.id(), handler);
    if (known.size() >= callCountMax) {
      asked.fail(new RejectedExecutionException("calls of a session"));
    } else if (handler == null) {
      known.put(asked.id, asked);
      asked.fail(new IllegalArgumentException(MillraceVersion.lacks("call", call.operation())));
    } else {
      known.put(asked.id, asked);
      asked.begin(dispatch.carryOut(handler, rights, call.request()));
    }
  }

  /** Sends the answers that wait, on the thread of the connection: until then others gather. */
  void send() {
    Executor on = connection;
    if (on != null && isToSend.compareAndSet(false, true)) {
      try {
        on.execute(this::sendAll);
      } catch (RejectedExecutionException e) {
        isToSend.set(false); // The server is closed.
      }
    }
  }

  /** Sends the answers that wait, as long as the client keeps up with them. */
  void sendAll() {
    isToSend.set(false);
    synchronized (sending) {
      ServerCallStreamObserver<byte[]> to = stream;
      if (to == null || !to.isReady() || !sendNext(to)) {
        return;
      }
    }
    send(); // What was sent is on its way before the next is put together.
  }

  /** Sends answers that wait, though not without end if the client does not keep up with them. */
  void sendLast() {
    synchronized (sending) {
      ServerCallStreamObserver<byte[]> to = stream;
      int left = LAST_MESSAGE_COUNT_MAX;
      while (to != null && left > 0 && sendNext(to)) {
        left--;
      }
    }
  }

  private boolean sendNext(ServerCallStreamObserver<byte[]> to) {
    if (to.isCancelled() || unsent.isEmpty()) {
      return false;
    }
    to.onNext(new Session.Answers(Optional.empty(), next()).encode());
    return true;
  }

  private List<Session.Answer> next() {
    List<Session.Answer> answers = new ArrayList<>();
    long bytes = 0;
    while (answers.size() < MESSAGE_ANSWER_COUNT_MAX && bytes < MESSAGE_BYTES) {
      Asked asked = unsent.poll();
      if (asked == null) {
        break;
      }
      Session.Answer answer = asked.toSend();
      answers.add(answer);
      bytes += answer.response().map(it -> it.length).orElse(0);
    }
    return answers;
  }

  /** Ends the stream, if there is one. The session can go on with another. */
  void end(Status why) {
    synchronized (sending) {
      ServerCallStreamObserver<byte[]> from = stream;
      stream = null;
      if (from == null) {
        return;
      }
      if (why.isOk()) {
        from.onCompleted();
      } else {
        from.onError(why.asRuntimeException());
      }
    }
  }

  /** Ends the session, as its client wants: what it did not receive is free. */
  synchronized void leave() {
    known.values().forEach(Asked::end);
    known.clear();
  }

  /**
   * Ends the session of a client that is gone without a word: calls that wait end, and jobs that
   * were not sent to it are free. It may work on those that were, so that their leases last.
   */
  synchronized void forget() {
    known.values().stream().filter(asked -> !asked.isSent).forEach(Asked::end);
    known.clear();
  }

  /** A call, and its answer when there is one. Any thread. */
  private final class Asked {
    private final long id;
    private final @Nullable Handler<?, ?> handler;
    private final AtomicBoolean isTakenBack = new AtomicBoolean();
    private volatile @Nullable CompletableFuture<Handler.Told> answered;
    private volatile boolean isUnwanted;
    private volatile boolean isSent;
    private volatile Handler.@Nullable Told told;
    private volatile @Nullable Failure failure;

    private Asked(long id, @Nullable Handler<?, ?> handler) {
      this.id = id;
      this.handler = handler;
    }

    private void begin(CompletableFuture<Handler.Told> future) {
      answered = future;
      future.whenComplete(
          (answer, thrown) -> {
            if (answer == null) {
              fail(thrown);
            } else {
              told = answer;
              if (isUnwanted) {
                takeBack(answer);
              }
              done();
            }
          });
    }

    private void fail(Throwable thrown) {
      failure = handler == null ? Failure.of(thrown) : dispatch.failure(handler, thrown);
      done();
    }

    private void done() {
      unsent.add(this);
      send();
    }

    private boolean isAnswered() {
      return told != null || failure != null;
    }

    /** Returns the answer, which the client may receive from now on. */
    private Session.Answer toSend() {
      isSent = true;
      Failure failed = failure;
      Handler.Told answer = told;
      if (failed == null && answer != null) {
        try {
          return new Session.Answer(id, Optional.of(answer.message()), Optional.empty());
        } catch (RuntimeException e) { // Of this answer: others of the message are good.
          failed = handler == null ? Failure.of(e) : dispatch.failure(handler, e);
        }
      }
      return new Session.Answer(
          id,
          Optional.empty(),
          Optional.ofNullable(failed).map(it -> new Session.Failure(it.kind(), it.message())));
    }

    /** Ends the call if it waits, and takes back what its answer gave. */
    private void end() {
      isUnwanted = true;
      CompletableFuture<Handler.Told> future = answered;
      if (future != null && handler != null && handler.isWaiting()) {
        future.cancel(false);
      }
      Handler.Told answer = told;
      if (answer != null) {
        takeBack(answer);
      }
    }

    private void takeBack(Handler.Told answer) {
      if (isTakenBack.compareAndSet(false, true)) {
        answer.takeBack();
      }
    }
  }
}
