package io.millrace.internal.format;

import io.millrace.api.Backoff;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A builder of one {@link JobRecord}; not to be used after {@link #build}. */
public final class JobRecordBuilder {

  private @Nullable JobFields unbuilt;

  JobRecordBuilder(JobFields fields) {
    this.unbuilt = fields;
  }

  private JobFields fields() {
    return Objects.requireNonNull(unbuilt, "builder has built its record");
  }

  public JobRecordBuilder birth(long value) {
    fields().birth = value;
    return this;
  }

  public JobRecordBuilder birthKind(Keyspace value) {
    fields().birthKind = Objects.requireNonNull(value, "birthKind");
    return this;
  }

  public JobRecordBuilder birthPriority(int value) {
    fields().birthPriority = value;
    return this;
  }

  public JobRecordBuilder priority(int value) {
    fields().priority = value;
    return this;
  }

  public JobRecordBuilder weight(int value) {
    fields().weight = value;
    return this;
  }

  /** Sets the most attempts; 0 for the queue's setting. */
  public JobRecordBuilder maxAttempts(int value) {
    fields().maxAttempts = value;
    return this;
  }

  /** Sets the backoff; null for the queue's setting. */
  public JobRecordBuilder backoff(@Nullable Backoff value) {
    fields().backoff = value;
    return this;
  }

  /** Sets what the last checkpoint kept, or the reference to its row; null for none. */
  public JobRecordBuilder checkpointed(@Nullable Payload value) {
    return set(JobField.CHECKPOINTED, value instanceof Payload.Inline inline ? inline : null)
        .set(JobField.CHECKPOINTED_BLOB, value instanceof Payload.InBlob blob ? blob : null);
  }

  public JobRecordBuilder enqueuedAtMs(long value) {
    fields().enqueuedAtMs = value;
    return this;
  }

  public JobRecordBuilder readyAtMs(long value) {
    fields().readyAtMs = value;
    return this;
  }

  public JobRecordBuilder payload(Payload value) {
    fields().payload = Objects.requireNonNull(value, "payload");
    return this;
  }

  /** Sets a field. Null, 0 and false remove it. */
  public <T> JobRecordBuilder set(JobField<T> field, @Nullable T value) {
    fields().set(field, value);
    return this;
  }

  public JobRecordBuilder set(JobField<Long> field, long value) {
    fields().set(field, value);
    return this;
  }

  /**
   * Sets the end of the job's wait: an instant of engine time, or else one of steady time. If both
   * are 0 the wait has no end.
   */
  public JobRecordBuilder waitEnd(long instantMs, long steadyEndMs) {
    return set(JobField.WAIT_STEADY_END_MS, steadyEndMs)
        .set(JobField.WAIT_TIMER_MS, instantMs == 0 ? steadyEndMs : TimerKeys.INSTANT + instantMs);
  }

  /**
   * Notes the signals that are kept for the job. The bound of slots does not fall, for rows of
   * earlier signals may be left, unless no signal is kept.
   */
  public JobRecordBuilder inbox(InboxRecord inbox) {
    int count = inbox.signals().size();
    int slots = Math.max(fields().count(JobField.INBOX_SLOTS), inbox.slots().length());
    return set(JobField.INBOX_COUNT, count).set(JobField.INBOX_SLOTS, count == 0 ? 0 : slots);
  }

  /**
   * Sets the reason for which the next lease begins, and removes the signal that was waited for.
   */
  public JobRecordBuilder wake(int reason) {
    return set(JobField.WAKE_REASON, reason)
        .set(JobField.SIGNAL, null)
        .set(JobField.SIGNAL_PAYLOAD, null);
  }

  /** Ends the job's wait for a signal; changes nothing if it does not wait. */
  public JobRecordBuilder endWait() {
    return set(JobField.WAIT_TIMER_MS, 0)
        .set(JobField.WAIT_SINCE_MS, 0)
        .set(JobField.WAIT_SEQUENCE, 0)
        .set(JobField.WAIT_STEADY_END_MS, 0);
  }

  /**
   * Returns the record.
   *
   * @throws IllegalArgumentException identity or priority are out of range
   */
  public JobRecord build() {
    JobFields built = fields();
    unbuilt = null;
    return built.build();
  }
}
