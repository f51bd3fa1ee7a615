package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * A broadcast that has not yet reached all jobs that waited for it. On disk, never change.
 *
 * <pre>
 *  tag 1  number  queue number; 0 by default
 *      2  bytes   name; none by default
 *      3  bytes   payload; none by default
 *      4  number  birth sequence from which on jobs are still to be looked at; 0 by default
 *      5  number  jobs that it has woken; 0 by default
 * </pre>
 *
 * @param queue the number of the queue
 * @param name the signal's name in UTF-8; shared, nobody may change it
 * @param payload the signal's bytes; shared, nobody may change them
 * @param fromBirth the least birth sequence of a job that was not looked at
 * @param wokenCount the number of jobs that it has woken
 */
public record BroadcastRecord(
    int queue, byte[] name, byte[] payload, long fromBirth, long wokenCount) {

  private static final int QUEUE = 1;
  private static final int NAME = 2;
  private static final int PAYLOAD = 3;
  private static final int FROM = 4;
  private static final int WOKEN = 5;
  private static final byte[] NONE = {};

  public BroadcastRecord {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(payload, "payload");
  }

  /** Returns this broadcast after all jobs with an earlier birth have been looked at. */
  public BroadcastRecord at(long birth) {
    return new BroadcastRecord(queue, name, payload, birth, wokenCount);
  }

  /** Returns this broadcast after one more job has been woken. */
  public BroadcastRecord withOneMore() {
    return new BroadcastRecord(queue, name, payload, fromBirth, wokenCount + 1);
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(QUEUE, queue, 0);
    writer.bytes(NAME, name.length == 0 ? null : name);
    writer.bytes(PAYLOAD, payload.length == 0 ? null : payload);
    return writer.number(FROM, fromBirth, 0).number(WOKEN, wokenCount, 0).seal(key);
  }

  public static BroadcastRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SIGNAL, key, value, BroadcastRecord::read);
  }

  private static BroadcastRecord read(RecordReader reader) {
    int queue = 0;
    byte[] name = NONE;
    byte[] payload = NONE;
    long from = 0;
    long woken = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case QUEUE -> queue = reader.intNumber();
        case NAME -> name = reader.bytes();
        case PAYLOAD -> payload = reader.bytes();
        case FROM -> from = reader.number();
        case WOKEN -> woken = reader.number();
        default -> {}
      }
    }
    return new BroadcastRecord(queue, name, payload, from, woken);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BroadcastRecord that
        && queue == that.queue
        && fromBirth == that.fromBirth
        && wokenCount == that.wokenCount
        && Arrays.equals(name, that.name)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(name) + Long.hashCode(fromBirth);
  }
}
