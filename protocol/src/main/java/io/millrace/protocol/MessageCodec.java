package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;

/**
 * An object as a message, and back. Any thread.
 *
 * @param <T> type of the objects
 */
abstract class MessageCodec<T> implements ValueCodec<T> {

  private static final int LEAST_BYTES = 256;
  private static final int MOST_BYTES = 1 << 16;

  /** A guess at the room that a message needs, by the one before, whatever thread made that. */
  private int usualBytes = LEAST_BYTES;

  /** Writes the fields of the object. */
  abstract void writeFields(MessageWriter out, T value);

  /** Makes the object of the fields that are left. */
  abstract T readFields(CodedInputStream in) throws IOException;

  /** Returns the object as a message. */
  final byte[] encode(T value) {
    MessageWriter out = new MessageWriter(usualBytes);
    writeFields(out, value);
    usualBytes = Math.max(LEAST_BYTES, Math.min(out.length() + out.length() / 8, MOST_BYTES));
    return out.toBytes();
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
  public final void write(MessageWriter out, int number, T value) {
    int begin = out.begin(number);
    writeFields(out, value);
    out.end(begin);
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
