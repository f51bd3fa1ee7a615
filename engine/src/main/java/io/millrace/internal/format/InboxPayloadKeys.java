package io.millrace.internal.format;

import io.millrace.api.Limits;
import java.util.Arrays;

/**
 * Keys of long payloads of signals that are kept for one job. They follow the row of {@link
 * InboxKeys}, which names the signals and the slots of their payloads. So that row can be written
 * anew without them. On disk, never change.
 *
 * <pre>
 *  offset 0  14 bytes  key of that row
 *        14  1 byte    slot, 0 to 99
 * </pre>
 */
public final class InboxPayloadKeys {

  static final int LENGTH_BYTES = InboxKeys.LENGTH_BYTES + 1;
  private static final int SLOT = InboxKeys.LENGTH_BYTES;

  private InboxPayloadKeys() {}

  public static byte[] key(int queue, long birth, int slot) {
    return key(InboxKeys.key(queue, birth), slot);
  }

  /** Returns the key of a payload behind the given row. */
  public static byte[] key(byte[] inboxKey, int slot) {
    byte[] key = Arrays.copyOf(inboxKey, LENGTH_BYTES);
    key[SLOT] = (byte) checkSlot(slot);
    return key;
  }

  /**
   * Returns the slot if it is in range.
   *
   * @throws IllegalArgumentException there is no slot of this number
   */
  static int checkSlot(int slot) {
    if (slot < 0 || slot >= Limits.INBOX_COUNT_MAX) {
      throw new IllegalArgumentException("slot of a signal's payload is none: slot=" + slot);
    }
    return slot;
  }

  /** Tells whether the key, which is in SIGNAL, is of the payload of a signal for one job. */
  public static boolean isOne(byte[] key) {
    return key.length == LENGTH_BYTES
        && InboxKeys.isOne(inbox(key))
        && key[SLOT] >= 0
        && key[SLOT] < Limits.INBOX_COUNT_MAX;
  }

  /** Returns the key of the row that names the signal. */
  public static byte[] inbox(byte[] key) {
    return Arrays.copyOf(key, InboxKeys.LENGTH_BYTES);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static long birth(byte[] key) {
    return InboxKeys.birth(inbox(check(key)));
  }

  public static int slot(byte[] key) {
    return check(key)[SLOT];
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.SIGNAL, LENGTH_BYTES);
  }
}
