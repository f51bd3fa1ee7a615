package io.millrace.internal.format;

import io.millrace.api.Backoff;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a job's record; {@link JobRecord} says what they mean.
 *
 * <p>Why not final fields in the record and the same again in its builder: with this many, a
 * forgotten one in a copy is a lost fact on disk. Both hold one of these, and {@link #copy} cannot
 * forget any.
 */
final class JobFields implements Cloneable {

  /** For readyAtMs: the same as enqueuedAtMs. */
  static final long AS_ENQUEUED = -1;

  /** For birthPriority: the same as priority. */
  static final int AS_PRIORITY = Integer.MIN_VALUE;

  /** What a record without maxAttempts has. On disk, never change. */
  static final int MAX_ATTEMPTS_STORED = 3;

  long birth;
  Keyspace birthKind = Keyspace.READY;
  int birthPriority = AS_PRIORITY;
  int priority;
  int weight = 1;
  int attempts;
  int maxAttempts = MAX_ATTEMPTS_STORED;
  @Nullable Backoff backoff = StoredParts.BACKOFF_DEFAULT;
  @Nullable String type;
  long leaseMs;
  long enqueuedAtMs;
  long readyAtMs = AS_ENQUEUED;
  long delayBaseMs;
  Payload payload = Payload.EMPTY;
  long expireAtMs;
  long resultRetentionMs;

  /** Shared until {@link #ownExtras} is asked for. */
  private JobExtras extras = JobExtras.NONE;

  /** To be read. */
  JobExtras extras() {
    return extras;
  }

  /** To be changed. */
  JobExtras ownExtras() {
    if (extras == JobExtras.NONE) {
      extras = new JobExtras();
    }
    return extras;
  }

  /** Replaces what was not set and depends on other fields. */
  void resolve() {
    readyAtMs = readyAtMs == AS_ENQUEUED ? enqueuedAtMs : readyAtMs;
    birthPriority = birthPriority == AS_PRIORITY ? priority : birthPriority;
  }

  JobFields copy() {
    try {
      JobFields copy = (JobFields) clone();
      copy.extras = extras == JobExtras.NONE ? extras : extras.copy();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("fields are not cloneable", e);
    }
  }
}
