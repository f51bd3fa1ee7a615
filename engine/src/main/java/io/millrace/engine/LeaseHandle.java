package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Payload;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.FindLease;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.lease.WaitForTally;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease as its holder sees it. */
final class LeaseHandle implements Lease {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseHandle.class);

  private final Submitter submitter;
  private final Held held;

  private LeaseHandle(Submitter submitter, Held held) {
    this.submitter = submitter;
    this.held = held;
  }

  /** Creates the handle of a lease that a claim was given. */
  static LeaseHandle granted(Submitter submitter, LeaseDelivery delivery, Grant grant) {
    return new LeaseHandle(submitter, new Held(delivery, null, grant));
  }

  /** Creates the handle of a lease that the caller names by job and token; it may have ended. */
  static LeaseHandle told(Submitter submitter, LeaseDelivery delivery, JobAddress job, long token) {
    return new LeaseHandle(submitter, new Held(delivery, new NamedJob(job, token), null));
  }

  /** A lease as a caller names it. */
  private record NamedJob(JobAddress job, long token) {}

  /** The state that all views of one lease share. */
  private static final class Held {
    private final LeaseDelivery delivery;
    private final @Nullable NamedJob told;
    private volatile @Nullable Grant grant;
    private volatile byte @Nullable [] checkpointed;
    private volatile boolean isFinished;

    /** Creates the state of a lease, which is either told or granted: one of the two is given. */
    Held(LeaseDelivery delivery, @Nullable NamedJob told, @Nullable Grant grant) {
      this.delivery = delivery;
      this.told = told;
      this.grant = grant;
    }

    NamedLease named() {
      return told == null
          ? new NamedLease(Objects.requireNonNull(grant))
          : new NamedLease(told.job(), told.token());
    }
  }

  /** Returns the lease as transitions name it. */
  NamedLease named() {
    return held.named();
  }

  /** Tells whether the engine of this submitter granted the lease. */
  boolean isOf(Submitter other) {
    return submitter.isOfSameEngine(other);
  }

  void markFinished() {
    held.isFinished = true;
  }

  /** Keeps the state of a checkpoint; nobody may change its bytes any more. */
  void markCheckpointed(byte[] state) {
    held.checkpointed = state;
  }

  /**
   * Returns the lease with its job. For a lease that is only told, they are as at the first look.
   */
  private Grant grant() {
    Grant known = held.grant;
    if (known == null) {
      known =
          submitter.call(new FindLease(named())).get(0).stream()
              .flatMap(grant -> held.delivery.whole(List.of(grant)).stream())
              .findFirst()
              .orElseThrow(
                  () ->
                      new LeaseLostException(
                          "lease is not the job's current one: job="
                              + jobId()
                              + ", token="
                              + token()));
      held.grant = known;
    }
    return known;
  }

  @Override
  public Lease with(Durability durability) {
    return new LeaseHandle(submitter.with(durability), held);
  }

  @Override
  public JobId jobId() {
    return held.told == null
        ? grant().job().jobId(grant().lease().queue())
        : held.told.job().toJobId();
  }

  @Override
  public QueueName queue() {
    return grant().queue();
  }

  @Override
  public long token() {
    return held.told == null ? grant().lease().token() : held.told.token();
  }

  @Override
  public int attempt() {
    return grant().lease().attempt();
  }

  @Override
  public int maxAttempts() {
    return grant().maxAttempts();
  }

  @Override
  public String type() {
    String type = grant().job().type();
    return type == null ? queue().name() : type;
  }

  @Override
  public String worker() {
    return grant().lease().worker();
  }

  @Override
  public int priority() {
    return grant().job().priority();
  }

  @Override
  public int weight() {
    return grant().job().weight();
  }

  private Payload.Inline content() {
    return (Payload.Inline) grant().job().payload();
  }

  @Override
  public byte[] payload() {
    return content().payload().clone();
  }

  @Override
  public Optional<byte[]> checkpointed() {
    byte[] own = held.checkpointed;
    if (own != null) {
      return Optional.of(own.clone());
    }
    Payload.Inline kept = (Payload.Inline) grant().job().checkpointed();
    return kept == null ? Optional.empty() : Optional.of(kept.payload().clone());
  }

  @Override
  public Map<String, String> headers() {
    return content().headers();
  }

  @Override
  public Instant enqueuedAt() {
    return Instant.ofEpochMilli(grant().job().enqueuedAtMs());
  }

  @Override
  public Optional<String> lastError() {
    return Optional.ofNullable(grant().job().lastError());
  }

  @Override
  public Optional<BatchId> batch() {
    long tally = grant().job().tally();
    return tally == 0 ? Optional.empty() : Optional.of(new BatchId(tally));
  }

  @Override
  public Wake wake() {
    return SignalWaits.wake(grant().job());
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, grant().lease().deadlineNs() - submitter.leaseNs()));
  }

  @Override
  public boolean cancelRequested() {
    return grant().lease().isCancelTold();
  }

  @Override
  public CompleteResult complete() {
    return end(new Complete(List.of(named())));
  }

  @Override
  public CompletableFuture<CompleteResult> completeAsync() {
    return endAsync(new Complete(List.of(named())));
  }

  @Override
  public CompleteResult complete(byte[] result) {
    return end(completing(result));
  }

  @Override
  public CompletableFuture<CompleteResult> completeAsync(byte[] result) {
    return endAsync(completing(result));
  }

  private Complete completing(byte[] result) {
    byte[] copy = Checks.bytes("result", result, Limits.RESULT_BYTES_MAX).clone();
    NamedLease lease = named();
    return new Complete(List.of(lease), Map.of(lease, copy));
  }

  @Override
  public FailResult fail(String error, FailOptions options) {
    return end(failing(error, options));
  }

  @Override
  public CompletableFuture<FailResult> failAsync(String error, FailOptions options) {
    return endAsync(failing(error, options));
  }

  private Fail failing(String error, FailOptions options) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(options, "options");
    return new Fail(List.of(named()), error, options);
  }

  @Override
  public ReleaseResult release() {
    return end(new Release(List.of(named())));
  }

  @Override
  public CompletableFuture<ReleaseResult> releaseAsync() {
    return endAsync(new Release(List.of(named())));
  }

  @Override
  public ReleaseResult release(Duration rest) {
    return end(resting(rest));
  }

  @Override
  public CompletableFuture<ReleaseResult> releaseAsync(Duration rest) {
    return endAsync(resting(rest));
  }

  private Snooze resting(Duration rest) {
    Checks.upTo("rest", rest, Limits.DELAY_MAX);
    return snoozing(Snooze.Until.Kind.REST, rest.toMillis());
  }

  @Override
  public ReleaseResult snooze(Instant until) {
    return end(snoozing(until));
  }

  @Override
  public ReleaseResult snooze(Duration delay) {
    return end(snoozing(delay));
  }

  @Override
  public CompletableFuture<ReleaseResult> snoozeAsync(Instant until) {
    return endAsync(snoozing(until));
  }

  @Override
  public CompletableFuture<ReleaseResult> snoozeAsync(Duration delay) {
    return endAsync(snoozing(delay));
  }

  private Snooze snoozing(Instant until) {
    Checks.instant("until", until);
    return snoozing(Snooze.Until.Kind.INSTANT, until.toEpochMilli());
  }

  private Snooze snoozing(Duration delay) {
    Checks.upTo("delay", delay, Limits.DELAY_MAX);
    return snoozing(Snooze.Until.Kind.DELAY, delay.toMillis());
  }

  private Snooze snoozing(Snooze.Until.Kind kind, long ms) {
    return new Snooze(List.of(named()), new Snooze.Until(kind, ms));
  }

  @Override
  public WaitResult waitFor(String signal) {
    return end(SignalWaits.waiting(named(), signal));
  }

  @Override
  public WaitResult waitFor(String signal, Duration most) {
    return end(SignalWaits.waiting(named(), signal, most));
  }

  @Override
  public WaitResult waitFor(String signal, Instant deadline) {
    return end(SignalWaits.waiting(named(), signal, deadline));
  }

  @Override
  public WaitResult waitFor(BatchId batch) {
    return end(waiting(batch));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(BatchId batch) {
    return endAsync(waiting(batch));
  }

  private WaitForTally waiting(BatchId batch) {
    return new WaitForTally(named(), Objects.requireNonNull(batch, "batch").value());
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal) {
    return endAsync(SignalWaits.waiting(named(), signal));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal, Duration most) {
    return endAsync(SignalWaits.waiting(named(), signal, most));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal, Instant deadline) {
    return endAsync(SignalWaits.waiting(named(), signal, deadline));
  }

  /** Ends the lease with this call, whatever the answer. */
  private <R> R end(Transition<List<R>> transition) {
    R result = submitter.call(transition).get(0);
    held.isFinished = true;
    return result;
  }

  /**
   * Ends the lease by future; see {@link #end}. If the request is not taken up, the lease is as
   * unfinished as before.
   */
  private <R> CompletableFuture<R> endAsync(Transition<List<R>> transition) {
    CompletableFuture<R> future = submitter.callAsync(transition, results -> results.get(0));
    held.isFinished = !future.isCompletedExceptionally();
    return future;
  }

  @Override
  public ExtendResult extend(Duration duration) {
    return submitter.call(extending(duration)).get(0);
  }

  @Override
  public CompletableFuture<ExtendResult> extendAsync(Duration duration) {
    return submitter.callAsync(extending(duration), results -> results.get(0));
  }

  private Extend extending(Duration duration) {
    return new Extend(
        List.of(named()),
        Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX));
  }

  @Override
  public ExtendResult checkpoint(byte[] state) {
    byte[] copy = stateOf(state);
    return kept(copy, submitter.call(new Checkpoint(named(), copy)));
  }

  @Override
  public CompletableFuture<ExtendResult> checkpointAsync(byte[] state) {
    byte[] copy = stateOf(state);
    return submitter.callAsync(new Checkpoint(named(), copy), results -> kept(copy, results));
  }

  private static byte[] stateOf(byte[] state) {
    return Checks.bytes("state", state, Limits.CHECKPOINT_BYTES_MAX).clone();
  }

  private ExtendResult kept(byte[] state, List<ExtendResult> results) {
    ExtendResult result = results.get(0);
    if (result.isDone()) {
      markCheckpointed(state);
    }
    return result;
  }

  @Override
  public void close() {
    if (held.isFinished) {
      return;
    }
    try {
      end(failing(CLOSED_ERROR, FailOptions.RETRY));
    } catch (OutcomeUnknownException | IllegalStateException e) {
      // Who was interrupted, or may not wait because others' futures would, has the job failed too.
      endAsync(failing(CLOSED_ERROR, FailOptions.RETRY));
    } catch (MillraceException e) {
      // Nothing is lost: the lease ends with its time, or with the engine.
      LOG.debug("lease could not be ended at its close", e);
    }
  }

  @Override
  public String toString() {
    return "Lease[job=" + jobId() + ", token=" + token() + "]";
  }
}
