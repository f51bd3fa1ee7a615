package io.millrace.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A job as the model keeps it: all in the open, changed by {@link ReferenceModel} only. */
public final class ModelJob {

  /** Serving order. */
  static final Comparator<ModelJob> SERVING =
      Comparator.<ModelJob>comparingInt(job -> -job.options.priority())
          .thenComparingLong(job -> job.readyOrder);

  static final Comparator<ModelJob> BY_END_OF_WAIT =
      Comparator.<ModelJob>comparingLong(job -> job.waitEndMs).thenComparingLong(job -> job.birth);

  /** Shorter names first. */
  static final Comparator<ModelJob> BY_SIGNAL =
      Comparator.comparing(ModelJob::signalKey, ModelRules::compare)
          .thenComparingLong(job -> job.birth);

  static final Comparator<ModelJob> BY_DEATH =
      Comparator.<ModelJob>comparingLong(job -> job.diedAtMs).thenComparingLong(job -> job.birth);

  static final Comparator<ModelJob> BY_COMPLETION =
      Comparator.<ModelJob>comparingLong(job -> job.completedAtMs)
          .thenComparingLong(job -> job.birth);

  /** A batch, and what must have become of it. */
  public record Awaited(ModelTally tally, Batch.After after) {}

  /** A finished attempt; an error by the engine has words that the engine chose. */
  public record Attempt(
      int number,
      String worker,
      long startedAtMs,
      long endedAtMs,
      Optional<String> error,
      boolean isErrorByEngine) {}

  /** Rises with every birth. */
  public final int number;

  /** Its place among the jobs in the order of their ids, which is that of the numbers if unsaid. */
  public long birth;

  public final QueueName queue;
  public final long enqueuedAtMs;
  public EnqueueOptions options;
  public byte[] payload;
  public Optional<byte[]> checkpointed = Optional.empty();

  /** A new job is to wait, if only for no time. */
  public JobState state = JobState.DELAYED;

  public int attempts;

  /** Whether it keeps its slot while it waits. */
  boolean holdsSlot;

  /** Ready sequence. */
  public long readyOrder;

  /**
   * Jobs of different queues that became ready in the same step share it: their order is not
   * specified.
   */
  long readyStep;

  long readySinceMs;

  /** End of its wait: in steady time if it waits for a length, else in engine time. */
  long waitEndMs;

  /** Whether it waits for a length of time and not until an instant. */
  boolean isWaitOfLength;

  /** What the last counted attempt failed of, as far as a worker said it. */
  public Optional<String> lastError = Optional.empty();

  /** Whether the last counted attempt ended by expiry, so that the engine chose the words. */
  public boolean isErrorByEngine;

  public long diedAtMs;
  public long completedAtMs;

  /** End of its time to live or retention, in steady time; 0 for none. */
  public long expireAtMs;

  public Optional<byte[]> result = Optional.empty();

  /** Finished attempts over its whole life. */
  public final List<Attempt> history = new ArrayList<>();

  /** Why its next lease begins. */
  public String wake = "First";

  /** What it waits for, and how; of a job that does not wait, what it waited for last. */
  public String signal = "";

  /** When its wait for a signal is over that was to last until an instant. */
  OptionalLong deadlineMs = OptionalLong.empty();

  /** When that is over that was to last for a length, in steady time. */
  OptionalLong steadyDeadlineMs = OptionalLong.empty();

  public long waitSinceMs;

  /** The batch that it is one of. */
  public Optional<ModelTally> tally = Optional.empty();

  /** The batch for which it waits, if it does. */
  public Optional<Awaited> awaited = Optional.empty();

  /** Signals that are kept for it. */
  public final List<ModelSignals.Kept> inbox = new ArrayList<>();

  /** Whether somebody asked for the job to be cancelled while it was leased. */
  public boolean isCancelRequested;

  public Optional<ModelLease> lease = Optional.empty();

  ModelJob(int number, QueueName queue, byte[] payload, EnqueueOptions options, long enqueuedAtMs) {
    this.number = number;
    this.birth = number;
    this.queue = queue;
    this.payload = payload;
    this.options = options;
    this.enqueuedAtMs = enqueuedAtMs;
  }

  /** The end of its wait in engine time, if nobody sets the wall clock until then. */
  public long visibleAtMs(ModelTime time) {
    return isWaitOfLength ? waitEndMs - time.steadyLeadMs() : waitEndMs;
  }

  /** As that, the end of its time to live or retention; 0 for none. */
  public long expiresAtMs(ModelTime time) {
    return expireAtMs == 0 ? 0 : expireAtMs - time.steadyLeadMs();
  }

  /** No name of a signal begins with that byte. */
  private byte[] signalKey() {
    return awaited
        .map(it -> ByteBuffer.allocate(9).put((byte) 0xFF).putLong(it.tally().id.value()).array())
        .orElseGet(() -> signal.getBytes(UTF_8));
  }

  /** Whether its wait for a signal ends by itself. */
  public boolean hasDeadline() {
    return deadlineMs.isPresent() || steadyDeadlineMs.isPresent();
  }

  /** As that, the end of its wait for a signal. */
  public OptionalLong signalDeadlineMs(ModelTime time) {
    return steadyDeadlineMs.isPresent()
        ? OptionalLong.of(steadyDeadlineMs.getAsLong() - time.steadyLeadMs())
        : deadlineMs;
  }

  /** Whether its time to live, its retention or its wait for a signal is over. */
  boolean isTimeUp(ModelTime time) {
    if (state == JobState.WAITING) {
      return deadlineMs.orElse(Long.MAX_VALUE) <= time.nowMs()
          || steadyDeadlineMs.orElse(Long.MAX_VALUE) <= time.steadyMs();
    }
    return expireAtMs != 0 && expireAtMs <= time.steadyMs();
  }

  /** The leased attempt has ended and counts. */
  void addAttempt(long nowMs, Optional<String> error, boolean isErrorByEngine) {
    ModelLease ended = lease.orElseThrow();
    history.add(
        new Attempt(ended.attempt, ended.worker, ended.startedAtMs, nowMs, error, isErrorByEngine));
    if (history.size() > Limits.HISTORY_COUNT_MAX) {
      history.remove(0);
    }
  }

  @Override
  public String toString() {
    return "job " + number + " of " + queue + " " + state + " attempts=" + attempts;
  }
}
