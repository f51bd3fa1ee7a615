package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.OpenProcess;
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
 * Where the native libraries are unpacked and what is said when they cannot be; each in a process
 * of its own.
 */
class NativeLibrariesTest {

  @TempDir Path outside;
  private Path cache;
  private Path temporary;

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
    assertThat(filesIn(cache)).hasSize(2);
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
          .startsWith("LMDB's native library cannot be loaded on this platform (Linux ")
          .contains(cache.resolve("millrace/native").toString());
    } finally {
      Machine.run("umount", cache.toString());
    }
  }

  @Test
  void load_platformWithoutLibrary_saysWhatToDo() throws IOException {
    assertThat(open(List.of("-Dos.arch=s390x")))
        .startsWith("LMDB's native library cannot be loaded on this platform (Linux s390x)");
  }

  @Test
  void load_userNamedAnExtractFolder_isLeftAlone() throws IOException {
    Path own = Files.createDirectory(outside.resolve("own"));

    assertThat(open(List.of("-Dlmdbjava.extract.dir=" + own, "-Djffi.extract.dir=" + own)))
        .isEqualTo("used 1");

    assertThat(filesIn(cache)).isEmpty();
  }

  @Test
  void load_unsafeMemoryAccessDenied_works() throws IOException {
    List<String> flags = new ArrayList<>(List.of("-Djffi.unsafe.disabled=true"));
    if (Machine.isNativeAccessAsked()) {
      flags.add("--sun-misc-unsafe-memory-access=deny");
      flags.add("--illegal-native-access=deny");
    }

    assertThat(open(flags)).isEqualTo("used 1");
  }

  /** What a process says that opens our store. */
  private String open(List<String> flags) throws IOException {
    List<String> command = Machine.java();
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(flags);
    command.addAll(
        List.of(
            OpenProcess.class.getName(),
            LmdbStoreFactory.SCHEME,
            outside.resolve("store").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(Map.of("XDG_CACHE_HOME", cache.toString()));
    Process process = builder.start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    Machine.join(process);
    return said;
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
