package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.calls.CallLimits;
import io.millrace.options.Checks;
import io.millrace.options.Utf8;
import io.millrace.protocol.Granted;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that a server granted, as its holder sees it. */
final class RemoteLease implements Lease {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteLease.class);

  private final Caller caller;
  private final HeldLease held;

  private RemoteLease(Caller caller, HeldLease held) {
    this.caller = caller;
    this.held = held;
  }

  /** Creates the handles of the leases that a claim was given just now. */
  static List<RemoteLease> granted(Caller caller, List<Granted> leases) {
    List<HeldLease> held =
        leases.stream().map(lease -> new HeldLease(caller.nowNs(), lease)).toList();
    caller.leases().add(held);
    return held.stream().map(lease -> new RemoteLease(caller, lease)).toList();
  }

  /** Creates the handle of a lease that the caller names by job and token; it may have ended. */
  static RemoteLease told(Caller caller, JobId job, long token) {
    CallLimits.lease(job, token);
    return new RemoteLease(caller, new HeldLease(caller.nowNs(), new LeaseRef(job, token)));
  }

  /** Tells whether the caller's server granted the lease. */
  boolean isOf(Caller other) {
    return caller.isOfSameServer(other);
  }

  HeldLease held() {
    return held;
  }

  /** Returns the bytes that count against {@link ClaimOptions#maxBytes}. */
  long bytes() {
    Granted granted = grant();
    long bytes = granted.payload().length + granted.checkpointed().map(it -> it.length).orElse(0);
    for (Map.Entry<String, String> header : granted.headers().entrySet()) {
      bytes += Utf8.lengthBytes("name", header.getKey());
      bytes += Utf8.lengthBytes("value", header.getValue());
    }
    return bytes;
  }

  private Granted grant() {
    return held.grant(ref -> caller.look(new LeaseCalls.LookAtLease(ref)).lease());
  }

  @Override
  public Lease with(Durability durability) {
    return new RemoteLease(caller.with(durability), held);
  }

  @Override
  public JobId jobId() {
    return held.ref().jobId();
  }

  @Override
  public long token() {
    return held.ref().token();
  }

  @Override
  public QueueName queue() {
    return grant().queue();
  }

  @Override
  public int attempt() {
    return grant().attempt();
  }

  @Override
  public int maxAttempts() {
    return grant().maxAttempts();
  }

  @Override
  public String type() {
    return grant().type();
  }

  @Override
  public String worker() {
    return grant().worker();
  }

  @Override
  public int priority() {
    return grant().priority();
  }

  @Override
  public int weight() {
    return grant().weight();
  }

  @Override
  public byte[] payload() {
    return grant().payload().clone();
  }

  @Override
  public Optional<byte[]> checkpointed() {
    Optional<byte[]> own = held.checkpointed();
    return (own.isPresent() ? own : grant().checkpointed()).map(byte[]::clone);
  }

  @Override
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(grant().headers());
  }

  @Override
  public Instant enqueuedAt() {
    return grant().enqueuedAt();
  }

  @Override
  public Optional<String> lastError() {
    return grant().lastError();
  }

  @Override
  public Optional<BatchId> batch() {
    return grant().batch();
  }

  /** Returns a wake of its own to each caller, who may change the payload of a signal. */
  @Override
  public Wake wake() {
    return copy(grant().wake());
  }

  private static Wake copy(Wake wake) {
    if (wake instanceof Wake.Signalled signalled) {
      return new Wake.Signalled(signalled.name(), signalled.payload().clone());
    }
    return wake instanceof Wake.Retry retry
        ? new Wake.Retry(retry.signal().map(RemoteLease::copy))
        : wake;
  }

  @Override
  public Duration remaining() {
    grant();
    return held.remaining();
  }

  @Override
  public boolean cancelRequested() {
    grant();
    return held.isCancelRequested();
  }

  @Override
  public CompleteResult complete() {
    return ended(completeAsync());
  }

  @Override
  public CompletableFuture<CompleteResult> completeAsync() {
    return completing(Optional.empty());
  }

  @Override
  public CompleteResult complete(byte[] result) {
    return ended(completeAsync(result));
  }

  @Override
  public CompletableFuture<CompleteResult> completeAsync(byte[] result) {
    return completing(Optional.of(Checks.bytes("result", result, Limits.RESULT_BYTES_MAX)));
  }

  private CompletableFuture<CompleteResult> completing(Optional<byte[]> result) {
    LeaseCalls.Finished job = new LeaseCalls.Finished(held.ref(), result);
    return held.ending(
        caller.later(
            new LeaseCalls.Complete(List.of(job), caller.durability()),
            answer -> answer.results().get(0)));
  }

  @Override
  public FailResult fail(String error, FailOptions options) {
    return ended(failAsync(error, options));
  }

  @Override
  public CompletableFuture<FailResult> failAsync(String error, FailOptions options) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(options, "options");
    return held.ending(
        caller.later(
            new LeaseCalls.Fail(List.of(held.ref()), error, options, caller.durability()),
            answer -> answer.results().get(0)));
  }

  @Override
  public ReleaseResult release() {
    return ended(releaseAsync());
  }

  @Override
  public CompletableFuture<ReleaseResult> releaseAsync() {
    return releasing(Optional.empty());
  }

  @Override
  public ReleaseResult release(Duration rest) {
    return ended(releaseAsync(rest));
  }

  @Override
  public CompletableFuture<ReleaseResult> releaseAsync(Duration rest) {
    return releasing(Optional.of(Checks.upTo("rest", rest, Limits.DELAY_MAX)));
  }

  private CompletableFuture<ReleaseResult> releasing(Optional<Duration> rest) {
    return held.ending(
        caller.later(
            new LeaseCalls.Release(List.of(held.ref()), rest, caller.durability()),
            answer -> answer.results().get(0)));
  }

  @Override
  public ReleaseResult snooze(Instant until) {
    return ended(snoozeAsync(until));
  }

  @Override
  public ReleaseResult snooze(Duration delay) {
    return ended(snoozeAsync(delay));
  }

  @Override
  public CompletableFuture<ReleaseResult> snoozeAsync(Instant until) {
    return snoozing(Optional.of(Checks.instant("until", until)), Optional.empty());
  }

  @Override
  public CompletableFuture<ReleaseResult> snoozeAsync(Duration delay) {
    return snoozing(Optional.empty(), Optional.of(Checks.upTo("delay", delay, Limits.DELAY_MAX)));
  }

  private CompletableFuture<ReleaseResult> snoozing(
      Optional<Instant> until, Optional<Duration> delay) {
    return held.ending(
        caller.later(
            new LeaseCalls.Snooze(held.ref(), until, delay, caller.durability()),
            LeaseCalls.Snooze.Answer::result));
  }

  @Override
  public WaitResult waitFor(String signal) {
    return ended(waitForAsync(signal));
  }

  @Override
  public WaitResult waitFor(String signal, Duration most) {
    return ended(waitForAsync(signal, most));
  }

  @Override
  public WaitResult waitFor(String signal, Instant deadline) {
    return ended(waitForAsync(signal, deadline));
  }

  @Override
  public WaitResult waitFor(BatchId batch) {
    return ended(waitForAsync(batch));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(BatchId batch) {
    Objects.requireNonNull(batch, "batch");
    return held.ending(
        caller.later(
            new LeaseCalls.WaitFor(
                held.ref(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(batch),
                caller.durability()),
            LeaseCalls.WaitFor.Answer::result));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal) {
    return waiting(signal, Optional.empty(), Optional.empty());
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal, Duration most) {
    Checks.upTo("most", most, Limits.DELAY_MAX);
    return waiting(signal, Optional.empty(), Optional.of(most));
  }

  @Override
  public CompletableFuture<WaitResult> waitForAsync(String signal, Instant deadline) {
    Checks.instant("deadline", deadline);
    return waiting(signal, Optional.of(deadline), Optional.empty());
  }

  private CompletableFuture<WaitResult> waiting(
      String signal, Optional<Instant> deadline, Optional<Duration> most) {
    return held.ending(
        caller.later(
            new LeaseCalls.WaitFor(
                held.ref(),
                Optional.of(CallLimits.signal(signal)),
                deadline,
                most,
                Optional.empty(),
                caller.durability()),
            LeaseCalls.WaitFor.Answer::result));
  }

  /** Waits for an end of the lease; see {@link HeldLease#markUnfinished}. */
  private <R> R ended(CompletableFuture<R> ending) {
    try {
      return Caller.await(ending);
    } catch (OutcomeUnknownException e) {
      held.markUnfinished();
      throw e;
    }
  }

  @Override
  public ExtendResult extend(Duration duration) {
    return Caller.await(extendAsync(duration));
  }

  @Override
  public CompletableFuture<ExtendResult> extendAsync(Duration duration) {
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    return caller.later(
        new LeaseCalls.Extend(List.of(held.ref()), duration, caller.durability()),
        answer -> held.extended(answer.results().get(0)));
  }

  @Override
  public ExtendResult checkpoint(byte[] state) {
    return Caller.await(checkpointAsync(state));
  }

  @Override
  public CompletableFuture<ExtendResult> checkpointAsync(byte[] state) {
    byte[] copy = Checks.bytes("state", state, Limits.CHECKPOINT_BYTES_MAX).clone();
    return caller.later(
        new LeaseCalls.Checkpoint(held.ref(), copy, caller.durability()),
        answer -> held.checkpointed(copy, answer.result()));
  }

  @Override
  public void close() {
    if (held.isFinished()) {
      return;
    }
    CompletableFuture<FailResult> failing = failAsync(CLOSED_ERROR, FailOptions.RETRY);
    try {
      var unused = Caller.await(failing);
    } catch (MillraceException | IllegalStateException e) {
      // Who was interrupted, or may not wait here, has the job failed, too. Else the lease ends
      // with its time.
      LOG.debug("lease was closed without an answer", e);
    }
  }

  @Override
  public String toString() {
    return "Lease[job=" + jobId() + ", token=" + token() + "]";
  }
}
