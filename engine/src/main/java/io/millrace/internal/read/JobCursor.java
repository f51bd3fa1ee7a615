package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import java.util.Arrays;

/**
 * The place where a page of jobs of several queues begins.
 *
 * @param queueKey the key of a queue
 * @param position the least key in that queue that may be on the page; empty for the queue's
 *     beginning
 */
record JobCursor(byte[] queueKey, byte[] position) {

  private static final int NAME = 1;

  /**
   * Splits a cursor's bytes into its two parts.
   *
   * @throws IllegalArgumentException they are not the bytes of such a cursor
   */
  static JobCursor split(byte[] bytes) {
    int tenant = end(bytes, NAME);
    int length = end(bytes, tenant);
    if (bytes[0] != Keyspace.QUEUE.code() || length > bytes.length) {
      throw new IllegalArgumentException("no queue");
    }
    byte[] queueKey = Arrays.copyOf(bytes, length);
    try {
      QueueKeys.name(queueKey);
    } catch (CorruptDataException e) {
      throw new IllegalArgumentException("no queue", e);
    }
    return new JobCursor(queueKey, Arrays.copyOfRange(bytes, length, bytes.length));
  }

  /** Returns the end of the part that begins with its length at the offset. */
  private static int end(byte[] bytes, int offset) {
    if (offset >= bytes.length) {
      throw new IllegalArgumentException("no queue");
    }
    return offset + 1 + (bytes[offset] & 0xff);
  }
}
