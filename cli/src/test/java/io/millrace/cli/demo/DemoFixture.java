package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.Shell;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A folder full of odd files, and a demo's folder beside it. */
final class DemoFixture {

  final Path source;
  final Path dir;

  private DemoFixture(Path source, Path dir) {
    this.source = source;
    this.dir = dir;
  }

  static DemoFixture in(Path temp) throws IOException {
    Path source = Files.createDirectory(temp.resolve("source of files"));
    return new DemoFixture(source, temp.resolve("demo's"));
  }

  /**
   * Creates files of odd names, and of sizes around every border, some of them larger than a batch.
   */
  void createFiles(int count) throws IOException {
    Names.createAll(source);
    Random random = new Random(count);
    int[] sizes = {0, 1, 4_095, 65_535, 65_536, 65_537, 1 << 20};
    for (int i = 0; i < count; i++) {
      Path folder = Files.createDirectories(source.resolve("many/" + i % 17));
      byte[] content = new byte[i % 50 == 0 ? sizes[i / 50 % sizes.length] : random.nextInt(2_000)];
      random.nextBytes(content);
      Files.write(folder.resolve("file-" + i), content);
    }
    Files.write(source.resolve("large"), new byte[20 << 20]);
  }

  /** Creates a file that takes a while to hash, though it takes no room. */
  Path createHugeFile() throws IOException {
    Path huge = source.resolve("huge");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(100L << 30);
    }
    return huge;
  }

  CommandRun run(String... options) {
    List<String> args =
        new ArrayList<>(List.of("demo", source.toString(), "--dir", dir.toString()));
    args.addAll(Arrays.asList(options));
    return CommandRun.of(args.toArray(String[]::new));
  }

  Path store() {
    return dir.resolve("store");
  }

  Path manifest() {
    return dir.resolve("manifest.sha256");
  }

  /**
   * The sum tool itself finds every file as the manifest says, and the manifest names every file
   * once.
   */
  void assertManifestIsRight() throws Exception {
    Shell.run(source, "sha256sum -c --strict --quiet " + quoted(manifest()));
    // sha256sum writes the names as the manifest does, so the two must be the same lines.
    String expected =
        Shell.run(
            source,
            "find . -type f -print0 | sed -z 's,^\\./,,; s,^-$,./-,' | xargs -0 -r sha256sum --"
                + " | LC_ALL=C sort");
    String found = Shell.run(source, "LC_ALL=C sort " + quoted(manifest()));
    assertThat(found).isEqualTo(expected);
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }
}
