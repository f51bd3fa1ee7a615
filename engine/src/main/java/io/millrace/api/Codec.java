package io.millrace.api;

import java.util.Optional;

/**
 * Turns values into bytes and back: keys and values of tables, and what else of a user's is stored
 * as bytes. Implementations are thread-safe.
 *
 * <p>One for keys of a {@link Table} gives the rows their order, which is that of the bytes, each
 * taken as a number from 0 to 255; and equal keys must be equal bytes.
 */
public interface Codec<T> {

  /**
   * The value as bytes, in an array of which nobody else knows: Millrace keeps it.
   *
   * @throws IllegalArgumentException the value cannot be told back from any bytes
   */
  byte[] encode(T value);

  /**
   * The value of the bytes, which are the codec's own from here on.
   *
   * @throws CodecException they are no such value
   */
  T decode(byte[] bytes);

  /**
   * What the bytes are, for tools that show them, as in {@code application/json}; empty if none.
   */
  default Optional<String> contentType() {
    return Optional.empty();
  }

  /** Bytes as they are, copied when they are handed in. */
  Codec<byte[]> BYTES = BasicCodecs.ofBytes();

  /** Texts in UTF-8, in the order of their code points; one that UTF-8 cannot hold is refused. */
  Codec<String> TEXT = BasicCodecs.ofText();

  /** Numbers in eight bytes whose order is that of the numbers, negative ones first. */
  Codec<Long> LONG = BasicCodecs.ofLong();
}
