package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.RateLimit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values that are a single field, by their classes, and the types of these fields. */
final class Scalars {

  private static final Map<Class<?>, Scalar<?>> ALL = new HashMap<>();

  /**
   * A kind of single values.
   *
   * @param type the type of their fields
   * @param unit what the names of their fields end with
   */
  record Scalar<V>(FieldDescriptor.Type type, String unit, ValueCodec<V> codec) {}

  private interface Write<S> {
    void to(MessageWriter out, int number, S value);
  }

  private interface Read<S> {
    S from(CodedInputStream in) throws IOException;
  }

  private record Plain<S>(Write<S> write, Read<S> read, S absent) implements ValueCodec<S> {
    @Override
    public void write(MessageWriter out, int number, S value) {
      write.to(out, number, value);
    }

    @Override
    public S read(CodedInputStream in) throws IOException {
      return read.from(in);
    }
  }

  private record Turned<V, S>(ValueCodec<S> sent, Function<V, S> send, Function<S, V> receive)
      implements ValueCodec<V> {
    @Override
    public void write(MessageWriter out, int number, V value) {
      sent.write(out, number, send.apply(value));
    }

    @Override
    public V read(CodedInputStream in) throws IOException {
      return receive.apply(sent.read(in));
    }

    @Override
    public V absent() {
      return receive.apply(sent.absent());
    }
  }

  private static final ValueCodec<String> STRING =
      new Plain<>(MessageWriter::writeText, CodedInputStream::readStringRequireUtf8, "");
  private static final ValueCodec<Long> INT64 =
      new Plain<>(MessageWriter::writeNumber, CodedInputStream::readInt64, 0L);

  static {
    add(String.class, FieldDescriptor.Type.STRING, STRING);
    add(Long.class, FieldDescriptor.Type.INT64, INT64);
    add(
        Integer.class,
        FieldDescriptor.Type.INT32,
        new Plain<>(
            (out, number, value) -> out.writeNumber(number, value),
            CodedInputStream::readInt32,
            0));
    add(
        Boolean.class,
        FieldDescriptor.Type.BOOL,
        new Plain<>(
            (out, number, value) -> out.writeNumber(number, value ? 1 : 0),
            CodedInputStream::readBool,
            false));
    add(
        byte[].class,
        FieldDescriptor.Type.BYTES,
        new Plain<>(MessageWriter::writeBytes, CodedInputStream::readByteArray, new byte[0]));
    text(JobId.class, JobId::toString, JobId::parse);
    text(BatchId.class, BatchId::toString, BatchId::parse);
    text(RateLimit.class, RateLimit::text, RateLimit::parse);
    text(Backoff.class, Backoff::text, Backoff::parse);
    time(Instant.class, Instant::toEpochMilli, Instant::ofEpochMilli);
    time(Duration.class, Duration::toMillis, Duration::ofMillis);
  }

  private Scalars() {}

  private static <V> void add(Class<V> of, FieldDescriptor.Type type, ValueCodec<V> codec) {
    ALL.put(of, new Scalar<>(type, "", codec));
  }

  private static <V> void text(Class<V> of, Function<V, String> text, Function<String, V> parse) {
    add(of, FieldDescriptor.Type.STRING, new Turned<>(STRING, text, parse));
  }

  private static <V> void time(Class<V> of, Function<V, Long> millis, Function<Long, V> time) {
    ALL.put(of, new Scalar<>(FieldDescriptor.Type.INT64, "_ms", new Turned<>(INT64, millis, time)));
  }

  /** Returns the kind of the values of this class; null if they are no single fields. */
  static @Nullable Scalar<?> find(Class<?> of) {
    Class<?> boxed =
        of == int.class
            ? Integer.class
            : of == long.class ? Long.class : of == boolean.class ? Boolean.class : of;
    return boxed.isEnum() ? constants(boxed) : ALL.get(boxed);
  }

  private static Scalar<?> constants(Class<?> type) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      byName.put(((Enum<?>) constant).name(), constant);
    }
    return new Scalar<>(
        FieldDescriptor.Type.STRING,
        "",
        new Turned<>(
            STRING, constant -> ((Enum<?>) constant).name(), name -> constant(byName, name)));
  }

  private static Object constant(Map<String, Object> byName, String name) {
    Object constant = byName.get(name);
    if (constant == null) {
      throw new IllegalArgumentException(
          "no such value: value=\"" + name + "\", possible=" + byName.values());
    }
    return constant;
  }
}
