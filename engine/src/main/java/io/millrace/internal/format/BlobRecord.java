package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Payload and headers that are too large for the job's record. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes    payload; none by default
 *      2  headers  name and value of each, as in a job's record
 * </pre>
 *
 * @param payload the bytes; shared, nobody may change them
 * @param headers the headers, in the user's order
 */
public record BlobRecord(byte[] payload, Map<String, String> headers) {

  private static final int PAYLOAD = 1;
  private static final int HEADERS = 2;
  private static final byte[] NONE = {};

  public BlobRecord {
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(headers, "headers");
  }

  /** Returns the length of payload, header names and header values, in bytes of UTF-8. */
  public int contentBytes() {
    return payload.length + StoredParts.lengthBytes(headers);
  }

  /** Returns the reference to this row, with the given version, for the job's record. */
  public Payload.InBlob asVersion(int version) {
    return new Payload.InBlob(version, payload.length, StoredParts.lengthBytes(headers));
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.bytes(PAYLOAD, payload.length == 0 ? null : payload);
    StoredParts.writeHeaders(writer, HEADERS, headers);
    return writer.seal(key);
  }

  public static BlobRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.BLOB, key, value, BlobRecord::read);
  }

  private static BlobRecord read(RecordReader reader) {
    byte[] payload = NONE;
    Map<String, String> headers = Map.of();
    while (reader.next()) {
      switch (reader.tag()) {
        case PAYLOAD -> payload = reader.bytes();
        case HEADERS -> headers = StoredParts.readHeaders(reader);
        default -> {}
      }
    }
    return new BlobRecord(payload, headers);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlobRecord that
        && Arrays.equals(payload, that.payload)
        && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(payload) + headers.hashCode();
  }
}
