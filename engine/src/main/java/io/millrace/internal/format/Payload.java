package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/** A job's payload and headers, or a reference to the BLOB row that holds them. */
public sealed interface Payload {

  /** Returns the length of payload, header names and header values, in bytes of UTF-8. */
  long contentBytes();

  /** The most bytes of payload and headers together that are kept in the job's record. */
  int INLINE_BYTES_MAX = 1 << 10;

  /** Returns the version of the BLOB row that holds them; 0 if they are in the record. */
  int blobVersion();

  /** An empty payload without headers. */
  Payload EMPTY = new Inline(new byte[0], Map.of());

  /**
   * A payload and headers that are in the job's record.
   *
   * @param payload the bytes; shared, nobody may change them
   * @param headers the headers, in the user's order
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
   * A reference to the BLOB row that holds payload and headers.
   *
   * @param version the row's version
   * @param lengthBytes the length of the payload
   * @param headersBytes the length of the headers; 0 in records that do not tell
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

    /** Tells whether this refers to the BLOB row of the given version and content. */
    public boolean isMet(int rowVersion, BlobRecord row) {
      return rowVersion == version && row.payload().length == lengthBytes;
    }
  }
}
