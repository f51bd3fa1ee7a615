package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object whose message is that of another object.
 *
 * @param <T> type of the objects
 * @param <R> type of those whose messages are theirs
 */
final class AdaptedCodec<T, R> extends MessageCodec<T> {

  private final MessageCodec<R> codec;
  private final Function<T, R> send;
  private final Function<R, T> receive;
  private volatile @Nullable T absent;

  AdaptedCodec(MessageCodec<R> codec, Function<T, R> send, Function<R, T> receive) {
    this.codec = codec;
    this.send = send;
    this.receive = receive;
  }

  @Override
  void writeFields(MessageWriter out, T value) {
    if (value != absent) {
      codec.writeFields(out, send.apply(value));
    }
  }

  @Override
  T readFields(CodedInputStream in) throws IOException {
    return receive.apply(codec.readFields(in));
  }

  /**
   * Returns the same object each time: it cannot be changed, and most jobs have no options. A batch
   * could be, but must be sent, as it has a name.
   */
  @Override
  T absent() {
    T made = absent;
    if (made == null) {
      made = super.absent();
      absent = made;
    }
    return made;
  }
}
