package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * An object as a message, and back. Any thread.
 *
 * @param <T> type of the objects
 */
abstract class MessageCodec<T> implements ValueCodec<T> {

  /** Enough for most of the messages within others; larger ones are written through. */
  static final int BUFFER_BYTES = 64;

  /** Writes the fields of the object. */
  abstract void writeFields(CodedOutputStream out, T value) throws IOException;

  /** Makes the object of the fields that are left. */
  abstract T readFields(CodedInputStream in) throws IOException;

  /** Returns the object as a message. */
  final byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER_BYTES);
      writeFields(out, value);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Makes the object of a message.
   *
   * @throws IllegalArgumentException the bytes are no such message, or a field has a wrong value
   */
  final T decode(byte[] message) {
    try {
      return readFields(CodedInputStream.newInstance(message));
    } catch (IOException e) {
      throw new IllegalArgumentException("bytes are not a message: " + e.getMessage(), e);
    }
  }

  @Override
  public final void write(CodedOutputStream out, int number, T value) throws IOException {
    out.writeByteArray(number, encode(value));
  }

  @Override
  public final T read(CodedInputStream in) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    T value = readFields(in);
    end(in, outer);
    return value;
  }

  /**
   * Ends a message within another.
   *
   * @param outer the limit of the other
   */
  static void end(CodedInputStream in, int outer) throws IOException {
    if (in.getBytesUntilLimit() != 0) {
      throw new InvalidProtocolBufferException("a message ends within a field");
    }
    in.popLimit(outer);
  }

  @Override
  public T absent() {
    return decode(new byte[0]);
  }
}
