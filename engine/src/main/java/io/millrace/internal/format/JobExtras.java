package io.millrace.internal.format;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a job's record that a plain job on its way through has not: what happened to it,
 * and what it was enqueued with beyond payload and rules. Apart, so that plain jobs take half the
 * heap; {@link JobRecord} says what they mean.
 */
final class JobExtras implements Cloneable {

  /** All at their defaults; nobody may change them. */
  static final JobExtras NONE = new JobExtras();

  @Nullable String lastError;
  long firstStartedAtMs;
  long lastStartedAtMs;
  long lastEndedAtMs;
  @Nullable String lastWorker;
  long diedAtMs;
  int earlierAttempts;
  byte @Nullable [] uniqueKey;
  int uniqueScope;
  long uniqueUntilMs;
  byte @Nullable [] concurrencyKey;
  int engineMost;
  boolean holdsSlot;
  @Nullable EngineRate engineRate;
  byte @Nullable [] signal;
  long waitTimerMs;
  byte @Nullable [] signalPayload;
  int wakeReason;
  int inboxCount;
  int inboxSlots;
  long waitSinceMs;
  long waitSequence;
  long waitSteadyEndMs;
  byte @Nullable [] result;
  boolean cancelRequested;
  @Nullable Payload state;

  JobExtras copy() {
    try {
      return (JobExtras) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("fields are not cloneable", e);
    }
  }
}
