package io.millrace.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes are those that protobuf writes. */
class MessageWriterTest {

  static LongStream numbers() {
    return LongStream.concat(
        LongStream.of(0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE),
        IntStream.range(0, 63).mapToLong(bit -> 1L << bit).flatMap(p -> LongStream.of(p - 1, p)));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void numbersAreThoseOfProtobuf(long value) throws IOException {
    MessageWriter out = new MessageWriter(2);
    out.writeNumber(1, value);
    out.writeNumber(2_000, value);

    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    CodedOutputStream protobuf = CodedOutputStream.newInstance(expected);
    protobuf.writeInt64(1, value);
    protobuf.writeInt64(2_000, value);
    protobuf.flush();
    assertThat(out.toBytes()).isEqualTo(expected.toByteArray());
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textsAreThoseOfProtobuf(String text) throws IOException {
    MessageWriter out = new MessageWriter(2);
    out.writeText(3, text);

    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    CodedOutputStream protobuf = CodedOutputStream.newInstance(expected);
    protobuf.writeString(3, text);
    protobuf.flush();
    assertThat(out.toBytes()).isEqualTo(expected.toByteArray());
  }

  static Stream<String> texts() {
    return Stream.of("", "a", "Grüße", "日本", "\uD83D\uDE00", "lone \uD83D", "x".repeat(1_000));
  }

  static IntStream lengths() {
    return IntStream.of(
        0, 1, 121, 122, 123, 124, 125, 126, 127, 128, 129, 255, 256, 257, 16_000, 16_377, 16_384,
        100_000, 3_000_000);
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void messagesWithinMessagesAreThoseOfProtobuf(int length) {
    byte[] bytes = new byte[length];
    MessageWriter out = new MessageWriter(2);
    int outer = out.begin(1);
    int inner = out.begin(2);
    out.writeBytes(3, bytes);
    out.end(inner);
    out.writeNumber(4, 300);
    out.end(outer);
    out.writeNumber(5, 7);

    ByteString innermost = within(3, ByteString.copyFrom(bytes)).toByteString();
    UnknownFieldSet middle =
        UnknownFieldSet.newBuilder()
            .mergeFrom(within(2, innermost))
            .addField(4, Field.newBuilder().addVarint(300).build())
            .build();
    UnknownFieldSet all =
        UnknownFieldSet.newBuilder()
            .mergeFrom(within(1, middle.toByteString()))
            .addField(5, Field.newBuilder().addVarint(7).build())
            .build();
    assertThat(out.toBytes()).isEqualTo(all.toByteArray());
  }

  private static UnknownFieldSet within(int number, ByteString bytes) {
    return UnknownFieldSet.newBuilder()
        .addField(number, Field.newBuilder().addLengthDelimited(bytes).build())
        .build();
  }
}
