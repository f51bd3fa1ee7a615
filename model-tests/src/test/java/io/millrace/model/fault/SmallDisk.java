package io.millrace.model.fault;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that is soon full, and that somebody else may fill. Unmounted when it is closed. */
final class SmallDisk implements AutoCloseable {

  private static final byte[] STEP = new byte[64 << 10];

  private final Path mount;
  private final Path foreign;

  private SmallDisk(Path mount) {
    this.mount = mount;
    this.foreign = mount.resolve("foreign");
  }

  /** The kinds of disk: one in memory, and a journaled one in a file. */
  enum Kind {
    TMPFS,
    EXT4
  }

  static SmallDisk mount(Kind kind, Path folder, int megabytes) throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = Files.createDirectory(folder.resolve("disk"));
    String size = megabytes + "m";
    if (kind == Kind.TMPFS) {
      Machine.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", mount.toString());
    } else {
      String file = folder.resolve("disk.ext4").toString();
      Machine.run("truncate", "-s", size, file);
      Machine.run("mkfs.ext4", "-q", file);
      Machine.run("mount", "-o", "loop", file, mount.toString());
    }
    return new SmallDisk(mount);
  }

  Path folder() {
    return mount.resolve("store");
  }

  /** Takes all the room that there is. */
  void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(foreign)) {
      while (true) {
        out.write(STEP);
      }
    } catch (IOException full) {
      if (Files.size(foreign) < STEP.length) {
        throw full;
      }
    }
  }

  /** Gives back what was taken. */
  void makeRoom() throws IOException {
    Files.delete(foreign);
  }

  @Override
  public void close() throws IOException {
    Machine.run("umount", mount.toString());
  }
}
