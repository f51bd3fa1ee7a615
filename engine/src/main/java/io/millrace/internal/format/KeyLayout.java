package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Limits;
import java.util.Arrays;
import java.util.Objects;

/**
 * The common parts of key layouts. A key begins with a keyspace byte, mostly followed by the
 * queue's number. A variable part has up to 255 bytes after one byte of length, so that no two keys
 * are the same bytes and no part reads into the next.
 */
final class KeyLayout {

  /** The offset of the queue's number in keys that begin with it. */
  static final int QUEUE = 1;

  /** The offset of what follows the queue's number. */
  static final int AFTER_QUEUE = 5;

  /** The offset of the queue's number in keys that begin with a time. */
  static final int QUEUE_AFTER_TIME = 9;

  private KeyLayout() {}

  static byte[] key(Keyspace keyspace, int lengthBytes) {
    byte[] key = new byte[lengthBytes];
    key[0] = keyspace.code();
    return key;
  }

  static byte[] queueKey(Keyspace keyspace, int queue, int lengthBytes) {
    byte[] key = key(keyspace, lengthBytes);
    Bytes.putInt(key, QUEUE, checkQueue(queue));
    return key;
  }

  /**
   * Returns a key with a variable part after the queue's number.
   *
   * @param lengthBytes the length of the key without the part's own bytes
   */
  static byte[] partKey(Keyspace keyspace, int queue, String name, byte[] part, int lengthBytes) {
    byte[] key = queueKey(keyspace, queue, lengthBytes + checkPart(name, part).length);
    putPart(key, AFTER_QUEUE, part);
    return key;
  }

  static byte[] jobStart(Keyspace keyspace, int queue, long birth) {
    byte[] start = queueKey(keyspace, queue, AFTER_QUEUE + 8);
    Bytes.putLong(start, AFTER_QUEUE, checkSequence(birth));
    return start;
  }

  /**
   * Returns the exclusive end of the job's keys. The highest sequence wraps into the sign bit,
   * which is right in unsigned order.
   */
  static byte[] jobEnd(Keyspace keyspace, int queue, long birth) {
    byte[] end = queueKey(keyspace, queue, AFTER_QUEUE + 8);
    Bytes.putLong(end, AFTER_QUEUE, checkSequence(birth) + 1);
    return end;
  }

  static int queue(byte[] key) {
    return Bytes.getInt(key, QUEUE);
  }

  static byte encodePriority(int priority) {
    return (byte) (Byte.MAX_VALUE - checkPriority(priority));
  }

  static int decodePriority(byte encoded) {
    return Byte.MAX_VALUE - (encoded & 0xff);
  }

  static void putPart(byte[] key, int offset, byte[] part) {
    key[offset] = (byte) part.length;
    System.arraycopy(part, 0, key, offset + 1, part.length);
  }

  static byte[] part(byte[] key, int offset) {
    int length = key[offset] & 0xff;
    return Arrays.copyOfRange(key, offset + 1, offset + 1 + length);
  }

  /**
   * Returns the key if it is in the keyspace and has the given length.
   *
   * @throws CorruptDataException it is not
   */
  static byte[] check(byte[] key, Keyspace keyspace, int lengthBytes) {
    if (key.length != lengthBytes || key[0] != keyspace.code()) {
      throw corrupt(keyspace, key, "not a key of the keyspace");
    }
    return key;
  }

  /**
   * Returns the key if it is in the keyspace and has one variable part at the offset, with
   * restBytes after it.
   *
   * @throws CorruptDataException it is not
   */
  static byte[] checkPart(byte[] key, Keyspace keyspace, int offset, int restBytes) {
    boolean isLong = key.length > offset && key[0] == keyspace.code();
    if (!isLong || key.length != offset + 1 + (key[offset] & 0xff) + restBytes) {
      throw corrupt(keyspace, key, "not a key of the keyspace");
    }
    return key;
  }

  static CorruptDataException corrupt(Keyspace keyspace, byte[] key, String reason) {
    return new CorruptDataException(
        "stored row is corrupt: keyspace="
            + keyspace
            + ", key="
            + Bytes.hex(key)
            + ", reason="
            + reason);
  }

  static int checkQueue(int queue) {
    if (queue < 0) {
      throw new IllegalArgumentException("queue number is negative: value=" + queue);
    }
    return queue;
  }

  static long checkSequence(long sequence) {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence is negative: value=" + sequence);
    }
    return sequence;
  }

  static long checkTime(long timeMs) {
    if (timeMs < 0) {
      throw new IllegalArgumentException("time is negative: value=" + timeMs);
    }
    return timeMs;
  }

  static int checkCount(String name, int count) {
    if (count < 0) {
      throw new IllegalArgumentException(name + " is negative: value=" + count);
    }
    return count;
  }

  static int checkPriority(int priority) {
    if (priority != (byte) priority) {
      throw new IllegalArgumentException(
          "priority is out of range: value=" + priority + ", least=-128, most=127");
    }
    return priority;
  }

  static byte[] checkPart(String name, byte[] part) {
    Objects.requireNonNull(part, name);
    if (part.length > Limits.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          name + " is too long: bytes=" + part.length + ", most=" + Limits.KEY_BYTES_MAX);
    }
    return part;
  }
}
