package io.millrace.model.seeds;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What futures were completed with, which are complete because the loop rests. */
public final class Answers {

  private Answers() {}

  /** The answer; throws what the call failed of. */
  public static <T> T of(CompletableFuture<T> future) {
    Optional<Throwable> failure = failure(future);
    if (failure.isPresent()) {
      if (failure.get() instanceof RuntimeException exception) {
        throw exception;
      }
      throw (Error) failure.get();
    }
    return future.join();
  }

  /** What the call failed of. */
  public static Optional<Throwable> failure(CompletableFuture<?> future) {
    if (!future.isDone()) {
      throw new AssertionError("a call was never answered");
    }
    try {
      future.join();
      return Optional.empty();
    } catch (CompletionException e) {
      return Optional.of(e.getCause());
    } catch (CancellationException e) {
      return Optional.of(e);
    }
  }
}
