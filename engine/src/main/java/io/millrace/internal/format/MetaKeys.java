package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keys of facts about the store as a whole. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.META
 *         1  n bytes  name, ASCII, to the end
 * </pre>
 *
 * <p>The arrays are shared: nobody may change them.
 */
public final class MetaKeys {

  /**
   * The formats that an engine must know to read or write the store; see {@link
   * MetaRecords.Format}.
   */
  public static final byte[] FORMAT = key("format");

  /** The state in which the store was left; see {@link MetaRecords.CleanStop}. */
  public static final byte[] CLEAN_STOP = key("clean-stop");

  /** The times of the last commit; see {@link MetaRecords.Time}. */
  public static final byte[] TIME = key("time");

  /** The next queue number; see {@link MetaRecords.QueueNumbers}. */
  public static final byte[] QUEUE_NUMBERS = key("queue-numbers");

  /** The mark of an unfinished copy; see {@link MetaRecords.Copying}. */
  public static final byte[] COPYING = key("copying");

  private MetaKeys() {}

  private static byte[] key(String name) {
    byte[] bytes = name.getBytes(US_ASCII);
    byte[] key = KeyLayout.key(Keyspace.META, 1 + bytes.length);
    System.arraycopy(bytes, 0, key, 1, bytes.length);
    return key;
  }
}
