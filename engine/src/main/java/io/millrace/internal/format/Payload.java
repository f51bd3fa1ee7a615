package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/** Where a job's payload and headers are. */
public sealed interface Payload {

  /** Payload and headers together, in bytes, up to which they are kept in the job's record. */
  int INLINE_BYTES_MAX = 1 << 10;

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
   */
  record InBlob(int version, int lengthBytes) implements Payload {

    public InBlob {
      KeyLayout.checkCount("version", version);
      KeyLayout.checkCount("payload length in bytes", lengthBytes);
    }
  }
}
