package io.millrace.model.fault;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.spi.StoreFullException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a caller was told, as far as the documentation lets it be told anything.
 *
 * @param submittedNs when the request had been made at the latest
 * @param value the answer, if there was one
 * @param thrown what it was told instead
 */
record CallOutcome<T>(
    Kind kind, long submittedNs, @Nullable T value, @Nullable RuntimeException thrown) {

  /** What a caller knows afterwards. */
  enum Kind {
    ANSWER,
    NOTHING_HAPPENED,
    UNKNOWN
  }

  /** A call that waits for its answer; throws what no caller should be told. */
  static <T> CallOutcome<T> by(Supplier<T> call) {
    try {
      T answer = call.get();
      return new CallOutcome<>(Kind.ANSWER, System.nanoTime(), answer, null);
    } catch (OutcomeUnknownException e) {
      return new CallOutcome<>(Kind.UNKNOWN, System.nanoTime(), null, e);
    } catch (EngineOverloadedException
        | EnginePoisonedException
        | EngineClosedException
        | StoreFullException e) {
      return new CallOutcome<>(Kind.NOTHING_HAPPENED, System.nanoTime(), null, e);
    }
  }

  /** As {@link #by}, of a call whose answer comes by a future. */
  static <T> CallOutcome<T> byFuture(Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> future = call.get();
    long submittedNs = System.nanoTime();
    CallOutcome<T> told =
        by(
            () -> {
              try {
                return future.join();
              } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                  throw cause;
                }
                throw e;
              }
            });
    return new CallOutcome<>(told.kind, submittedNs, told.value, told.thrown);
  }

  T answer() {
    if (value == null) {
      throw new IllegalStateException("there was no answer", thrown);
    }
    return value;
  }

  boolean isClosed() {
    return thrown instanceof EngineClosedException;
  }
}
