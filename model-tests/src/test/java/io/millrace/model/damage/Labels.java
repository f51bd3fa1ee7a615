package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** Payloads that name their job and prove that they are whole. */
final class Labels {

  /** Names with this in them have payloads that are stored apart. */
  static final String LARGE = "large";

  static final String WRONG = "wrong payload";

  private static final int SMALL_BYTES = 60;
  private static final int LARGE_BYTES = 3_000;

  private Labels() {}

  static byte[] payload(String name) {
    CRC32C checksum = new CRC32C();
    checksum.update(name.getBytes(UTF_8));
    StringBuilder text = new StringBuilder(name).append('|').append(checksum.getValue());
    int length = name.contains(LARGE) ? LARGE_BYTES : SMALL_BYTES;
    while (text.length() < length) {
      text.append((char) ('a' + text.length() % 26));
    }
    return text.toString().getBytes(UTF_8);
  }

  /** The name in a payload; {@link #WRONG} if it is not, to the byte, the payload of that name. */
  static String name(byte[] payload) {
    String text = new String(payload, UTF_8);
    String name = text.substring(0, Math.max(0, text.indexOf('|')));
    return Arrays.equals(payload(name), payload) ? name : WRONG;
  }
}
