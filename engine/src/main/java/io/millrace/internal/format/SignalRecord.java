package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * A broadcast that found nobody waiting. Or the long payload of a signal that is kept for one job,
 * which goes with that signal. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes   payload; none by default
 *      2  number  expiry, epoch ms; 0 by default
 * </pre>
 *
 * @param payload the signal's bytes; shared, nobody may change them
 * @param expiryMs the steady time at which the broadcast is forgotten
 */
public record SignalRecord(byte[] payload, long expiryMs) {

  private static final int PAYLOAD = 1;
  private static final int EXPIRY = 2;
  private static final byte[] NONE = {};

  public SignalRecord {
    Objects.requireNonNull(payload, "payload");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.bytes(PAYLOAD, payload.length == 0 ? null : payload);
    return writer.number(EXPIRY, expiryMs, 0).seal(key);
  }

  public static SignalRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SIGNAL, key, value, SignalRecord::read);
  }

  private static SignalRecord read(RecordReader reader) {
    byte[] payload = NONE;
    long expiryMs = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case PAYLOAD -> payload = reader.bytes();
        case EXPIRY -> expiryMs = reader.number();
        default -> {}
      }
    }
    return new SignalRecord(payload, expiryMs);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SignalRecord that
        && expiryMs == that.expiryMs
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(payload) + Long.hashCode(expiryMs);
  }
}
