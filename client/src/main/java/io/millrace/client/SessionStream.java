package io.millrace.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.Session;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stream of a session, from one connection to its end. */
final class SessionStream implements ClientResponseObserver<byte[], byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** The codes of a server that will not take this client later, either. */
  private static final Set<Status.Code> REFUSALS =
      EnumSet.of(
          Status.Code.UNAUTHENTICATED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.UNIMPLEMENTED);

  private final Connection connection;
  private final String address;
  private volatile @Nullable ClientCallStreamObserver<byte[]> calls;

  /**
   * Creates a stream that is yet to be opened.
   *
   * @param address the server, for people
   */
  SessionStream(Connection connection, String address) {
    this.connection = connection;
    this.address = address;
  }

  /** Opens the stream. */
  void open(Channel channel, Session.Calls first) {
    ClientCalls.asyncBidiStreamingCall(
        channel.newCall(GrpcMethods.session(), CallOptions.DEFAULT), this);
    send(first);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
    stream.setOnReadyHandler(connection::flush);
    calls = stream;
  }

  /** Tells whether the server keeps up with what is sent. */
  boolean isReady() {
    ClientCallStreamObserver<byte[]> to = calls;
    return to != null && to.isReady();
  }

  /** Sends calls; after one another, whoever sends them. */
  synchronized void send(Session.Calls sent) {
    ClientCallStreamObserver<byte[]> to = calls;
    if (to == null) {
      return;
    }
    try {
      to.onNext(sent.encode());
    } catch (IllegalStateException e) {
      LOG.debug("stream has ended before this was sent, the next one sends it", e);
    }
  }

  void cancel(String why) {
    ClientCallStreamObserver<byte[]> to = calls;
    if (to != null) {
      to.cancel(why, null);
    }
  }

  /** Ends the session. */
  void goodbye() {
    ClientCallStreamObserver<byte[]> to = calls;
    if (to == null) {
      return;
    }
    send(new Session.Calls(Optional.empty(), List.of(), List.of(), List.of(), true));
    try {
      to.onCompleted();
    } catch (IllegalStateException e) {
      LOG.debug("stream has ended before the client said goodbye", e);
    }
  }

  @Override
  public void onNext(byte[] message) {
    Session.Answers told = Session.Answers.decode(message);
    told.welcome().ifPresent(welcome -> connection.welcome(this, welcome));
    connection.answers(this, told.answers());
  }

  @Override
  public void onError(Throwable thrown) {
    Status status = Status.fromThrowable(thrown);
    boolean isUntrusted = Unreachable.isUntrusted(thrown);
    connection.ended(
        this,
        "address=" + address + ": " + Unreachable.text(status),
        isUntrusted || REFUSALS.contains(status.getCode()));
  }

  @Override
  public void onCompleted() {
    connection.ended(this, "the server has ended the session: address=" + address, false);
  }
}
