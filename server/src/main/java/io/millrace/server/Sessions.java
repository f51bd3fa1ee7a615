package io.millrace.server;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.millrace.api.ConnectedClient;
import io.millrace.protocol.Session;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sessions of clients. A client is known by a name that only it knows. Any thread. */
final class Sessions {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  /** The fewest characters of a client's name: 128 bits in hexadecimal digits. */
  private static final int NAME_LENGTH_MIN = 32;

  private static final int NAME_LENGTH_MAX = 256;

  private static final int SESSION_COUNT_MAX = 10_000;

  /**
   * The time for which a client without a stream is remembered. Longer than it takes to notice a
   * cut and to connect again; jobs that were not sent to it wait as long.
   */
  static final Duration KEPT = Duration.ofSeconds(30);

  private final Dispatch dispatch;
  private final ServerThreads threads;
  private final int callCountMax;
  private final Duration kept;
  private final Map<String, ClientSession> byClient = new ConcurrentHashMap<>();

  /**
   * Creates the sessions.
   *
   * @param callCountMax the most calls of a client that are under way, or were not received
   * @param kept for how long a client without a stream is remembered
   */
  Sessions(Dispatch dispatch, ServerThreads threads, int callCountMax, Duration kept) {
    this.dispatch = dispatch;
    this.threads = threads;
    this.callCountMax = callCountMax;
    this.kept = kept;
    dispatch.clients(this::clients);
  }

  /** Returns the clients, those who came first first. */
  List<ConnectedClient> clients() {
    return byClient.values().stream()
        .map(ClientSession::seen)
        .sorted(
            Comparator.comparing(ConnectedClient::since).thenComparing(ConnectedClient::address))
        .toList();
  }

  /**
   * Takes a stream of a client, and returns what it sends to.
   *
   * @param address from where the client is connected, for people
   */
  StreamObserver<byte[]> open(StreamObserver<byte[]> answers, Rights rights, String address) {
    Stream stream = new Stream((ServerCallStreamObserver<byte[]>) answers, rights, address);
    stream.to.setOnCancelHandler(stream::leave);
    stream.to.setOnReadyHandler(stream::goOn);
    return stream;
  }

  /** Sends what is answered, and ends all streams: clients are to come again. */
  void close() {
    for (ClientSession session : byClient.values()) {
      session.sendLast();
      session.end(Status.UNAVAILABLE.withDescription("server is closing"));
    }
  }

  private boolean isRemoved(ClientSession session) {
    return byClient.remove(session.client().client(), session);
  }

  /** Forgets the client unless it has come again. */
  private void forgetIfGone(ClientSession session) {
    synchronized (session) {
      if (session.isConnected()) {
        return;
      }
      LOG.debug("client is gone: client={}", session.client().described());
      if (isRemoved(session)) {
        session.forget();
      }
    }
  }

  /** A stream of a client. What comes by it comes one after the other. */
  private final class Stream implements StreamObserver<byte[]> {
    private final ServerCallStreamObserver<byte[]> to;
    private final Rights rights;
    private final String address;
    private volatile @Nullable ClientSession session;
    private boolean isRefused;

    private Stream(ServerCallStreamObserver<byte[]> to, Rights rights, String address) {
      this.to = to;
      this.rights = rights;
      this.address = address;
    }

    @Override
    public void onNext(byte[] message) {
      if (isRefused) {
        return; // It was sent before its client knew.
      }
      Session.Calls calls;
      try {
        calls = Session.Calls.decode(message);
      } catch (IllegalArgumentException e) {
        refuse(Status.INVALID_ARGUMENT, e.getMessage());
        return;
      }
      ClientSession of = session;
      if (of == null) {
        of = begin(calls);
        session = of;
      }
      if (of == null) {
        return;
      }
      of.take(to, calls);
      if (calls.goodbye()) {
        if (isRemoved(of)) {
          of.leave();
        }
        of.end(Status.OK);
      }
    }

    private @Nullable ClientSession begin(Session.Calls calls) {
      if (calls.hello().isEmpty()) {
        refuse(Status.INVALID_ARGUMENT, "the first message of a session has no hello");
        return null;
      }
      Session.Hello hello = calls.hello().get();
      if (hello.client().length() < NAME_LENGTH_MIN
          || hello.client().length() > NAME_LENGTH_MAX
          || hello.described().length() > NAME_LENGTH_MAX
          || hello.version().length() > NAME_LENGTH_MAX) {
        refuse(
            Status.INVALID_ARGUMENT,
            "client has no good name: characters="
                + hello.client().length()
                + ", least="
                + NAME_LENGTH_MIN
                + ", most="
                + NAME_LENGTH_MAX);
        return null;
      }
      while (true) {
        ClientSession old = byClient.get(hello.client());
        if (old == null && byClient.size() >= SESSION_COUNT_MAX) {
          refuse(Status.RESOURCE_EXHAUSTED, "too many clients: most=" + SESSION_COUNT_MAX);
          return null;
        }
        ClientSession of =
            old == null ? new ClientSession(dispatch, hello, rights, callCountMax) : old;
        if (!of.rights().equals(rights)) {
          refuse(Status.PERMISSION_DENIED, "the session was begun with another token");
          return null;
        }
        synchronized (of) {
          boolean isThere =
              old == null
                  ? byClient.putIfAbsent(hello.client(), of) == null
                  : byClient.get(hello.client()) == old;
          if (isThere) {
            of.attach(to, threads.connections().current(), address, calls.received());
            return of;
          }
        }
      }
    }

    private void refuse(Status status, @Nullable String why) {
      isRefused = true;
      if (session == null || leave()) { // Else it has ended already.
        to.onError(status.withDescription(why).asRuntimeException());
      }
    }

    @Override
    public void onError(Throwable thrown) {
      leave();
    }

    @Override
    public void onCompleted() {
      if (leave()) {
        to.onCompleted();
      }
    }

    private void goOn() {
      ClientSession of = session;
      if (of != null) {
        of.send();
      }
    }

    /** Leaves the session, which another stream may go on with. */
    private boolean leave() {
      ClientSession of = session;
      return of != null
          && of.detach(
              to,
              () ->
                  threads
                      .clock()
                      .schedule(() -> forgetIfGone(of), kept.toMillis(), TimeUnit.MILLISECONDS));
    }
  }
}
