package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestTest {

  private static final String SUM = "0123456789abcdef".repeat(4);

  @TempDir private Path temp;

  @Test
  void line_plainName_isAsSha256sumWritesIt() {
    assertThat(line("a b")).isEqualTo(SUM + "  a b\n");
    assertThat(line("*star")).isEqualTo(SUM + "  *star\n");
  }

  @Test
  void line_nameWithBackslashOrLineEnd_isEscapedAndSaysSo() {
    assertThat(line("a\\b")).isEqualTo("\\" + SUM + "  a\\\\b\n");
    assertThat(line("a\nb\r")).isEqualTo("\\" + SUM + "  a\\nb\\r\n");
  }

  @Test
  void line_dashAlone_doesNotMeanStandardInput() {
    assertThat(line("-")).isEqualTo(SUM + "  ./-\n");
    assertThat(line("-x")).isEqualTo(SUM + "  -x\n");
  }

  @Test
  void write_filesWithOddNames_passesTheCheckOfSha256sum() throws Exception {
    SourceFolder source = SourceFolder.of(Files.createDirectory(temp.resolve("source")));
    FileHasher hasher = new FileHasher(source, new LongAdder());
    SortedMap<FileName, HashedFile> files = new TreeMap<>();
    for (FileName name : Names.ODD) {
      Names.create(source, name);
      files.put(name, ((FileHasher.Outcome.Hashed) hasher.hash(name, () -> false)).file());
    }

    Manifest.write(temp.resolve("manifest.sha256"), files);

    String checked = Shell.run(source.path(), "sha256sum -c --strict ../manifest.sha256");
    assertThat(checked.split("\n"))
        .hasSize(Names.ODD.size())
        .allMatch(line -> line.endsWith(": OK"));
  }

  @Test
  void write_overAnEarlierOne_replacesItAndLeavesNothingElse() throws IOException {
    Path target = temp.resolve("manifest.sha256");
    Files.writeString(target, "earlier");
    Files.writeString(
        temp.resolve("manifest.sha256.tmp"), "torn by a crash, and longer than the new");
    SortedMap<FileName, HashedFile> files = new TreeMap<>();
    files.put(Names.of("a"), new HashedFile(SUM, 1, 2, Names.of("a")));

    Manifest.write(target, files);

    assertThat(target).hasContent(SUM + "  a\n");
    assertThat(temp.toFile().list()).containsExactly("manifest.sha256");
  }

  private static String line(String name) {
    byte[] line = Manifest.line(new HashedFile(SUM, 1, 2, Names.of(name)));
    return new String(line, StandardCharsets.UTF_8);
  }
}
