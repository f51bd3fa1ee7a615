package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import java.util.Arrays;

/**
 * Where a page of jobs of several queues begins: the key of a queue, then the least key in that
 * queue that may be on the page; nothing for the queue's beginning.
 */
record JobCursor(byte[] queueKey, byte[] position) {

  private static final int NAME = 1;

  /** The two parts of a cursor's bytes; throws if they are not such. */
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

  /** Where the part ends that begins with its length at the offset. */
  private static int end(byte[] bytes, int offset) {
    if (offset >= bytes.length) {
      throw new IllegalArgumentException("no queue");
    }
    return offset + 1 + (bytes[offset] & 0xff);
  }
}
