package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A value as the field of a message, and back.
 *
 * @param <V> type of the values
 */
interface ValueCodec<V> {

  /** Writes the value as the field of this number. */
  void write(MessageWriter out, int number, V value);

  /** Reads the value of a field, whose number was read before. */
  V read(CodedInputStream in) throws IOException;

  /**
   * Returns the value of a field that was not sent.
   *
   * @throws IllegalArgumentException there is none: the field must be sent
   */
  V absent();

  /** Returns the value that is not sent as a message; null if each is. */
  default @Nullable V unsent() {
    return null;
  }
}
