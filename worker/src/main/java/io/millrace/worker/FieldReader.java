package io.millrace.worker;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.options.Checks;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;

/** Reads the fields that {@link FieldWriter} has written, in their order. */
final class FieldReader {

  private final ByteBuffer in;
  private int tag;
  private byte[] value = {};

  FieldReader(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  /** Moves to the next field; returns whether there is one. */
  boolean next() {
    if (!in.hasRemaining()) {
      return false;
    }
    try {
      tag = in.get() & 0xff;
      int length = in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw flaw("a field is longer than what is there: length=" + length);
      }
      value = new byte[length];
      in.get(value);
      return true;
    } catch (BufferUnderflowException e) {
      throw new CodecException("bytes of a schedule end in the middle of a field", e);
    }
  }

  int tag() {
    return tag;
  }

  byte[] bytes() {
    return value;
  }

  String text() {
    return Codec.TEXT.decode(value);
  }

  long number() {
    if (value.length != Long.BYTES) {
      throw flaw("a number has not eight bytes: length=" + value.length);
    }
    return ByteBuffer.wrap(value).getLong();
  }

  /** Returns the value as an instant, in epoch ms. */
  long instantMs() {
    return Checks.instant("instant", Instant.ofEpochMilli(number())).toEpochMilli();
  }

  /** Returns the value as a number that an int holds. */
  int small() {
    long number = number();
    if (number != (int) number) {
      throw flaw("a number is too large: value=" + number);
    }
    return (int) number;
  }

  /**
   * Returns the error for a field that is not known here. Skipping the field instead would lose it
   * when the schedule is written again.
   */
  CodecException unknown() {
    return flaw("a field is not known here: a newer Millrace wrote it, use that one");
  }

  CodecException flaw(String what) {
    return new CodecException("bytes are no schedule: " + what + ", tag=" + tag);
  }
}
