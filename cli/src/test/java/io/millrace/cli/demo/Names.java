package io.millrace.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** File names for tests, among them the awkward ones. */
final class Names {

  /** The bytes of names that trip up those who take a name for text, or a line for a name. */
  static final List<byte[]> ODD =
      List.of(
          of("-"),
          of("-rf"),
          of("#comment"),
          of("*star"),
          of(" lead"),
          of("trail "),
          of("two  spaces"),
          of("100%41"),
          of("quo'te\"s"),
          of("back\\slash"),
          of("line\nfeed"),
          of("carriage\rreturn"),
          of("ends with cr\r"),
          of("\\n"),
          of("tab\t\u001b[31m"),
          of("grüße/漢字/😀"),
          new byte[] {'n', 'o', 't', (byte) 0xff, (byte) 0xc3, '.', 't', 'x', 't'},
          new byte[] {(byte) 0xe4, '/', (byte) 0xf6},
          of("empty"),
          of("deep/er/and/deeper"));

  private Names() {}

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The name of these bytes, as a {@link SourceFolder} has it. */
  static String escaped(byte[] name) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : name) {
      boolean isPlain = Character.isLetterOrDigit(b) || b == '/' || b == '-' || b == '.';
      escaped.append(isPlain ? String.valueOf((char) b) : String.format("%%%02X", b));
    }
    return escaped.toString();
  }

  /** Creates a file of each of the odd names in the folder. */
  static void createAll(Path folder) throws IOException {
    SourceFolder source = SourceFolder.of(folder);
    for (byte[] name : ODD) {
      create(source, name);
    }
  }

  /** Creates a file whose content is its own name. */
  static Path create(SourceFolder source, byte[] name) throws IOException {
    Path path = source.pathOf(escaped(name));
    Files.createDirectories(path.getParent());
    return Files.write(path, Arrays.equals(name, of("empty")) ? new byte[0] : name);
  }
}
