package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.QueueName;

/**
 * Keys of queues: all tenants of one name are neighbours. On disk, never change.
 *
 * <pre>
 *  offset 0      1 byte   Keyspace.QUEUE
 *         1      1 byte   n, length of the name
 *         2      n bytes  name, UTF-8
 *         2 + n  1 byte   t, length of the tenant
 *         3 + n  t bytes  tenant, UTF-8; none for the default tenant
 * </pre>
 */
public final class QueueKeys {

  private static final int NAME = 1;

  private QueueKeys() {}

  public static byte[] key(QueueName name) {
    byte[] nameBytes = name.name().getBytes(UTF_8);
    byte[] tenantBytes = name.tenant().getBytes(UTF_8);
    byte[] key = KeyLayout.key(Keyspace.QUEUE, NAME + 2 + nameBytes.length + tenantBytes.length);
    KeyLayout.putPart(key, NAME, nameBytes);
    KeyLayout.putPart(key, NAME + 1 + nameBytes.length, tenantBytes);
    return key;
  }

  public static QueueName name(byte[] key) {
    boolean hasName = key.length > NAME && key[0] == Keyspace.QUEUE.code();
    int tenant = hasName ? NAME + 1 + (key[NAME] & 0xff) : key.length;
    if (tenant >= key.length || key.length != tenant + 1 + (key[tenant] & 0xff)) {
      throw KeyLayout.corrupt(Keyspace.QUEUE, key, "not a key of the keyspace");
    }
    try {
      return new QueueName(
          StrictUtf8.decode(key, NAME + 1, tenant), StrictUtf8.decode(key, tenant + 1, key.length));
    } catch (IllegalArgumentException e) {
      throw KeyLayout.corrupt(Keyspace.QUEUE, key, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the least key of a queue of this name, whatever the tenant. */
  public static byte[] nameStart(String name) {
    byte[] nameBytes = name.getBytes(UTF_8);
    byte[] start = KeyLayout.key(Keyspace.QUEUE, NAME + 1 + nameBytes.length);
    KeyLayout.putPart(start, NAME, nameBytes);
    return start;
  }

  /** Returns the exclusive end of the keys of this name's queues. */
  public static byte[] nameEnd(String name) {
    return Bytes.prefixEnd(nameStart(name));
  }
}
