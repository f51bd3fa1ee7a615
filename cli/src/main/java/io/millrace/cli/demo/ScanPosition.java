package io.millrace.cli.demo;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * How far the scan has come: the payload of its job, replaced at each checkpoint. As bytes: the
 * count in decimal, a line feed, the name.
 *
 * @param jobCount how many jobs were enqueued
 * @param last the name of the last of them
 */
record ScanPosition(long jobCount, Optional<FileName> last) {

  static final ScanPosition START = new ScanPosition(0, Optional.empty());

  static ScanPosition decode(byte[] payload) {
    int end = 0;
    while (payload[end] != '\n') {
      end++;
    }
    long jobCount = Long.parseLong(new String(payload, 0, end, StandardCharsets.US_ASCII));
    byte[] name = Arrays.copyOfRange(payload, end + 1, payload.length);
    // The folder itself has the empty name; there is nothing before it, so that is the start, too.
    return new ScanPosition(
        jobCount, name.length == 0 ? Optional.empty() : Optional.of(FileName.of(name)));
  }

  /** The position after one more job. */
  ScanPosition after(FileName name) {
    return new ScanPosition(jobCount + 1, Optional.of(name));
  }

  byte[] encode() {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.writeBytes((jobCount + "\n").getBytes(StandardCharsets.US_ASCII));
    last.ifPresent(name -> payload.writeBytes(name.bytes()));
    return payload.toByteArray();
  }
}
