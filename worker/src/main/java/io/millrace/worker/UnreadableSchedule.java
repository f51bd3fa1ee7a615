package io.millrace.worker;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A row of a schedule that this machine cannot carry out: its zone is not known here, a newer
 * Millrace has written it, or it is damaged. Its bytes stay as they are, except for its state, so
 * that a machine that can read them goes on with it. Immutable.
 *
 * @param bytes the bytes as they were read
 * @param isWhole whether they are fields, so that the state among them can be changed
 * @param reason the reason why they cannot be read
 */
record UnreadableSchedule(byte[] bytes, boolean isWhole, String reason) {

  private static final QueueName NOWHERE = QueueName.of("unknown");

  /** Times that cannot be told here. */
  record Times(String shown) implements Recurrence {

    @Override
    public long nextMs(long afterMs) {
      throw new IllegalStateException("times of a schedule cannot be read: " + shown);
    }

    @Override
    public Recurrence beginningAt(long ms) {
      return this;
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  /** Returns the row, with as much of its contents as can be read. */
  static ScheduleRow row(byte[] bytes, RuntimeException cause) {
    ReadableValues found = new ReadableValues();
    boolean isWhole = found.readAll(bytes);
    SchedulePlan plan =
        new SchedulePlan(
            new Times(found.times()),
            Missed.RUN_ONCE,
            Overlap.ALLOW,
            0,
            found.queue(),
            NewJob.of(new byte[0]));
    UnreadableSchedule unreadable =
        new UnreadableSchedule(bytes, isWhole, String.valueOf(cause.getMessage()));
    return new ScheduleRow(plan, found.state, Optional.of(unreadable));
  }

  /** Returns the bytes with this state in place of their own. */
  byte[] with(ScheduleState state) {
    if (!isWhole) {
      return bytes;
    }
    FieldWriter out = new FieldWriter();
    FieldReader in = new FieldReader(Arrays.copyOfRange(bytes, 1, bytes.length));
    while (in.next()) {
      if (!ScheduleState.isKnown(in.tag())) {
        out.bytes(in.tag(), in.bytes());
      }
    }
    state.write(out);
    return ScheduleCodec.versioned(out);
  }

  /** The values that can be read of the row. A field that cannot be read leaves none. */
  private static final class ReadableValues {

    private ScheduleState state = ScheduleState.NONE;
    private String cron = "";
    private String zone = "";
    private String queue = "";
    private String tenant = "";

    boolean readAll(byte[] bytes) {
      if (bytes.length == 0 || bytes[0] != ScheduleCodec.VERSION) {
        return false;
      }
      try {
        FieldReader in = new FieldReader(Arrays.copyOfRange(bytes, 1, bytes.length));
        while (in.next()) {
          read(in);
        }
        return true;
      } catch (CodecException e) {
        return false;
      }
    }

    private void read(FieldReader in) {
      switch (in.tag()) {
        case ScheduleCodec.CRON -> cron = text(in, cron);
        case ScheduleCodec.ZONE -> zone = text(in, zone);
        case ScheduleCodec.QUEUE -> queue = text(in, queue);
        case ScheduleCodec.TENANT -> tenant = text(in, tenant);
        default -> {
          if (ScheduleState.isKnown(in.tag())) {
            state = orElse(() -> state.read(in), state);
          }
        }
      }
    }

    private static String text(FieldReader in, String otherwise) {
      return orElse(() -> Codec.TEXT.decode(in.bytes()), otherwise);
    }

    private static <T> T orElse(Supplier<T> value, T otherwise) {
      try {
        return value.get();
      } catch (RuntimeException e) {
        return otherwise;
      }
    }

    QueueName queue() {
      return orElse(() -> new QueueName(queue, tenant), NOWHERE);
    }

    String times() {
      return cron.isEmpty() ? "unreadable" : "cron \"" + cron + "\" in " + zone;
    }
  }

  /** Returns the error for an action that needs a readable schedule. */
  IllegalStateException refusal(String name) {
    return new IllegalStateException(
        "schedule cannot be read here: name=%s, reason=%s; put it anew, or remove it"
            .formatted(name, reason));
  }

  /** Tells whether the bytes are the same. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UnreadableSchedule it && Arrays.equals(bytes, it.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the reason. */
  @Override
  public String toString() {
    return reason;
  }
}
