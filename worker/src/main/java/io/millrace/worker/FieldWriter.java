package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Writes fields one after the other, for {@link FieldReader}. On disk, never change.
 *
 * <pre>
 *  1 byte   tag, never 0
 *  4 bytes  length of the value, big-endian
 *  n bytes  the value: a number has eight, big-endian; a text is in UTF-8
 * </pre>
 */
final class FieldWriter {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  void bytes(int tag, byte[] value) {
    out.write(tag);
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
    out.writeBytes(value);
  }

  void text(int tag, String value) {
    bytes(tag, value.getBytes(UTF_8));
  }

  void number(int tag, long value) {
    bytes(tag, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
