package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a job's record that a fresh, plain job does not have: it tells what happened to the
 * job, or what it was enqueued with beyond payload and rules. Its constant alone says how the field
 * is stored, copied and compared. {@link JobRecord} says what it means; {@link JobCodec} has the
 * other fields. On disk, never change: a new field has the next tag, and older records are without
 * it.
 *
 * @param <T> the type of the field's value
 */
public final class JobField<T> {

  private static final JobField<?>[] OF_TAG = new JobField<?>[Long.SIZE];

  public static final JobField<Integer> ATTEMPTS = new JobField<>(6, Kind.INT);
  public static final JobField<Long> LEASE_MS = new JobField<>(9, Kind.NUMBER);
  public static final JobField<Long> DELAY_BASE_MS = new JobField<>(12, Kind.NUMBER);
  public static final JobField<String> LAST_ERROR = new JobField<>(16, Kind.TEXT);
  public static final JobField<Long> FIRST_STARTED_AT_MS = new JobField<>(17, Kind.NUMBER);
  public static final JobField<Long> LAST_STARTED_AT_MS = new JobField<>(18, Kind.NUMBER);
  public static final JobField<Long> LAST_ENDED_AT_MS = new JobField<>(19, Kind.NUMBER);
  public static final JobField<String> LAST_WORKER = new JobField<>(20, Kind.TEXT);
  public static final JobField<Long> DIED_AT_MS = new JobField<>(21, Kind.NUMBER);
  public static final JobField<Integer> EARLIER_ATTEMPTS = new JobField<>(22, Kind.INT);
  public static final JobField<Long> EXPIRE_AT_MS = new JobField<>(23, Kind.NUMBER);
  public static final JobField<Long> RESULT_RETENTION_MS = new JobField<>(24, Kind.NUMBER);
  public static final JobField<byte[]> UNIQUE_KEY = new JobField<>(25, Kind.BYTES);
  public static final JobField<Integer> UNIQUE_SCOPE = new JobField<>(26, Kind.INT);
  public static final JobField<Long> UNIQUE_UNTIL_MS = new JobField<>(27, Kind.NUMBER);
  public static final JobField<byte[]> CONCURRENCY_KEY = new JobField<>(28, Kind.BYTES);
  public static final JobField<byte[]> SIGNAL = new JobField<>(29, Kind.BYTES);
  public static final JobField<Long> WAIT_TIMER_MS = new JobField<>(30, Kind.NUMBER);
  public static final JobField<byte[]> SIGNAL_PAYLOAD = new JobField<>(31, Kind.BYTES);
  public static final JobField<Integer> WAKE_REASON = new JobField<>(32, Kind.INT);
  public static final JobField<byte[]> RESULT = new JobField<>(33, Kind.BYTES);
  public static final JobField<Boolean> CANCEL_REQUESTED = new JobField<>(34, Kind.FLAG);
  public static final JobField<String> TYPE = new JobField<>(36, Kind.TEXT);

  /** The value of {@link JobRecord#state} if it is in the job's record. */
  static final JobField<Payload.Inline> CHECKPOINTED = new JobField<>(37, Kind.INLINE);

  /** The reference to the value of {@link JobRecord#state} if it is in a row of its own. */
  static final JobField<Payload.InBlob> CHECKPOINTED_BLOB = new JobField<>(38, Kind.BLOB);

  public static final JobField<Integer> ENGINE_MOST = new JobField<>(39, Kind.INT);
  public static final JobField<Integer> INBOX_COUNT = new JobField<>(40, Kind.INT);
  public static final JobField<Long> WAIT_SINCE_MS = new JobField<>(41, Kind.NUMBER);
  public static final JobField<Long> WAIT_SEQUENCE = new JobField<>(42, Kind.NUMBER);
  public static final JobField<Long> WAIT_STEADY_END_MS = new JobField<>(43, Kind.NUMBER);
  public static final JobField<Integer> INBOX_SLOTS = new JobField<>(44, Kind.INT);
  public static final JobField<Boolean> HOLDS_SLOT = new JobField<>(45, Kind.FLAG);
  public static final JobField<EngineRate> ENGINE_RATE = new JobField<>(46, Kind.RATE);
  public static final JobField<Long> TALLY = new JobField<>(47, Kind.NUMBER);
  public static final JobField<Integer> TALLY_CONDITION = new JobField<>(48, Kind.INT);

  private final int tag;
  private final long bit;
  private final Kind<T> kind;

  private JobField(int tag, Kind<T> kind) {
    this.tag = tag;
    this.bit = 1L << tag;
    this.kind = kind;
    OF_TAG[tag] = this;
  }

  /** Returns the field with the tag; null if there is none, as for one of a newer version. */
  static @Nullable JobField<?> ofTag(int tag) {
    return tag < OF_TAG.length ? OF_TAG[tag] : null;
  }

  /** Returns all fields in the order of their tags. */
  static Stream<JobField<?>> all() {
    return Arrays.stream(OF_TAG).filter(Objects::nonNull);
  }

  int tag() {
    return tag;
  }

  /** Returns the field's bit in a set of fields. */
  long bit() {
    return bit;
  }

  /** Tells whether a record with this value is stored without the field. */
  boolean isAbsent(@Nullable T value) {
    return value == null || kind.absent != null && value.equals(kind.absent);
  }

  /** Returns content and default of the field as {@code docs/FORMAT.md} says them. */
  String onPage() {
    return kind.content + " | " + kind.absent;
  }

  T read(RecordReader reader) {
    return kind.read.read(reader);
  }

  void write(RecordWriter writer, T value) {
    kind.write.write(writer, tag, value);
  }

  /** The function that reads the field at which a reader is. */
  private interface Read<T> {
    T read(RecordReader reader);
  }

  /** The function that writes a field that is not absent. */
  private interface Write<T> {
    void write(RecordWriter writer, int tag, T value);
  }

  /**
   * A kind of field, with all that is stored alike; {@code content} as in {@code docs/FORMAT.md}.
   */
  private record Kind<T>(String content, @Nullable T absent, Read<T> read, Write<T> write) {

    static final Kind<Long> NUMBER =
        new Kind<>(
            "number", 0L, RecordReader::number, (to, tag, value) -> to.number(tag, value, 0));
    static final Kind<Integer> INT =
        new Kind<>(
            "number", 0, RecordReader::intNumber, (to, tag, value) -> to.number(tag, value, 0));
    static final Kind<Boolean> FLAG =
        new Kind<>("flag", false, RecordReader::flag, RecordWriter::flag);
    static final Kind<String> TEXT =
        new Kind<>("text", null, RecordReader::text, RecordWriter::text);
    static final Kind<byte[]> BYTES =
        new Kind<>("bytes", null, RecordReader::bytes, RecordWriter::bytes);
    static final Kind<Payload.Inline> INLINE =
        new Kind<>(
            "bytes",
            null,
            from -> new Payload.Inline(from.bytes(), Map.of()),
            (to, tag, value) -> to.bytes(tag, value.payload()));
    static final Kind<Payload.InBlob> BLOB =
        new Kind<>("blob", null, Payload.InBlob::read, (to, tag, value) -> value.write(to, tag));
    static final Kind<EngineRate> RATE =
        new Kind<>("rate", null, EngineRate::read, (to, tag, value) -> value.write(to, tag));
  }
}
