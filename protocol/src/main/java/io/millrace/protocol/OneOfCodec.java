package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An object of one of several classes, with a field for each of these. */
final class OneOfCodec<T> extends MessageCodec<T> {

  /** A class of the objects as a field. */
  record Choice(FieldDescriptor field, MessageCodec<Object> codec) {}

  private final Map<Class<?>, Choice> byClass = new HashMap<>();
  private final Map<Integer, Choice> byNumber = new HashMap<>();
  private final UnknownFields unknown;

  OneOfCodec(UnknownFields unknown) {
    this.unknown = unknown;
  }

  /** Adds a class. Called at first alone. */
  void add(Class<?> type, Choice choice) {
    byClass.put(type, choice);
    byNumber.put(choice.field.getNumber(), choice);
  }

  @Override
  void writeFields(MessageWriter out, T value) {
    Choice choice = byClass.get(value.getClass());
    if (choice == null) {
      throw new IllegalStateException("class has no field: " + value.getClass().getName());
    }
    choice.codec.write(out, choice.field.getNumber(), value);
  }

  @Override
  @SuppressWarnings("unchecked") // the classes are those of T
  T readFields(CodedInputStream in) throws IOException {
    @Nullable Object read = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      Choice choice = byNumber.get(WireFormat.getTagFieldNumber(tag));
      if (choice == null) {
        unknown.pass(in, tag);
      } else {
        read = choice.codec.read(in);
      }
    }
    if (read == null) {
      throw new IllegalArgumentException(
          "none of these is there: "
              + byNumber.values().stream()
                  .map(choice -> choice.field.getJsonName())
                  .collect(Collectors.joining(", ")));
    }
    return (T) read;
  }
}
