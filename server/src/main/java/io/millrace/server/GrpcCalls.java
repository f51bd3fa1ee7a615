package io.millrace.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.millrace.protocol.GrpcMethods;
import io.millrace.protocol.Protocol;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The operations by gRPC, as a call each or within the sessions of clients. Any thread. */
final class GrpcCalls {

  private static final Context.Key<Rights> RIGHTS = Context.key("rights");
  private static final Context.Key<String> ADDRESS = Context.key("address");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Dispatch dispatch;
  private final Sessions sessions;

  GrpcCalls(Dispatch dispatch, Sessions sessions) {
    this.dispatch = dispatch;
    this.sessions = sessions;
  }

  /** Returns the service. */
  ServerServiceDefinition service() {
    ServerServiceDefinition.Builder service =
        ServerServiceDefinition.builder(Protocol.serviceName());
    for (Handler<?, ?> handler : dispatch.handlers().values()) {
      service.addMethod(
          GrpcMethods.of(handler.operation()),
          ServerCalls.asyncUnaryCall((request, answers) -> call(handler, request, answers)));
    }
    service.addMethod(
        GrpcMethods.session(),
        ServerCalls.asyncBidiStreamingCall(
            answers -> sessions.open(answers, RIGHTS.get(), ADDRESS.get())));
    return service.build();
  }

  private void call(Handler<?, ?> handler, byte[] request, StreamObserver<byte[]> answers) {
    CompletableFuture<Handler.Told> answered = dispatch.carryOut(handler, RIGHTS.get(), request);
    // Whoever does not wait any more gets no jobs.
    ServerCallStreamObserver<byte[]> observer = (ServerCallStreamObserver<byte[]>) answers;
    observer.setOnCancelHandler(() -> answered.cancel(false));
    answered.whenComplete(
        (answer, thrown) -> {
          if (observer.isCancelled()) {
            if (answer != null) {
              answer.takeBack();
            }
          } else if (thrown == null) {
            answers.onNext(answer.message());
            answers.onCompleted();
          } else {
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
        Optional<Rights> rights = access.rights(Optional.ofNullable(headers.get(AUTHORIZATION)));
        if (rights.isEmpty()) {
          Metadata trailers = new Metadata();
          trailers.put(Failure.KIND, "Unauthenticated");
          call.close(
              Status.UNAUTHENTICATED.withDescription(
                  "the token is missing or unknown: send the header authorization: Bearer TOKEN"),
              trailers);
          return new ServerCall.Listener<>() {};
        }
        return Contexts.interceptCall(
            Context.current().withValues(RIGHTS, rights.get(), ADDRESS, address(call)),
            call,
            headers,
            next);
      }
    };
  }

  private static String address(ServerCall<?, ?> call) {
    // An address of sockets says /127.0.0.1:53412: no name was looked up.
    return String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
        .replaceFirst("^/", "");
  }
}
