package io.millrace.calls;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.TableRow;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Rows of users' tables, decoded by the users' codecs. If a codec throws, the error names the row.
 */
public final class DecodedRow {

  private DecodedRow() {}

  /**
   * Decodes a row.
   *
   * @throws CodecException a codec cannot read it
   */
  public static <K, V> TableRow<K, V> of(
      String table, byte[] key, byte[] value, Codec<K> keys, Codec<V> values) {
    // Before the key's codec has it: the bytes are that one's own from there on.
    byte[] told = key.clone();
    return decoded(table, told, () -> new TableRow<>(keys.decode(key), values.decode(value)));
  }

  /**
   * Decodes something of the row with this key.
   *
   * @throws CodecException whatever the codec throws, with the row that it cannot read
   */
  public static <T> T decoded(String table, byte[] key, Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (RuntimeException e) {
      throw new CodecException(
          "row cannot be decoded: %s: %s; table=%s, key=%s"
              .formatted(
                  e.getClass().getSimpleName(),
                  e.getMessage(),
                  table,
                  HexFormat.of().formatHex(key)),
          e);
    }
  }
}
