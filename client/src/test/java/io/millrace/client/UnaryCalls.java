package io.millrace.client;

import com.google.protobuf.Descriptors.Descriptor;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** The calls of a server on this machine, each by itself. Knows which calls were made. */
final class UnaryCalls implements Calls, AutoCloseable {

  private static final Metadata.Key<String> KIND =
      Metadata.Key.of("millrace-error", Metadata.ASCII_STRING_MARSHALLER);

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private final List<Call<?>> all = new CopyOnWriteArrayList<>();
  private final BiFunction<Descriptor, byte[], byte[]> answers;
  private final ManagedChannel channel;

  UnaryCalls(int port, BiFunction<Descriptor, byte[], byte[]> answers) {
    this.answers = answers;
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(1 << 27)
            .build();
  }

  /** Returns the names of the operations that were called. */
  Set<String> made() {
    return made;
  }

  /** Returns all calls that were made, in order. */
  List<Call<?>> all() {
    return all;
  }

  @Override
  @SuppressWarnings("unchecked") // a call, and its class
  public <C extends Call<A>, A> CompletableFuture<A> send(C call) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    made.add(operation.name());
    all.add(call);
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(Protocol.serviceName(), operation.name()))
            .build();
    ClientCall<byte[], byte[]> sent = channel.newCall(method, CallOptions.DEFAULT);
    CompletableFuture<A> future = new CompletableFuture<>();
    sent.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] answer) {
            future.complete(
                operation.decodeAnswer(answers.apply(operation.method().getOutputType(), answer)));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            if (!status.isOk()) {
              String kind = trailers.get(KIND);
              future.completeExceptionally(
                  Failures.exception(
                      kind == null ? "none" : kind, String.valueOf(status.getDescription())));
            }
          }
        },
        new Metadata());
    sent.request(2);
    sent.sendMessage(operation.encode(call));
    sent.halfClose();
    future.whenComplete(
        (answer, thrown) -> {
          if (future.isCancelled()) {
            sent.cancel("not wanted any more", null);
          }
        });
    return future;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
