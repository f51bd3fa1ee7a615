package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A component of an object as a field of a message. It may have a value, several, or none. */
abstract class FieldCodec {

  final FieldDescriptor field;

  FieldCodec(FieldDescriptor field) {
    this.field = field;
  }

  /** Writes the component, or nothing if its value need not be sent. */
  abstract void write(MessageWriter out, Object component);

  /**
   * Reads the field once.
   *
   * @param before what it had when it was read before; null at first
   * @return what the component is now
   */
  abstract Object read(CodedInputStream in, @Nullable Object before) throws IOException;

  /** Returns the component of a field that was not sent. */
  abstract Object absent();

  private static Object orAbsent(ValueCodec<?> codec, @Nullable Object read) {
    return read == null ? codec.absent() : read;
  }

  /** A field that always has a value, and is not sent if that is what an absent one means. */
  static final class Single extends FieldCodec {
    private final ValueCodec<Object> codec;
    private final @Nullable Object unsent;

    Single(FieldDescriptor field, ValueCodec<Object> codec) {
      super(field);
      this.codec = codec;
      this.unsent = field.hasPresence() ? codec.unsent() : field.getDefaultValue();
    }

    @Override
    void write(MessageWriter out, Object component) {
      if (component != unsent && !component.equals(unsent)) {
        codec.write(out, field.getNumber(), component);
      }
    }

    @Override
    Object read(CodedInputStream in, @Nullable Object before) throws IOException {
      return codec.read(in);
    }

    @Override
    Object absent() {
      return codec.absent();
    }
  }

  /** A field that may have no value. */
  static final class Maybe extends FieldCodec {
    private final ValueCodec<Object> codec;
    private final boolean isNumber;

    Maybe(FieldDescriptor field, ValueCodec<Object> codec, boolean isNumber) {
      super(field);
      this.codec = codec;
      this.isNumber = isNumber;
    }

    @Override
    void write(MessageWriter out, Object component) {
      if (component instanceof OptionalInt number) {
        if (number.isPresent()) {
          codec.write(out, field.getNumber(), number.getAsInt());
        }
      } else if (((Optional<?>) component).isPresent()) {
        codec.write(out, field.getNumber(), ((Optional<?>) component).get());
      }
    }

    @Override
    Object read(CodedInputStream in, @Nullable Object before) throws IOException {
      Object value = codec.read(in);
      return isNumber ? OptionalInt.of((Integer) value) : Optional.of(value);
    }

    @Override
    Object absent() {
      return isNumber ? OptionalInt.empty() : Optional.empty();
    }
  }

  /** A field with any number of values. */
  static final class Repeated extends FieldCodec {
    private final ValueCodec<Object> codec;
    private final boolean isSet;

    Repeated(FieldDescriptor field, ValueCodec<Object> codec, boolean isSet) {
      super(field);
      this.codec = codec;
      this.isSet = isSet;
    }

    @Override
    void write(MessageWriter out, Object component) {
      for (Object value : (Collection<?>) component) {
        codec.write(out, field.getNumber(), value);
      }
    }

    @Override
    @SuppressWarnings("unchecked") // a collection that this method made
    Object read(CodedInputStream in, @Nullable Object before) throws IOException {
      Collection<Object> values =
          before != null
              ? (Collection<Object>) before
              : isSet ? new LinkedHashSet<>() : new ArrayList<>();
      if (field.isPackable()
          && WireFormat.getTagWireType(in.getLastTag()) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int outer = in.pushLimit(in.readRawVarint32());
        while (in.getBytesUntilLimit() > 0) {
          values.add(codec.read(in));
        }
        in.popLimit(outer);
      } else {
        values.add(codec.read(in));
      }
      return values;
    }

    @Override
    Object absent() {
      return isSet ? Set.of() : List.of();
    }
  }

  /** A field with values by keys. */
  static final class Mapped extends FieldCodec {
    private static final int KEY = 1;
    private static final int VALUE = 2;

    private final ValueCodec<Object> keys;
    private final ValueCodec<Object> values;

    Mapped(FieldDescriptor field, ValueCodec<Object> keys, ValueCodec<Object> values) {
      super(field);
      this.keys = keys;
      this.values = values;
    }

    @Override
    void write(MessageWriter out, Object component) {
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) component).entrySet()) {
        int begin = out.begin(field.getNumber());
        keys.write(out, KEY, entry.getKey());
        values.write(out, VALUE, entry.getValue());
        out.end(begin);
      }
    }

    @Override
    @SuppressWarnings("unchecked") // a map that this method made
    Object read(CodedInputStream in, @Nullable Object before) throws IOException {
      Map<Object, Object> all =
          before == null ? new LinkedHashMap<>() : (Map<Object, Object>) before;
      int outer = in.pushLimit(in.readRawVarint32());
      Object key = null;
      Object value = null;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case KEY -> key = keys.read(in);
          case VALUE -> value = values.read(in);
          default -> in.skipField(tag);
        }
      }
      MessageCodec.end(in, outer);
      all.put(orAbsent(keys, key), orAbsent(values, value));
      return all;
    }

    @Override
    Object absent() {
      return Map.of();
    }
  }
}
