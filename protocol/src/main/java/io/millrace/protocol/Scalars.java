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

  /** A value that is sent as another. */
  private static final class Turned<V, S> extends ValueCodec<V> {
    private final ValueCodec<S> sent;
    private final Function<V, S> send;
    private final Function<S, V> receive;

    Turned(ValueCodec<S> sent, Function<V, S> send, Function<S, V> receive) {
      this.sent = sent;
      this.send = send;
      this.receive = receive;
    }

    @Override
    void write(MessageWriter out, int number, V value) {
      sent.write(out, number, send.apply(value));
    }

    @Override
    V read(CodedInputStream in) throws IOException {
      return receive.apply(sent.read(in));
    }

    @Override
    V absent() {
      return receive.apply(sent.absent());
    }
  }

  private static final ValueCodec<String> STRING =
      new ValueCodec<>() {
        @Override
        void write(MessageWriter out, int number, String value) {
          out.writeText(number, value);
        }

        @Override
        String read(CodedInputStream in) throws IOException {
          return in.readStringRequireUtf8();
        }

        @Override
        String absent() {
          return "";
        }
      };
  private static final ValueCodec<Long> INT64 =
      new ValueCodec<>() {
        @Override
        void write(MessageWriter out, int number, Long value) {
          out.writeNumber(number, value);
        }

        @Override
        Long read(CodedInputStream in) throws IOException {
          return in.readInt64();
        }

        @Override
        Long absent() {
          return 0L;
        }
      };
  private static final ValueCodec<Integer> INT32 =
      new ValueCodec<>() {
        @Override
        void write(MessageWriter out, int number, Integer value) {
          out.writeNumber(number, value);
        }

        @Override
        Integer read(CodedInputStream in) throws IOException {
          return in.readInt32();
        }

        @Override
        Integer absent() {
          return 0;
        }
      };
  private static final ValueCodec<Boolean> BOOL =
      new ValueCodec<>() {
        @Override
        void write(MessageWriter out, int number, Boolean value) {
          out.writeNumber(number, value ? 1 : 0);
        }

        @Override
        Boolean read(CodedInputStream in) throws IOException {
          return in.readBool();
        }

        @Override
        Boolean absent() {
          return false;
        }
      };
  private static final ValueCodec<byte[]> BYTES =
      new ValueCodec<>() {
        @Override
        void write(MessageWriter out, int number, byte[] value) {
          out.writeBytes(number, value);
        }

        @Override
        byte[] read(CodedInputStream in) throws IOException {
          return in.readByteArray();
        }

        @Override
        byte[] absent() {
          return new byte[0];
        }
      };

  static {
    add(String.class, FieldDescriptor.Type.STRING, STRING);
    add(Long.class, FieldDescriptor.Type.INT64, INT64);
    add(Integer.class, FieldDescriptor.Type.INT32, INT32);
    add(Boolean.class, FieldDescriptor.Type.BOOL, BOOL);
    add(byte[].class, FieldDescriptor.Type.BYTES, BYTES);
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
