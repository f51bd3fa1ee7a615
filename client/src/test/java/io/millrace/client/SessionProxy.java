package io.millrace.client;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;

/** A way to a server on which the messages of sessions become others. */
final class SessionProxy implements AutoCloseable {

  private final UnaryOperator<byte[]> calls;
  private final UnaryOperator<byte[]> answers;
  private final ManagedChannel channel;
  private final Server server;

  /**
   * Creates a way to the server at this port.
   *
   * @param calls makes what the server is sent of what a client sends
   * @param answers makes what the client is sent of what the server sends
   */
  SessionProxy(int serverPort, UnaryOperator<byte[]> calls, UnaryOperator<byte[]> answers) {
    this.calls = calls;
    this.answers = answers;
    this.channel = NettyChannelBuilder.forAddress("127.0.0.1", serverPort).usePlaintext().build();
    try {
      server =
          NettyServerBuilder.forPort(0)
              .addService(
                  ServerServiceDefinition.builder(Protocol.serviceName())
                      .addMethod(
                          GrpcMethods.session(), ServerCalls.asyncBidiStreamingCall(this::session))
                      .build())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String location() {
    return "millrace://127.0.0.1:" + server.getPort();
  }

  private StreamObserver<byte[]> session(StreamObserver<byte[]> client) {
    return changed(
        calls,
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcMethods.session(), CallOptions.DEFAULT), changed(answers, client)));
  }

  private static StreamObserver<byte[]> changed(
      UnaryOperator<byte[]> change, StreamObserver<byte[]> to) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        to.onNext(change.apply(message));
      }

      @Override
      public void onError(Throwable thrown) {
        to.onError(thrown);
      }

      @Override
      public void onCompleted() {
        to.onCompleted();
      }
    };
  }

  @Override
  public void close() {
    server.shutdownNow();
    channel.shutdownNow();
  }
}
