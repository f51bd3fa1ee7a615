package io.millrace.cli.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;

/** The result of the demo: one line for each file, in the format of {@code sha256sum}. */
final class Manifest {

  private Manifest() {}

  /** Writes the files in their order, in place of what was there. */
  static void write(Path target, SortedMap<FileName, HashedFile> files) throws IOException {
    AtomicFile.write(
        target,
        out -> {
          for (HashedFile file : files.values()) {
            out.write(line(file));
          }
        });
  }

  static byte[] line(HashedFile file) {
    byte[] name = file.name().bytes();
    byte[] escaped = EscapedName.escape(name);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    if (escaped.length != name.length) {
      line.write('\\'); // says that the name on this line is escaped
    }
    line.writeBytes((file.sha256() + "  ").getBytes(StandardCharsets.US_ASCII));
    if (Arrays.equals(name, new byte[] {'-'})) {
      line.writeBytes(new byte[] {'.', '/'}); // a dash alone would mean standard input
    }
    line.writeBytes(escaped);
    line.write('\n');
    return line.toByteArray();
  }
}
