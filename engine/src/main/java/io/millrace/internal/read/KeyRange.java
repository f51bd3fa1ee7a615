package io.millrace.internal.read;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import java.util.Arrays;

/** A range of keys from one to another; empty if the end is not above the start. */
record KeyRange(byte[] startInclusive, byte[] endExclusive) {

  static KeyRange of(Keyspace keyspace) {
    return new KeyRange(keyspace.start(), keyspace.end());
  }

  /** Returns all keys of the queue in the keyspace, which must be one that is by queue. */
  static KeyRange of(Keyspace keyspace, int queue) {
    return new KeyRange(keyspace.queueStart(queue), keyspace.queueEnd(queue));
  }

  boolean isEmpty() {
    return Arrays.compareUnsigned(startInclusive, endExclusive) >= 0;
  }

  boolean contains(byte[] key) {
    return Arrays.compareUnsigned(startInclusive, key) <= 0
        && Arrays.compareUnsigned(key, endExclusive) < 0;
  }

  /** Returns the part of the range from the key on. */
  KeyRange from(byte[] keyInclusive) {
    boolean isLater = Arrays.compareUnsigned(keyInclusive, startInclusive) > 0;
    return isLater ? new KeyRange(keyInclusive, endExclusive) : this;
  }

  /** Returns the part that both ranges have; the given one is not empty. */
  KeyRange within(KeyRange limits) {
    KeyRange later = from(limits.startInclusive);
    boolean endsEarlier = Arrays.compareUnsigned(limits.endExclusive, later.endExclusive) < 0;
    return endsEarlier ? new KeyRange(later.startInclusive, limits.endExclusive) : later;
  }

  /** Returns the part of the range behind the key. */
  KeyRange after(byte[] key) {
    return from(Bytes.successor(key));
  }
}
