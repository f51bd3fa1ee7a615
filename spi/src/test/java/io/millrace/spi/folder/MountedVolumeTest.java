package io.millrace.spi.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are another user's, as containers are given them. */
class MountedVolumeTest {

  private static final List<String> AS_USER =
      List.of("setpriv", "--reuid=1000", "--regid=2000", "--clear-groups");

  @TempDir Path parent;

  @Test
  void open_folderIsRootsAndOursByItsGroup_worksAndLeavesItAsItIs() throws Exception {
    Path store = volume("rwxrwxr-x");

    assertThat(holdAsUser(store)).isEqualTo("holding " + store);
    assertThat(holdAsUser(store)).as("again").isEqualTo("holding " + store);

    assertThat(mode(store)).isEqualTo("rwxrwxr-x");
    assertThat(FolderFiles.isOpenToOthers(store)).isTrue();
    for (String file : List.of("LOCK", "OWNER", "MILLRACE", "WATERMARK")) {
      assertThat(mode(store.resolve(file))).as(file).isEqualTo("rw-------");
      assertThat(Files.getAttribute(store.resolve(file), "unix:uid")).isEqualTo(1000);
    }
  }

  @Test
  void open_folderIsRootsAlone_isRefusedInASentence() throws Exception {
    Path store = volume("rwxr-xr-x");

    assertThat(holdAsUser(store)).contains("store folder is not writable: folder=" + store);
  }

  private Path volume(String mode) throws Exception {
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    requireRoot();
    Path store = Files.createDirectory(parent.resolve("volume"));
    Files.setAttribute(store, "unix:gid", 2000);
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString(mode));
    return store;
  }

  /** Skips the test loudly without the right to be another user; with CI=true it fails instead. */
  private void requireRoot() throws Exception {
    List<String> command = new ArrayList<>(AS_USER);
    command.addAll(List.of("test", "-r", copied(classes()).resolve("io").toString()));
    boolean isRoot = Integer.valueOf(0).equals(Files.getAttribute(parent, "unix:uid"));
    if (!isRoot || !succeeds(command)) {
      String message = "SKIPPED, not verified here: no right to be another user";
      assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
      System.err.println(message);
      Assumptions.abort(message);
    }
  }

  private static boolean succeeds(List<String> command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** What a process of another user says that opens the folder and is killed. */
  private String holdAsUser(Path store) throws Exception {
    List<String> command = new ArrayList<>(AS_USER);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    Path tests = classes().resolveSibling("test-classes");
    command.add(copied(classes()) + File.pathSeparator + copied(tests));
    command.addAll(List.of(FolderHolder.class.getName(), store.toString()));
    Process holder = new ProcessBuilder(command).redirectErrorStream(true).start();
    holder.getOutputStream().close();
    String said =
        new String(holder.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  /** Where another user can read it, who may not look into the folder of the build. */
  private Path copied(Path from) throws IOException {
    Path to = parent.resolve(from.getFileName());
    if (!Files.exists(to)) {
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.toList()) {
          Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
      }
    }
    return to;
  }

  private static Path classes() throws Exception {
    return Path.of(StoreFolder.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
