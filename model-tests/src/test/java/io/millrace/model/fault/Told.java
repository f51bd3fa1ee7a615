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
 * @param answer the answer, if there was one
 * @param thrown what it was told instead
 */
record Told<T>(Kind kind, @Nullable T value, @Nullable RuntimeException thrown) {

  /** What a caller knows afterwards. */
  enum Kind {
    ANSWER,
    NOTHING_HAPPENED,
    UNKNOWN
  }

  /** A call that waits for its answer; throws what no caller should be told. */
  static <T> Told<T> by(Supplier<T> call) {
    try {
      return new Told<>(Kind.ANSWER, call.get(), null);
    } catch (OutcomeUnknownException e) {
      return new Told<>(Kind.UNKNOWN, null, e);
    } catch (EngineOverloadedException
        | EnginePoisonedException
        | EngineClosedException
        | StoreFullException e) {
      return new Told<>(Kind.NOTHING_HAPPENED, null, e);
    }
  }

  /** As {@link #by}, of a call whose answer comes by a future. */
  static <T> Told<T> byFuture(Supplier<CompletableFuture<T>> call) {
    return by(
        () -> {
          try {
            return call.get().join();
          } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
              throw cause;
            }
            throw e;
          }
        });
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
