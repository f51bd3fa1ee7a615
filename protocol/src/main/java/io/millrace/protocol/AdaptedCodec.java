package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.function.Function;

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

  AdaptedCodec(MessageCodec<R> codec, Function<T, R> send, Function<R, T> receive) {
    this.codec = codec;
    this.send = send;
    this.receive = receive;
  }

  @Override
  void writeFields(MessageWriter out, T value) {
    codec.writeFields(out, send.apply(value));
  }

  @Override
  T readFields(CodedInputStream in) throws IOException {
    return receive.apply(codec.readFields(in));
  }
}
