package io.millrace.jmh.load;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call to the plain log, and its answer. */
final class LogCall {

  /** Kind of a call. */
  enum Kind {
    ENQUEUE,
    CLAIM,
    COMPLETE
  }

  private static final long[] NONE = {};

  private final Kind kind;
  private final List<byte[]> payloads;
  private final int max;
  private final Thread caller = Thread.currentThread();
  private final long madeNs = System.nanoTime();
  private long[] numbers;
  private @Nullable CompletableFuture<@Nullable Void> future;
  private @Nullable Exception failure;
  private volatile boolean isAnswered;

  private LogCall(Kind kind, List<byte[]> payloads, int max, long[] numbers) {
    this.kind = kind;
    this.payloads = payloads;
    this.max = max;
    this.numbers = numbers;
  }

  static LogCall enqueue(List<byte[]> payloads) {
    return new LogCall(Kind.ENQUEUE, payloads, 0, NONE);
  }

  static LogCall claim(int max) {
    return new LogCall(Kind.CLAIM, List.of(), max, NONE);
  }

  static LogCall complete(long[] numbers) {
    return new LogCall(Kind.COMPLETE, List.of(), 0, numbers);
  }

  /** Lets the call be answered by its future. */
  LogCall byFuture() {
    future = new CompletableFuture<>();
    return this;
  }

  Kind kind() {
    return kind;
  }

  List<byte[]> payloads() {
    return payloads;
  }

  int max() {
    return max;
  }

  long[] numbers() {
    return numbers;
  }

  boolean isByFuture() {
    return future != null;
  }

  CompletableFuture<@Nullable Void> future() {
    CompletableFuture<@Nullable Void> told = future;
    if (told == null) {
      throw new IllegalStateException("this call is answered by waking its thread");
    }
    return told;
  }

  boolean hasWaited(long nowNs) {
    return nowNs - madeNs > Target.CLAIM_WAIT.toNanos();
  }

  void grant(long[] granted) {
    numbers = granted;
  }

  void wake() {
    isAnswered = true;
    LockSupport.unpark(caller);
  }

  void fail(Exception thrown) {
    failure = thrown;
    if (isByFuture()) {
      future().completeExceptionally(thrown);
    } else {
      wake();
    }
  }

  /** Waits for the answer on the thread that made the call. */
  void await() {
    while (!isAnswered) {
      LockSupport.park(this);
    }
    Exception thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException("plain log has failed", thrown);
    }
  }
}
