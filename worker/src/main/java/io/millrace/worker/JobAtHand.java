package io.millrace.worker;

import io.millrace.api.BatchId;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.Wake;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The job of a lease, as its handler sees it. */
final class JobAtHand implements HandlerContext {

  private final JobQueues queues;
  private final Lease lease;
  private final AtomicReference<@Nullable StopReason> stopReason = new AtomicReference<>();
  private volatile Progress progress = new Progress(0, "");
  private volatile boolean isCompleted;
  private volatile boolean isDone;
  private volatile boolean hasCheckpointed;
  private Optional<byte[]> state;

  /** The progress of the work, as the handler reports it. */
  record Progress(double part, String text) {}

  JobAtHand(JobQueues queues, Lease lease) {
    this.queues = queues;
    this.lease = lease;
    this.state = Optional.empty();
  }

  Lease lease() {
    return lease;
  }

  /** Tells the handler to stop, if nothing did before: the first reason counts. */
  void stop(StopReason reason) {
    stopReason.compareAndSet(null, reason);
  }

  Optional<StopReason> stopReason() {
    return Optional.ofNullable(stopReasonOrNull());
  }

  /** Returns {@link #stopReason}, or null if there is none, without asking for memory. */
  @Nullable StopReason stopReasonOrNull() {
    @Nullable StopReason first = stopReason.get();
    return first == null && lease.cancelRequested() ? StopReason.CANCEL : first;
  }

  Progress progress() {
    return progress;
  }

  /** Tells whether the job was completed together with effects. */
  boolean isCompleted() {
    return isCompleted;
  }

  /** Tells whether the handler has called {@link #done}. */
  boolean isDone() {
    return isDone;
  }

  /** Tells whether this attempt has kept a state. */
  boolean hasCheckpointed() {
    return hasCheckpointed;
  }

  @Override
  public JobId jobId() {
    return lease.jobId();
  }

  @Override
  public QueueName queue() {
    return lease.queue();
  }

  @Override
  public String type() {
    return lease.type();
  }

  @Override
  public Map<String, String> headers() {
    return lease.headers();
  }

  @Override
  public String worker() {
    return lease.worker();
  }

  @Override
  public int attempt() {
    return lease.attempt();
  }

  @Override
  public int maxAttempts() {
    return lease.maxAttempts();
  }

  @Override
  public long token() {
    return lease.token();
  }

  @Override
  public Optional<String> lastError() {
    return lease.lastError();
  }

  @Override
  public Instant enqueuedAt() {
    return lease.enqueuedAt();
  }

  @Override
  public Optional<BatchId> batch() {
    return lease.batch();
  }

  @Override
  public Wake wake() {
    return lease.wake();
  }

  @Override
  public Optional<byte[]> signalled(String signal) {
    return lease.signalled(signal);
  }

  @Override
  public boolean hasTimedOut(String signal) {
    return lease.hasTimedOut(signal);
  }

  @Override
  public JobQueues queues() {
    return queues;
  }

  @Override
  public Instant now() {
    return queues.now();
  }

  @Override
  public boolean isToStop() {
    return !isDone && stopReason().isPresent();
  }

  @Override
  public void checkAlive() {
    stopReason()
        .filter(reason -> !isDone)
        .ifPresent(
            reason -> {
              throw new JobStoppedException(
                  "job is to be given up: job=" + jobId() + ", because " + reason.sentence());
            });
  }

  @Override
  public void done() {
    isDone = true;
  }

  @Override
  public void extend(Duration duration) {
    heldOn(lease.extend(duration));
  }

  @Override
  public Optional<byte[]> checkpointed() {
    synchronized (lease) {
      return state.or(lease::checkpointed).map(byte[]::clone);
    }
  }

  @Override
  public void checkpoint(byte[] bytes) {
    byte[] kept = Checks.bytes("state", bytes, Limits.CHECKPOINT_BYTES_MAX).clone();
    heldOn(lease.checkpoint(kept));
    keep(kept);
  }

  private void keep(byte[] bytes) {
    synchronized (lease) {
      state = Optional.of(bytes);
    }
    hasCheckpointed = true;
  }

  private void heldOn(ExtendResult result) {
    if (!result.isDone()) {
      stop(StopReason.LEASE_LOST);
    }
    result.orThrow();
  }

  @Override
  public <R extends @Nullable Object> R checkpointWith(
      Function<Transaction, R> effects, Function<? super R, byte[]> stateOf) {
    Objects.requireNonNull(effects, "effects");
    Objects.requireNonNull(stateOf, "state");
    Kept<R> kept =
        transact(
            tx -> {
              R answer = effects.apply(tx);
              byte[] bytes =
                  Checks.bytes("state", stateOf.apply(answer), Limits.CHECKPOINT_BYTES_MAX).clone();
              tx.checkpoint(lease, bytes);
              return new Kept<>(answer, bytes);
            });
    keep(kept.state);
    return kept.answer;
  }

  private record Kept<R extends @Nullable Object>(R answer, byte[] state) {}

  @Override
  public void progress(double part, String text) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException("part is out of range: value=" + part + ", 0 to 1");
    }
    progress = new Progress(part, Objects.requireNonNull(text, "text"));
  }

  @Override
  public <R extends @Nullable Object> R completeWith(Function<Transaction, R> effects) {
    Objects.requireNonNull(effects, "effects");
    R answer =
        transact(
            tx -> {
              R told = effects.apply(tx);
              tx.complete(lease);
              return told;
            });
    isCompleted = true;
    return answer;
  }

  /**
   * Carries out a handler's answer that wants effects together with the job's end; returns the
   * answer that is left to be carried out. Does nothing for a handler that was told to stop: it has
   * given its job up.
   */
  Next carriedOut(Next next) {
    if (!(next instanceof Next.DoneWith done) || isToStop()) {
      return next;
    }
    transact(
        tx -> {
          done.effects()
              .apply(tx)
              .ifPresentOrElse(result -> tx.complete(lease, result), () -> tx.complete(lease));
          return true;
        });
    isCompleted = true;
    return Next.done();
  }

  private <R extends @Nullable Object> R transact(Function<Transaction, R> work) {
    try {
      return queues.transact(work).orThrow();
    } catch (LeaseLostException e) {
      stop(StopReason.LEASE_LOST);
      throw e;
    }
  }
}
