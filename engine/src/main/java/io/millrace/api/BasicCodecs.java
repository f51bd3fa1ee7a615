package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.options.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Objects;
import java.util.Optional;

/**
 * The codecs that need nothing but the JDK. They are made by methods, so that no other class is the
 * first to initialise these classes, which need {@link Codec} to be initialised before them.
 */
final class BasicCodecs {

  private BasicCodecs() {}

  static Codec<byte[]> ofBytes() {
    return new OfBytes();
  }

  static Codec<String> ofText() {
    return new OfText();
  }

  static Codec<Long> ofLong() {
    return new OfLong();
  }

  private static final class OfBytes implements Codec<byte[]> {

    @Override
    public byte[] encode(byte[] value) {
      return Objects.requireNonNull(value, "value").clone();
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }

    @Override
    public String toString() {
      return "Codec.BYTES";
    }
  }

  private static final class OfText implements Codec<String> {

    @Override
    public byte[] encode(String value) {
      Objects.requireNonNull(value, "text");
      Utf8.lengthBytes("text", value);
      return value.getBytes(UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
      try {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new CodecException("bytes are no text in UTF-8: length=" + bytes.length, e);
      }
    }

    @Override
    public Optional<String> contentType() {
      return Optional.of("text/plain; charset=utf-8");
    }

    @Override
    public String toString() {
      return "Codec.TEXT";
    }
  }

  private static final class OfLong implements Codec<Long> {

    @Override
    public byte[] encode(Long value) {
      long number = Objects.requireNonNull(value, "number");
      return ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array();
    }

    @Override
    public Long decode(byte[] bytes) {
      if (bytes.length != Long.BYTES) {
        throw new CodecException(
            "bytes are no number: length=" + bytes.length + ", expected=" + Long.BYTES);
      }
      return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
    }

    @Override
    public String toString() {
      return "Codec.LONG";
    }
  }
}
