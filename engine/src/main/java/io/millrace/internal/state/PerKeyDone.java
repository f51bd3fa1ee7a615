package io.millrace.internal.state;

import org.jspecify.annotations.Nullable;

/**
 * Up to how many holders of a concurrency key a queue's blocked jobs were let go on: each key that
 * has blocked jobs has at least that many holders. While that is fewer than the setting says, the
 * setting was raised, and somebody has to walk over the blocked jobs.
 *
 * <p>The number is stored with the counts of the queue, how far a walk is is not: after a crash it
 * begins anew.
 */
public final class PerKeyDone {

  private int count;
  private boolean isWalking;
  private int walkCount;
  private byte @Nullable [] walkedTo;
  private byte @Nullable [] walkedKey;

  PerKeyDone() {}

  public int count() {
    return count;
  }

  /** The first job is about to be blocked: so far every key has as many holders as it may. */
  void begin(int perKey) {
    count = perKey;
    isWalking = false;
  }

  /** What is stored, of a queue that comes into memory. */
  void load(int value) {
    count = value;
    isWalking = false;
  }

  /** A key with blocked jobs has no more holders than this. */
  void lower(int holders) {
    count = Math.min(count, holders);
    walkCount = Math.min(walkCount, holders);
  }

  /** Where a walk goes on that lets up to so many of each key go on; null for the beginning. */
  public byte @Nullable [] walkFrom(int perKey) {
    if (!isWalking) {
      isWalking = true;
      walkCount = perKey;
      walkedTo = null;
      walkedKey = null;
    }
    walkCount = Math.min(walkCount, perKey);
    return walkedTo;
  }

  /** The walk is behind all keys up to this one. */
  public void walkedTo(byte[] key) {
    walkedTo = key;
    walkedKey = null;
  }

  /** The walk is at this concurrency key, and has let some of its jobs go on. */
  public void walkedAt(byte[] concurrencyKey) {
    walkedKey = concurrencyKey;
  }

  /**
   * The concurrency key that the walk is at; null if it is to be looked for: from where the walk
   * began with it there may be nothing but deleted rows for long.
   */
  public byte @Nullable [] walkedKey() {
    return walkedKey;
  }

  /** The walk has seen all blocked jobs. */
  public void endWalk() {
    isWalking = false;
    count = walkCount;
  }
}
