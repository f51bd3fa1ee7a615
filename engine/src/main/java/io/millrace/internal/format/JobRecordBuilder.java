package io.millrace.internal.format;

import io.millrace.api.Backoff;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes one {@link JobRecord}, whose fields it fills: not to be used after {@link #build}. */
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

  public JobRecordBuilder attempts(int value) {
    fields().attempts = value;
    return this;
  }

  /** 0 for the queue's. */
  public JobRecordBuilder maxAttempts(int value) {
    fields().maxAttempts = value;
    return this;
  }

  /** Null for the queue's. */
  public JobRecordBuilder backoff(@Nullable Backoff value) {
    fields().backoff = value;
    return this;
  }

  public JobRecordBuilder type(@Nullable String value) {
    fields().type = value;
    return this;
  }

  /** What the last checkpoint kept, or where it is; null for none. */
  public JobRecordBuilder state(@Nullable Payload value) {
    fields().ownExtras().state = value;
    return this;
  }

  public JobRecordBuilder leaseMs(long value) {
    fields().leaseMs = value;
    return this;
  }

  public JobRecordBuilder enqueuedAtMs(long value) {
    fields().enqueuedAtMs = value;
    return this;
  }

  public JobRecordBuilder readyAtMs(long value) {
    fields().readyAtMs = value;
    return this;
  }

  public JobRecordBuilder delayBaseMs(long value) {
    fields().delayBaseMs = value;
    return this;
  }

  public JobRecordBuilder payload(Payload value) {
    fields().payload = Objects.requireNonNull(value, "payload");
    return this;
  }

  public JobRecordBuilder lastError(@Nullable String value) {
    fields().ownExtras().lastError = value;
    return this;
  }

  public JobRecordBuilder firstStartedAtMs(long value) {
    fields().ownExtras().firstStartedAtMs = value;
    return this;
  }

  public JobRecordBuilder lastStartedAtMs(long value) {
    fields().ownExtras().lastStartedAtMs = value;
    return this;
  }

  public JobRecordBuilder lastEndedAtMs(long value) {
    fields().ownExtras().lastEndedAtMs = value;
    return this;
  }

  public JobRecordBuilder lastWorker(@Nullable String value) {
    fields().ownExtras().lastWorker = value;
    return this;
  }

  public JobRecordBuilder diedAtMs(long value) {
    fields().ownExtras().diedAtMs = value;
    return this;
  }

  public JobRecordBuilder earlierAttempts(int value) {
    fields().ownExtras().earlierAttempts = value;
    return this;
  }

  public JobRecordBuilder expireAtMs(long value) {
    fields().expireAtMs = value;
    return this;
  }

  public JobRecordBuilder resultRetentionMs(long value) {
    fields().resultRetentionMs = value;
    return this;
  }

  public JobRecordBuilder uniqueKey(byte @Nullable [] value) {
    fields().ownExtras().uniqueKey = value;
    return this;
  }

  public JobRecordBuilder uniqueScope(int value) {
    fields().ownExtras().uniqueScope = value;
    return this;
  }

  public JobRecordBuilder uniqueUntilMs(long value) {
    fields().ownExtras().uniqueUntilMs = value;
    return this;
  }

  public JobRecordBuilder concurrencyKey(byte @Nullable [] value) {
    fields().ownExtras().concurrencyKey = value;
    return this;
  }

  public JobRecordBuilder holdsSlot(boolean value) {
    if (value != fields().extras().holdsSlot) {
      fields().ownExtras().holdsSlot = value;
    }
    return this;
  }

  public JobRecordBuilder engineRate(@Nullable EngineRate value) {
    if (value != fields().extras().engineRate) {
      fields().ownExtras().engineRate = value;
    }
    return this;
  }

  public JobRecordBuilder engineMost(int value) {
    if (value != fields().extras().engineMost) {
      fields().ownExtras().engineMost = value;
    }
    return this;
  }

  public JobRecordBuilder signal(byte @Nullable [] value) {
    fields().ownExtras().signal = value;
    return this;
  }

  public JobRecordBuilder waitTimerMs(long value) {
    fields().ownExtras().waitTimerMs = value;
    return this;
  }

  /** It waits until an instant of engine time, or until one of steady time, or for ever. */
  public JobRecordBuilder waitEnd(long instantMs, long steadyEndMs) {
    waitSteadyEndMs(steadyEndMs);
    return waitTimerMs(instantMs == 0 ? steadyEndMs : TimerKeys.INSTANT + instantMs);
  }

  public JobRecordBuilder signalPayload(byte @Nullable [] value) {
    fields().ownExtras().signalPayload = value;
    return this;
  }

  public JobRecordBuilder wakeReason(int value) {
    fields().ownExtras().wakeReason = value;
    return this;
  }

  public JobRecordBuilder inboxCount(int value) {
    if (value != fields().extras().inboxCount) {
      fields().ownExtras().inboxCount = value;
    }
    return this;
  }

  public JobRecordBuilder inboxSlots(int value) {
    if (value != fields().extras().inboxSlots) {
      fields().ownExtras().inboxSlots = value;
    }
    return this;
  }

  /** These signals are kept for the job; rows of slots above theirs may be left of earlier ones. */
  public JobRecordBuilder inbox(InboxRecord inbox) {
    int count = inbox.signals().size();
    int before = fields().extras().inboxSlots;
    return inboxCount(count).inboxSlots(count == 0 ? 0 : Math.max(before, inbox.slots().length()));
  }

  public JobRecordBuilder waitSinceMs(long value) {
    fields().ownExtras().waitSinceMs = value;
    return this;
  }

  public JobRecordBuilder waitSequence(long value) {
    fields().ownExtras().waitSequence = value;
    return this;
  }

  public JobRecordBuilder waitSteadyEndMs(long value) {
    fields().ownExtras().waitSteadyEndMs = value;
    return this;
  }

  /** The next lease begins for this reason, which no signal has to do with. */
  public JobRecordBuilder wake(int reason) {
    wakeReason(reason);
    return fields().extras().signal == null ? this : signal(null).signalPayload(null);
  }

  /** The job waits for a signal no longer; nothing changes if it does not. */
  public JobRecordBuilder endWait() {
    return fields().extras().waitSequence == 0 && fields().extras().waitTimerMs == 0
        ? this
        : waitTimerMs(0).waitSinceMs(0).waitSequence(0).waitSteadyEndMs(0);
  }

  public JobRecordBuilder result(byte @Nullable [] value) {
    fields().ownExtras().result = value;
    return this;
  }

  public JobRecordBuilder cancelRequested(boolean value) {
    fields().ownExtras().cancelRequested = value;
    return this;
  }

  /**
   * The record.
   *
   * @throws IllegalArgumentException identity or priority are out of range
   */
  public JobRecord build() {
    JobFields built = fields();
    unbuilt = null;
    built.resolve();
    JobRecord record = new JobRecord(built);
    KeyLayout.checkSequence(record.birth());
    KeyLayout.checkPriority(record.priority());
    KeyLayout.checkPriority(record.birthPriority());
    if (!JobAddress.isBirthKind(record.birthKind())) {
      throw new IllegalArgumentException("no job is born there: keyspace=" + record.birthKind());
    }
    return record;
  }
}
