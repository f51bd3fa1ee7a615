package io.millrace.internal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Functions on byte arrays: big-endian numbers, whose unsigned byte order is the order of the
 * numbers, and neighbours of keys.
 */
public final class Bytes {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  public static void putInt(byte[] target, int offset, int value) {
    INT.set(target, offset, value);
  }

  public static int getInt(byte[] source, int offset) {
    return (int) INT.get(source, offset);
  }

  public static void putLong(byte[] target, int offset, long value) {
    LONG.set(target, offset, value);
  }

  public static long getLong(byte[] source, int offset) {
    return (long) LONG.get(source, offset);
  }

  /** Returns the bytes as lower-case hexadecimal digits, two for each byte. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the smallest key after this one. */
  public static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /**
   * Returns the exclusive end of all keys that begin with the prefix.
   *
   * @throws IllegalArgumentException the prefix is nothing but 0xFF bytes, after which no key comes
   */
  public static byte[] prefixEnd(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xff) {
        byte[] end = Arrays.copyOf(prefix, i + 1);
        end[i]++;
        return end;
      }
    }
    throw new IllegalArgumentException("prefix has no end: prefix=" + hex(prefix));
  }
}
