package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.StoreFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract of native libraries: where they are unpacked, and what is said when they cannot be. Each
 * store is in a process of its own.
 */
public abstract class NativeLibrariesContractTest {

  @TempDir protected Path outside;

  private final String scheme;
  private final String name;
  private final int libraryCount;
  private Path cache;
  private Path temporary;

  /**
   * Creates the tests of a store that unpacks {@code libraryCount} libraries, its own among them
   * called {@code name}.
   */
  protected NativeLibrariesContractTest(StoreFixture fixture, String name, int libraryCount) {
    this.scheme = fixture.factory().scheme();
    this.name = name;
    this.libraryCount = libraryCount;
  }

  @BeforeEach
  void createFolders() throws IOException {
    cache = Files.createDirectory(outside.resolve("cache"));
    temporary = Files.createDirectory(outside.resolve("temporary"));
  }

  @Test
  void load_manyProcessesKilled_leaveOneCopyEach() throws IOException {
    for (int i = 1; i <= 3; i++) {
      assertThat(open(List.of())).isEqualTo("used " + i);
    }

    assertThat(filesIn(temporary)).isEmpty();
    assertThat(filesIn(cache)).hasSize(libraryCount);
    Path libraries = cache.resolve("millrace/native");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(libraries)))
        .isEqualTo("rwx------");
  }

  @Test
  void load_unpackedLibraryIsDamaged_isReplaced() throws IOException {
    assertThat(open(List.of())).isEqualTo("used 1");
    for (Path library : filesIn(cache)) {
      Files.write(library, new byte[] {1, 2, 3});
    }

    assertThat(open(List.of())).isEqualTo("used 2");
  }

  @Test
  void load_oneByteOfTheUnpackedLibraryIsWrong_isReplaced() throws IOException {
    assertThat(open(List.of())).isEqualTo("used 1");
    List<byte[]> contents = new ArrayList<>();
    for (Path library : filesIn(cache)) {
      byte[] content = Files.readAllBytes(library);
      contents.add(content.clone());
      content[content.length - 1] ^= 1;
      Files.write(library, content);
    }

    assertThat(open(List.of())).isEqualTo("used 2");

    for (Path library : filesIn(cache)) {
      assertThat(Files.readAllBytes(library)).isEqualTo(contents.remove(0));
    }
  }

  @Test
  void load_temporaryFolderForbidsToExecute_works() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", temporary.toString());
    try {
      assertThat(open(List.of())).isEqualTo("used 1");
    } finally {
      Machine.run("umount", temporary.toString());
    }
  }

  @Test
  void load_twoClassLoadersOfOneProcess_bothUseTheirStores() throws IOException {
    String first = outside.resolve("store").toString();
    String second = outside.resolve("second").toString();

    assertThat(run(LoadersProcess.class, List.of(), Map.of(), scheme, first, second))
        .isEqualTo("used 1, used 1");

    assertThat(filesIn(cache)).hasSize(libraryCount);
  }

  @Test
  void load_cacheFolderCannotBeWritten_usesTheTemporaryFolder() throws IOException {
    Files.delete(cache);
    Files.createFile(cache);

    assertThat(open(List.of())).isEqualTo("used 1");
  }

  @Test
  void load_nothingMayBeExecuted_saysWhatToDo() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", cache.toString());
    try {
      assertThat(open(List.of()))
          .startsWith(name + "'s native library cannot be loaded on this platform (Linux ")
          .contains(cache.resolve("millrace/native").toString());
    } finally {
      Machine.run("umount", cache.toString());
    }
  }

  @Test
  void load_platformWithoutLibrary_saysWhatToDo() throws IOException {
    assertThat(open(List.of("-Dos.arch=s390x")))
        .startsWith(name + "'s native library cannot be loaded on this platform (Linux s390x)");
  }

  /** Opens our store in a new process. Returns what the process says. */
  protected final String open(List<String> flags) throws IOException {
    return open(flags, Map.of());
  }

  /** Opens our store in a new process with another environment. */
  protected final String open(List<String> flags, Map<String, String> environment)
      throws IOException {
    String folder = outside.resolve("store").toString();
    return run(OpenProcess.class, flags, environment, scheme, folder);
  }

  private String run(
      Class<?> program, List<String> flags, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = Machine.java();
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(flags);
    command.add(program.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    Machine.join(process);
    return said;
  }

  protected final List<Path> cachedFiles() throws IOException {
    return filesIn(cache);
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().contains("hsperfdata"))
          .toList();
    }
  }
}
