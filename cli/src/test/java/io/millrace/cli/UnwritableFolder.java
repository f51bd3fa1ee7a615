package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.cli.demo.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A folder that nobody in this process can write to for a while. */
final class UnwritableFolder {

  private UnwritableFolder() {}

  /** Does something while the right to write is taken away; root gets a mount for reading only. */
  static <T> T during(Path folder, Supplier<T> action) throws Exception {
    Shell.run(folder, "chmod -R a-w .");
    try {
      return Files.isWritable(folder) ? duringMount(folder, action) : action.get();
    } finally {
      Shell.run(folder, "chmod -R u+w .");
    }
  }

  private static <T> T duringMount(Path folder, Supplier<T> action) throws Exception {
    Path parent = folder.resolveSibling("");
    try {
      Shell.run(parent, "mount --bind '%1$s' '%1$s'".formatted(folder));
    } catch (IOException e) {
      assertThat(System.getenv("CI")).as("on CI nothing is skipped: " + e).isNotEqualTo("true");
      assumeTrue(false, "SKIPPED, root without the right to mount: " + e);
    }
    try {
      Shell.run(parent, "mount -o remount,ro,bind '%s'".formatted(folder));
      return action.get();
    } finally {
      Shell.run(parent, "umount '%s'".formatted(folder));
    }
  }
}
