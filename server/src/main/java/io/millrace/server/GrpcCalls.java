package io.millrace.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.protocol.Protocol;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The operations by gRPC, a call each. Any thread. */
final class GrpcCalls {

  private static final Context.Key<Set<Role>> ROLES = Context.key("roles");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** Messages as they are sent. */
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
          try {
            return message.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException("message was not read", e);
          }
        }
      };

  private final Dispatch dispatch;

  GrpcCalls(Dispatch dispatch) {
    this.dispatch = dispatch;
  }

  /** Returns the service. */
  ServerServiceDefinition service() {
    List<MethodDescriptor<byte[], byte[]>> methods = new ArrayList<>();
    ServiceDescriptor.Builder described = ServiceDescriptor.newBuilder(Protocol.serviceName());
    dispatch
        .handlers()
        .values()
        .forEach(
            handler -> {
              MethodDescriptor<byte[], byte[]> method = method(handler);
              methods.add(method);
              described.addMethod(method);
            });
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(described.build());
    int i = 0;
    for (Handler<?, ?> handler : dispatch.handlers().values()) {
      service.addMethod(
          methods.get(i++),
          ServerCalls.asyncUnaryCall((request, answers) -> call(handler, request, answers)));
    }
    return service.build();
  }

  private static MethodDescriptor<byte[], byte[]> method(Handler<?, ?> handler) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(
                Protocol.serviceName(), handler.operation().name()))
        .build();
  }

  private void call(Handler<?, ?> handler, byte[] request, StreamObserver<byte[]> answers) {
    CompletableFuture<byte[]> answered = dispatch.carryOut(handler, ROLES.get(), request);
    // Whoever does not wait any more gets no jobs.
    ((ServerCallStreamObserver<byte[]>) answers).setOnCancelHandler(() -> answered.cancel(false));
    answered.whenComplete(
        (answer, thrown) -> {
          if (thrown == null) {
            answers.onNext(answer);
            answers.onCompleted();
          } else if (!answered.isCancelled()) {
            answers.onError(dispatch.failure(handler, thrown).thrown());
          }
        });
  }

  /** Returns what lets callers in who have a token. */
  static ServerInterceptor access(Access access) {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Optional<Set<Role>> roles = access.roles(Optional.ofNullable(headers.get(AUTHORIZATION)));
        if (roles.isEmpty()) {
          call.close(
              Status.UNAUTHENTICATED.withDescription(
                  "the token is missing or unknown: send the header authorization: Bearer TOKEN"),
              new Metadata());
          return new ServerCall.Listener<>() {};
        }
        return io.grpc.Contexts.interceptCall(
            Context.current().withValue(ROLES, roles.get()), call, headers, next);
      }
    };
  }
}
