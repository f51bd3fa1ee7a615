package io.millrace.spi.testkit.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A file system of its own that, when its power is cut, forgets everything that it was not asked to
 * keep: a file mounted as a loop device.
 *
 * <p>A process that writes to it must be idle or frozen when the power is cut: a flush that is
 * under way just then may be answered as done although it is not.
 */
public final class FragileDisk implements AutoCloseable {

  /** File system with which the disk is formatted. */
  public enum Format {
    EXT4("256M"),
    XFS("320M");

    private final String size;

    Format(String size) {
      this.size = size;
    }

    private String command() {
      return "mkfs." + name().toLowerCase(Locale.ROOT);
    }
  }

  /** EXT4_IOC_SHUTDOWN, and XFS_IOC_GOINGDOWN, without flushing the journal. */
  private static final String CUT_POWER =
      "open(F,\"<\",$ARGV[0]) or die $!; my $f=pack(\"L\",2); ioctl(F,0x8004587d,$f) or die $!";

  /** sync_file_range on some of the pages of each file: waits for what it starts. */
  private static final String WRITE_SOME_PAGES =
      "srand(shift @ARGV); for my $n (@ARGV) { open(F,\"+<\",$n) or next;"
          + " for (my $p=0;$p<(-s F)/4096;$p++) {"
          + " syscall(277,fileno(F),$p*4096,4096,7) if rand()<0.5 } close(F) }";

  private final Path image;
  private final Path folder;
  private boolean isMounted;

  private FragileDisk(Path image, Path folder) {
    this.image = image;
    this.folder = folder;
  }

  /** Skips the test loudly where such a disk cannot be had; with CI=true it fails instead. */
  public static void require(Format format) {
    Machine.require("mount", "umount", "perl", format.command());
  }

  /** Makes an empty disk in a folder that is created. */
  public static FragileDisk create(Format format, Path outside) throws IOException {
    Path image = Files.createDirectories(outside).resolve("image");
    FragileDisk disk = new FragileDisk(image, Files.createDirectory(outside.resolve("mount")));
    Machine.run("truncate", "-s", format.size, image.toString());
    Machine.run(format.command(), "-q", image.toString());
    disk.mount();
    return disk;
  }

  /** Returns the folder where the disk is mounted. */
  public Path folder() {
    return folder;
  }

  /**
   * Writes some of the files' dirty pages to the disk, chosen at random, as the system may do at
   * any time. On return they are there; the file system's own journal need not know.
   */
  public void writeSomePages(List<Path> files, long seed) throws IOException {
    List<String> command = new ArrayList<>(List.of("perl", "-e", WRITE_SOME_PAGES));
    command.add(Long.toString(seed & 0x7FFFFFFF));
    files.forEach(file -> command.add(file.toString()));
    Machine.run(command.toArray(String[]::new));
  }

  /** Cuts the power: from then on nothing reaches the disk. */
  public void cutPower() throws IOException {
    Machine.run("perl", "-e", CUT_POWER, folder.toString());
  }

  /** Mounts what is left, once no process uses it any more. */
  public void powerUp() throws IOException {
    unmount();
    mount();
  }

  private void mount() throws IOException {
    Machine.run("mount", "-o", "loop", image.toString(), folder.toString());
    isMounted = true;
  }

  private void unmount() throws IOException {
    if (isMounted) {
      Machine.run("umount", folder.toString());
      isMounted = false;
    }
  }

  @Override
  public void close() throws IOException {
    unmount();
  }
}
