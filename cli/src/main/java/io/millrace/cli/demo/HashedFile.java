package io.millrace.cli.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.Table;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file's sum, and the state of the file by which it was made.
 *
 * @param name the name as {@link SourceFolder} has it
 * @param sizeBytes how many bytes were read
 * @param modifiedNs when the file had last been changed, in nanoseconds since 1970
 * @param sha256 64 hexadecimal digits, lower case
 */
record HashedFile(String name, long sizeBytes, long modifiedNs, String sha256) {

  /** Returns the table of the sums of all files, by {@link #key}. */
  static Table<String, String> table(JobQueues queues) {
    return queues.table("sums", Codec.TEXT, Codec.TEXT);
  }

  /** Returns the key of a file's row, and of its job: a name may be longer than either can be. */
  static String key(String name) {
    return HexFormat.of().formatHex(newSha256().digest(name.getBytes(US_ASCII)));
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Reads a row. */
  static HashedFile parse(String row) {
    String[] parts = row.split(" ", 4);
    return new HashedFile(parts[3], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[0]);
  }

  /** Tells whether the other is of the same size, and was changed at the same time. */
  boolean isOfSameState(HashedFile other) {
    return sizeBytes == other.sizeBytes && modifiedNs == other.modifiedNs;
  }

  String row() {
    return sha256 + " " + sizeBytes + " " + modifiedNs + " " + name;
  }

  /** Returns the file as a line of {@code sha256sum}, which escapes backslashes and line ends. */
  byte[] manifestLine() {
    byte[] bytes = SourceFolder.bytes(name);
    ByteArrayOutputStream escaped = new ByteArrayOutputStream(bytes.length + 8);
    for (byte b : bytes) {
      switch (b) {
        case '\\' -> escaped.writeBytes("\\\\".getBytes(US_ASCII));
        case '\n' -> escaped.writeBytes("\\n".getBytes(US_ASCII));
        case '\r' -> escaped.writeBytes("\\r".getBytes(US_ASCII));
        default -> escaped.write(b);
      }
    }
    String mark = escaped.size() == bytes.length ? "" : "\\"; // the name on this line is escaped
    String dash = name.equals("-") ? "./" : ""; // a dash alone would mean standard input
    ByteArrayOutputStream line = new ByteArrayOutputStream(100 + escaped.size());
    line.writeBytes((mark + sha256 + "  " + dash).getBytes(US_ASCII));
    line.writeBytes(escaped.toByteArray());
    line.write('\n');
    return line.toByteArray();
  }
}
