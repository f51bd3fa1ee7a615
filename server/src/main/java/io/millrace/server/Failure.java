package io.millrace.server;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.millrace.api.BatchOverException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.NotAllowedException;
import io.millrace.api.NotDoneException;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreFullException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * A call that failed, as callers are told of it.
 *
 * @param kind the exception's name, without the word
 * @param status the code by gRPC
 * @param httpStatus the code by HTTP
 */
record Failure(String kind, Status.Code status, int httpStatus, String message) {

  /** The name of the trailer with the kind of the failure. */
  static final Metadata.Key<String> KIND =
      Metadata.Key.of("millrace-error", Metadata.ASCII_STRING_MARSHALLER);

  private record Code(Status.Code status, int httpStatus) {}

  private static final Map<Class<?>, Code> CODES =
      Map.ofEntries(
          Map.entry(IllegalArgumentException.class, new Code(Status.Code.INVALID_ARGUMENT, 400)),
          Map.entry(NotAllowedException.class, new Code(Status.Code.PERMISSION_DENIED, 403)),
          Map.entry(NotDoneException.class, new Code(Status.Code.FAILED_PRECONDITION, 409)),
          Map.entry(BatchOverException.class, new Code(Status.Code.FAILED_PRECONDITION, 409)),
          Map.entry(NoSuchBatchException.class, new Code(Status.Code.NOT_FOUND, 404)),
          Map.entry(NoSuchListeningException.class, new Code(Status.Code.NOT_FOUND, 404)),
          Map.entry(EngineOverloadedException.class, new Code(Status.Code.RESOURCE_EXHAUSTED, 429)),
          Map.entry(StoreBusyException.class, new Code(Status.Code.RESOURCE_EXHAUSTED, 429)),
          Map.entry(StoreFullException.class, new Code(Status.Code.UNAVAILABLE, 507)),
          Map.entry(EngineClosedException.class, new Code(Status.Code.UNAVAILABLE, 503)),
          Map.entry(EnginePoisonedException.class, new Code(Status.Code.UNAVAILABLE, 503)),
          Map.entry(NotOwnerException.class, new Code(Status.Code.UNAVAILABLE, 503)),
          Map.entry(OutcomeUnknownException.class, new Code(Status.Code.ABORTED, 500)),
          Map.entry(CorruptDataException.class, new Code(Status.Code.DATA_LOSS, 500)),
          Map.entry(CancellationException.class, new Code(Status.Code.CANCELLED, 499)));

  private static final Code OTHER = new Code(Status.Code.INTERNAL, 500);

  /** Returns what callers are told of the exception. */
  static Failure of(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof RejectedExecutionException) {
      return new Failure(
          "EngineOverloaded",
          Status.Code.RESOURCE_EXHAUSTED,
          429,
          "too many calls are under way; nothing happened, try again later");
    }
    Code code = OTHER;
    for (Class<?> type = cause.getClass(); type != Throwable.class; type = type.getSuperclass()) {
      Code known = CODES.get(type);
      if (known != null) {
        code = known;
        break;
      }
    }
    return new Failure(
        cause.getClass().getSimpleName().replaceFirst("Exception$", ""),
        code.status,
        code.httpStatus,
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
  }

  /** Returns the exceptions that have a code of their own, for tests. */
  static Set<Class<?>> coded() {
    return CODES.keySet();
  }

  /** Tells whether the fault is the server's own, and is to be logged there. */
  boolean isOurs() {
    return status == Status.Code.INTERNAL;
  }

  StatusRuntimeException thrown() {
    Metadata trailers = new Metadata();
    trailers.put(KIND, kind);
    return status.toStatus().withDescription(message).asRuntimeException(trailers);
  }
}
