package io.millrace.client;

import io.millrace.api.ExtendResult;
import io.millrace.protocol.Granted;
import io.millrace.protocol.LeaseRef;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge that the holder of a lease has of it, which all its handles share. The time that is
 * left runs on the monotonic clock of this process, from the moment of each answer that tells it.
 * Any thread.
 */
final class HeldLease {

  private final LongSupplier nowNs;
  private final LeaseRef ref;
  private volatile @Nullable Granted grant;
  private volatile byte @Nullable [] checkpointed;
  private volatile long deadlineNs;
  private volatile boolean isCancelRequested;
  private volatile boolean isFinished;

  /** Creates the state of a lease of which nothing is known but its name. */
  HeldLease(LongSupplier nowNs, LeaseRef ref) {
    this.nowNs = nowNs;
    this.ref = ref;
  }

  /** Creates the state of a lease that was granted just now. */
  HeldLease(LongSupplier nowNs, Granted told) {
    this(nowNs, new LeaseRef(told.jobId(), told.token()));
    know(told);
  }

  private void know(Granted told) {
    deadlineNs = nowNs.getAsLong() + told.remaining().toNanos();
    isCancelRequested = told.cancelRequested();
    grant = told;
  }

  LeaseRef ref() {
    return ref;
  }

  /**
   * Returns the lease with its job, as at the grant or at the first look.
   *
   * @param look asks for them
   */
  Granted grant(Function<LeaseRef, Granted> look) {
    Granted known = grant;
    if (known == null) {
      known = look.apply(ref);
      know(known);
    }
    return known;
  }

  /** Returns the state that was kept by a handle of this process; nobody may change its bytes. */
  Optional<byte[]> checkpointed() {
    return Optional.ofNullable(checkpointed);
  }

  Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadlineNs - nowNs.getAsLong()));
  }

  boolean isCancelRequested() {
    return isCancelRequested;
  }

  /** Tells whether a call ended the lease, or may be about to. */
  boolean isFinished() {
    return isFinished;
  }

  /** Takes note of a transaction that has ended the lease. */
  void markFinished() {
    isFinished = true;
  }

  /**
   * Keeps the state of a checkpoint that was made.
   *
   * @param state the state; nobody may change its bytes any more
   */
  void markCheckpointed(byte[] state) {
    checkpointed = state;
  }

  /** Takes note that somebody who waited for an end was interrupted: for him there was none. */
  void markUnfinished() {
    isFinished = false;
  }

  /**
   * Takes note of a call that ends the lease, whatever the answer. If the call fails, the lease is
   * as unfinished as before.
   */
  <R> CompletableFuture<R> ending(CompletableFuture<R> call) {
    isFinished = true;
    call.whenComplete(
        (answer, thrown) -> {
          if (thrown != null && !call.isCancelled()) {
            isFinished = false;
          }
        });
    return call;
  }

  /** Takes note of the answer to an extend or a checkpoint, which came just now. */
  ExtendResult extended(ExtendResult result) {
    if (result instanceof ExtendResult.Extended extended) {
      deadlineNs = nowNs.getAsLong() + extended.remaining().toNanos();
      isCancelRequested = extended.cancelRequested();
    }
    return result;
  }

  /**
   * Takes note of the answer to a checkpoint.
   *
   * @param state the state; nobody may change its bytes any more
   */
  ExtendResult checkpointed(byte[] state, ExtendResult result) {
    if (result.isDone()) {
      checkpointed = state;
    }
    return extended(result);
  }
}
