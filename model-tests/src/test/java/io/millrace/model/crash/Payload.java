package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;

/** The bytes of a job that name it and prove that they are whole. */
final class Payload {

  private static final int SHORT_BYTES = 40;
  private static final int LONG_BYTES = 4_000;

  private Payload() {}

  /** A short payload, and every tenth time one that is stored apart. */
  static byte[] of(String job, int number) {
    StringBuilder text = new StringBuilder(job).append('|').append(checksum(job)).append('|');
    int length = number % 10 == 0 ? LONG_BYTES : SHORT_BYTES;
    while (text.length() < length) {
      text.append((char) ('a' + text.length() % 26));
    }
    return text.toString().getBytes(UTF_8);
  }

  /** The job's name, or a name that no job has if the bytes are not what they were. */
  static String nameIn(byte[] payload, int number) {
    String text = new String(payload, UTF_8);
    String job = text.substring(0, Math.max(0, text.indexOf('|')));
    return java.util.Arrays.equals(of(job, number), payload) ? job : "damaged";
  }

  private static long checksum(String job) {
    CRC32C checksum = new CRC32C();
    checksum.update(job.getBytes(UTF_8));
    return checksum.getValue();
  }
}
