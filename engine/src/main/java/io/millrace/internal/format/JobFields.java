package io.millrace.internal.format;

import io.millrace.api.Backoff;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a job's record; {@link JobRecord} says what they mean. The fields of a plain job
 * are fields of this class. All others are values of a {@link JobField}, which take heap only if
 * they are set.
 *
 * <p>Record and builder both hold one of these objects. With final fields in the record and the
 * same again in the builder, a copy could forget one of so many, which would be a lost fact on
 * disk. {@link #copy} cannot forget any.
 */
final class JobFields implements Cloneable {

  /** The value of readyAtMs that stands for enqueuedAtMs. */
  private static final long AS_ENQUEUED = -1;

  /** The value of birthPriority that stands for priority. */
  private static final int AS_PRIORITY = Integer.MIN_VALUE;

  /** The most attempts of a record that does not say. On disk, never change. */
  static final int MAX_ATTEMPTS_STORED = 3;

  private static final Object[] NO_VALUES = {};

  /** The number of places by which the values grow: enough for a job that failed. */
  private static final int ROOM = 8;

  long birth;
  Keyspace birthKind = Keyspace.READY;
  int birthPriority = AS_PRIORITY;
  int priority;
  int weight = 1;
  int maxAttempts = MAX_ATTEMPTS_STORED;
  @Nullable Backoff backoff = StoredParts.BACKOFF_DEFAULT;
  long enqueuedAtMs;
  long readyAtMs = AS_ENQUEUED;
  Payload payload = Payload.EMPTY;

  /**
   * The fields that have a value, as bits. Their values are in {@link #values}, in the order of the
   * bits.
   */
  private long present;

  private @Nullable Object[] values = NO_VALUES;

  /** Returns the field's value; null if it is absent. */
  @SuppressWarnings("unchecked") // A field's place has only what was set as that field.
  <T> @Nullable T get(JobField<T> field) {
    return (present & field.bit()) == 0 ? null : (T) values[placeOf(field.bit())];
  }

  /** Returns the field's value; 0 if it is absent. */
  long number(JobField<Long> field) {
    Long value = get(field);
    return value == null ? 0 : value;
  }

  /** Returns the field's value; 0 if it is absent. */
  int count(JobField<Integer> field) {
    Integer value = get(field);
    return value == null ? 0 : value;
  }

  boolean flag(JobField<Boolean> field) {
    return get(field) != null;
  }

  <T> void set(JobField<T> field, @Nullable T value) {
    int place = placeOf(field.bit());
    int count = Long.bitCount(present);
    boolean isThere = (present & field.bit()) != 0;
    if (field.isAbsent(value)) {
      if (isThere) {
        System.arraycopy(values, place + 1, values, place, count - place - 1);
        values[count - 1] = null;
        present -= field.bit();
      }
      return;
    }
    if (!isThere) {
      if (count == values.length) {
        values = Arrays.copyOf(values, count + ROOM);
      }
      if (place < count) {
        System.arraycopy(values, place, values, place + 1, count - place);
      }
      present += field.bit();
    }
    values[place] = value;
  }

  private int placeOf(long bit) {
    return Long.bitCount(present & bit - 1);
  }

  /** Writes the fields that have a value and a tag between these two. */
  void write(RecordWriter writer, int tagBelow, int tagAbove) {
    long between = (-1L << tagBelow + 1) & (-1L >>> Long.SIZE - tagAbove);
    for (long rest = present & between; rest != 0; rest &= rest - 1) {
      write(writer, Objects.requireNonNull(JobField.ofTag(Long.numberOfTrailingZeros(rest))));
    }
  }

  private <T> void write(RecordWriter writer, JobField<T> field) {
    field.write(writer, Objects.requireNonNull(get(field)));
  }

  /** Reads the field at which the reader is, unless it is one of a newer version. */
  void read(RecordReader reader) {
    JobField<?> field = JobField.ofTag(reader.tag());
    if (field != null) {
      read(reader, field);
    }
  }

  private <T> void read(RecordReader reader, JobField<T> field) {
    set(field, field.read(reader));
  }

  /** Returns about how many bytes of heap the values take. */
  long valuesBytes() {
    long bytes = 0;
    for (Object value : values) {
      bytes += bytes(value);
    }
    return bytes;
  }

  private static long bytes(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return 16L + bytes.length;
    }
    if (value instanceof String text) {
      return 40L + 2L * text.length();
    }
    if (value instanceof Payload.Inline inline) {
      return bytes(inline.payload());
    }
    return value instanceof EngineRate rate ? 100L + rate.key().length : 0;
  }

  /**
   * Makes the record of these fields, which must not be changed any more.
   *
   * @throws IllegalArgumentException identity or priority are out of range
   */
  JobRecord build() {
    readyAtMs = readyAtMs == AS_ENQUEUED ? enqueuedAtMs : readyAtMs;
    birthPriority = birthPriority == AS_PRIORITY ? priority : birthPriority;
    KeyLayout.checkSequence(birth);
    KeyLayout.checkPriority(priority);
    KeyLayout.checkPriority(birthPriority);
    if (!JobAddress.isBirthKind(birthKind)) {
      throw new IllegalArgumentException("no job is born there: keyspace=" + birthKind);
    }
    return new JobRecord(this);
  }

  JobFields copy() {
    try {
      JobFields copy = (JobFields) clone();
      copy.values = present == 0 ? NO_VALUES : values.clone();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("fields are not cloneable", e);
    }
  }
}
