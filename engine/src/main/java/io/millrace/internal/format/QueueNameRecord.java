package io.millrace.internal.format;

import io.millrace.api.QueueName;
import java.util.Objects;

/**
 * The queue that has a number. On disk, never change.
 *
 * <pre>
 *  tag 1  text    name; empty (which no queue has) by default
 *      2  text    tenant; empty by default
 *      3  number  state: 0 LIVE (default), 1 DROPPED
 * </pre>
 *
 * @param name the queue that has, or had, the number
 * @param state whether that queue is there or was deleted
 */
public record QueueNameRecord(QueueName name, State state) {

  private static final int NAME = 1;
  private static final int TENANT = 2;
  private static final int STATE = 3;

  /** The presence of a queue. */
  public enum State {
    LIVE,
    /**
     * The queue was deleted. Nothing reaches it any more, and what is left of it is being removed.
     */
    DROPPED
  }

  public QueueNameRecord {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.text(NAME, name.name());
    writer.text(TENANT, name.tenant().isEmpty() ? null : name.tenant());
    writer.number(STATE, code(state), 0);
    return writer.seal(key);
  }

  public static QueueNameRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.QUEUE_NAME, key, value, QueueNameRecord::read);
  }

  private static QueueNameRecord read(RecordReader reader) {
    String name = "";
    String tenant = "";
    State state = State.LIVE;
    while (reader.next()) {
      switch (reader.tag()) {
        case NAME -> name = reader.text();
        case TENANT -> tenant = reader.text();
        case STATE -> state = reader.flag() ? State.DROPPED : State.LIVE;
        default -> {}
      }
    }
    return new QueueNameRecord(new QueueName(name, tenant), state);
  }

  private static int code(State state) {
    return switch (state) {
      case LIVE -> 0;
      case DROPPED -> 1;
    };
  }
}
