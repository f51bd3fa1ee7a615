package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/** Where a job's payload and headers are. */
public sealed interface Payload {

  /** Length of payload, header names and header values, in bytes of UTF-8. */
  long contentBytes();

  /** Payload and headers together, in bytes, up to which they are kept in the job's record. */
  int INLINE_BYTES_MAX = 1 << 10;

  /** Version of the BLOB row that it is in; 0 if it is in the record. */
  int blobVersion();

  /** No payload, no headers. */
  Payload EMPTY = new Inline(new byte[0], Map.of());

  /**
   * In the record.
   *
   * @param payload the bytes; shared, nobody may change them
   * @param headers in the user's order
   */
  record Inline(byte[] payload, Map<String, String> headers) implements Payload {

    public Inline {
      Objects.requireNonNull(payload, "payload");
      Objects.requireNonNull(headers, "headers");
    }

    @Override
    public int blobVersion() {
      return 0;
    }

    @Override
    public long contentBytes() {
      return payload.length + (long) StoredParts.lengthBytes(headers);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Inline that
          && Arrays.equals(payload, that.payload)
          && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(payload) + headers.hashCode();
    }
  }

  /**
   * In the BLOB row of this version.
   *
   * @param version the row's version
   * @param lengthBytes how long the payload is
   * @param headersBytes how long the headers are; 0 in records that do not tell
   */
  record InBlob(int version, int lengthBytes, int headersBytes) implements Payload {

    public InBlob {
      KeyLayout.checkCount("version", version);
      KeyLayout.checkCount("payload length in bytes", lengthBytes);
      KeyLayout.checkCount("length of headers in bytes", headersBytes);
    }

    static InBlob read(RecordReader reader) {
      int version = reader.takeInt();
      int lengthBytes = reader.takeInt();
      return new InBlob(version, lengthBytes, reader.hasMore() ? reader.takeInt() : 0);
    }

    void write(RecordWriter writer, int tag) {
      int start = writer.begin(tag);
      writer.addVarint(version);
      writer.addVarint(lengthBytes);
      if (headersBytes != 0) {
        writer.addVarint(headersBytes);
      }
      writer.end(start);
    }

    @Override
    public int blobVersion() {
      return version;
    }

    @Override
    public long contentBytes() {
      return (long) lengthBytes + headersBytes;
    }

    /** Whether the row of this version, with this in it, is the one that is meant. */
    public boolean isMet(int rowVersion, BlobRecord row) {
      return rowVersion == version && row.payload().length == lengthBytes;
    }
  }
}
