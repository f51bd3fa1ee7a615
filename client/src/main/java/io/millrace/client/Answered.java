package io.millrace.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A future of what is made of a server's answer. Whoever waits for it makes it himself; for others
 * it is made on a thread where they may wait for further calls. Any thread.
 *
 * @param <A> the answer
 */
final class Answered<A, T extends @Nullable Object> extends CompletableFuture<T> {

  private final Calls calls;
  private final CompletableFuture<A> sent;
  private final Function<A, T> told;
  private final Consumer<T> unwanted;
  private final AtomicBoolean isMade = new AtomicBoolean();
  private volatile boolean isAwaited;

  /**
   * Creates the future of a call's answer. It fails with the exception itself, and with what {@code
   * told} throws.
   *
   * @param told makes the caller's answer of the server's
   * @param unwanted is given the answer that came when the future was cancelled already
   */
  Answered(Calls calls, CompletableFuture<A> sent, Function<A, T> told, Consumer<T> unwanted) {
    this.calls = calls;
    this.sent = sent;
    this.told = told;
    this.unwanted = unwanted;
    sent.whenComplete(
        (answer, thrown) -> {
          if (!isAwaited) {
            calls.run(this::make);
          }
        });
  }

  /** Ends the call when the future ends; returns this. */
  Answered<A, T> ending() {
    whenComplete(
        (answer, thrown) -> {
          if (isCancelled() && !sent.cancel(false)) {
            make();
          }
        });
    return this;
  }

  /** Waits until the future is completed, or can be by this thread, which then does so. */
  void awaitAndMake() throws InterruptedException {
    isAwaited = true;
    try {
      var unused = CompletableFuture.anyOf(sent, this).get();
    } catch (ExecutionException e) {
      // Whatever failed is told by the future.
    } catch (InterruptedException e) {
      isAwaited = false;
      if (sent.isDone()) {
        calls.run(this::make);
      }
      throw e;
    }
    if (sent.isDone()) {
      make();
    }
  }

  private void make() {
    if (!isMade.compareAndSet(false, true)) {
      return;
    }
    sent.whenComplete(
        (answer, thrown) -> {
          if (thrown != null) {
            completeExceptionally(itself(thrown));
            return;
          }
          T value;
          try {
            value = told.apply(answer);
          } catch (Throwable e) {
            completeExceptionally(e);
            return;
          }
          if (!complete(value)) {
            unwanted.accept(value);
          }
        });
  }

  /** Returns what a stage failed of, which may come inside of another exception. */
  private static Throwable itself(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /** Returns a plain future for what is made of this one, as it belongs to no call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
