package io.millrace.internal.state;

import org.jspecify.annotations.Nullable;

/**
 * The number of holders up to which blocked jobs of a queue were let go on: each concurrency key
 * that has blocked jobs has at least that many holders. While the number is below the queue's
 * setting, the setting was raised, and the blocked jobs have to be walked over.
 *
 * <p>The number is stored with the counts of the queue. The progress of a walk is not: after a
 * crash it begins anew.
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

  /**
   * Sets the number before the first job is blocked: so far every key may have as many holders as
   * the setting says.
   */
  void begin(int perKey) {
    count = perKey;
    isWalking = false;
  }

  /** Sets the number as it is stored, for a queue that comes into memory. */
  void load(int value) {
    count = value;
    isWalking = false;
  }

  /** Lowers the number: a key with blocked jobs has no more holders than this. */
  void lower(int holders) {
    count = Math.min(count, holders);
    walkCount = Math.min(walkCount, holders);
  }

  /**
   * Returns where a walk goes on that lets jobs of each key go on up to so many holders; null for
   * the beginning. Begins a walk if none is under way.
   */
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

  /** Notes that the walk is behind all keys before this one. */
  public void walkedTo(byte[] key) {
    walkedTo = key;
    walkedKey = null;
  }

  /** Notes that the walk is at this concurrency key, and has let some of its jobs go on. */
  public void walkedAt(byte[] concurrencyKey) {
    walkedKey = concurrencyKey;
  }

  /**
   * Returns the concurrency key that the walk is at; null if it must be looked for. That is
   * remembered because from where the walk began with the key there may be nothing but deleted rows
   * for long.
   */
  public byte @Nullable [] walkedKey() {
    return walkedKey;
  }

  /** Ends the walk, which has seen all blocked jobs. */
  public void endWalk() {
    isWalking = false;
    count = walkCount;
  }
}
