package io.millrace.cli.demo;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A result on a line of the journal: sum, size, time of the last change, name; a space between, a
 * line feed behind.
 */
final class JournalLine {

  private static final Pattern SHAPE =
      Pattern.compile("([0-9a-f]{64}) ([0-9]{1,18}) (-?[0-9]{1,19}) (.+)", Pattern.DOTALL);

  private JournalLine() {}

  static byte[] encode(HashedFile file) {
    String facts = file.sha256() + " " + file.sizeBytes() + " " + file.modifiedNs() + " ";
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.writeBytes(facts.getBytes(StandardCharsets.US_ASCII));
    line.writeBytes(EscapedName.escape(file.name().bytes()));
    line.write('\n');
    return line.toByteArray();
  }

  /** Reads a line without its line feed; empty if it was not written whole. */
  static Optional<HashedFile> decode(byte[] line) {
    // One character for each byte, whatever it is: names need not be text.
    Matcher matcher = SHAPE.matcher(new String(line, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      byte[] name = EscapedName.unescape(matcher.group(4).getBytes(StandardCharsets.ISO_8859_1));
      return Optional.of(
          new HashedFile(
              matcher.group(1),
              Long.parseLong(matcher.group(2)),
              Long.parseLong(matcher.group(3)),
              FileName.of(name)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
