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
  private final @Nullable T unsent;

  AdaptedCodec(MessageCodec<R> codec, Shapes.Shape<T, R> shape) {
    this.codec = codec;
    this.send = shape.send();
    this.receive = shape.receive();
    this.unsent = shape.unsent();
  }

  @Override
  void writeFields(MessageWriter out, T value) {
    codec.writeFields(out, send.apply(value));
  }

  @Override
  T readFields(CodedInputStream in) throws IOException {
    return receive.apply(codec.readFields(in));
  }

  @Override
  public T absent() {
    T usual = unsent;
    return usual == null ? super.absent() : usual;
  }

  @Override
  public @Nullable T unsent() {
    return unsent;
  }
}
