package io.millrace.api;

import java.util.Optional;

/**
 * A converter of values into bytes and back: of payloads, results and signals, and of the keys and
 * values of tables. Implementations are thread-safe.
 *
 * <p>A codec for the keys of a {@link Table} determines the order of the rows, which is the order
 * of the bytes, each taken as a number from 0 to 255. Equal keys must give equal bytes.
 */
public interface Codec<T> {

  /**
   * Encodes a value as bytes, in an array that nobody else refers to: Millrace keeps it.
   *
   * @throws IllegalArgumentException no bytes could be decoded to this value again
   */
  byte[] encode(T value);

  /**
   * Decodes a value from bytes, which belong to the codec from here on.
   *
   * @throws CodecException the bytes are not a value of this codec
   */
  T decode(byte[] bytes);

  /**
   * Returns the content type of the bytes, for tools that show them, such as {@code
   * application/json}; empty if there is none.
   */
  default Optional<String> contentType() {
    return Optional.empty();
  }

  /** A codec of bytes as they are; they are copied when they are handed in. */
  Codec<byte[]> BYTES = BasicCodecs.ofBytes();

  /**
   * A codec of texts in UTF-8, in the order of their code points. A text that UTF-8 cannot hold is
   * refused.
   */
  Codec<String> TEXT = BasicCodecs.ofText();

  /** A codec of numbers in eight bytes, in the order of the numbers, negative ones first. */
  Codec<Long> LONG = BasicCodecs.ofLong();
}
