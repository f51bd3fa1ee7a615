package io.millrace.worker;

import io.millrace.api.Codec;

/**
 * The codec of the table of schedules. A row that {@link ScheduleCodec} cannot read becomes an
 * {@linkplain UnreadableSchedule unreadable} one, so that it harms no other.
 */
final class StoredScheduleCodec implements Codec<ScheduleRow> {

  private final ScheduleCodec readable = new ScheduleCodec();

  @Override
  public byte[] encode(ScheduleRow row) {
    return row.unreadable().map(it -> it.with(row.state())).orElseGet(() -> readable.encode(row));
  }

  @Override
  public ScheduleRow decode(byte[] bytes) {
    try {
      return readable.decode(bytes);
    } catch (RuntimeException e) {
      return UnreadableSchedule.row(bytes, e);
    }
  }
}
