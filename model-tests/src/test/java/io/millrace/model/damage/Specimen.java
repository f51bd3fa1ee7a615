package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.rig.StoreLocation;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A sound store on disk, of which copies are made to be damaged.
 *
 * @param folder the store's
 * @param jobs the list of what is in it
 */
record Specimen(String scheme, Path folder, Path jobs) {

  /** Space that the store keeps free, and that it can do without. */
  private static final String RESERVE = "RESERVE";

  /** Has a process fill a store in the parent folder and leave it. */
  static Specimen make(Path parent, String scheme, Contents.Stop stop, int rounds)
      throws IOException {
    Path folder = parent.resolve(StoreLocation.folderName(scheme) + "-" + stop);
    Path jobs = folder.resolveSibling(folder.getFileName() + ".jobs");
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(
        List.of(
            Contents.class.getName(),
            StoreLocation.of(scheme, folder),
            jobs.toString(),
            stop.name()));
    command.add(Integer.toString(rounds));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(Machine.join(process)).isZero();
    return new Specimen(scheme, folder, jobs);
  }

  /** Where a copy of the store lies that is older by an opening. */
  static Path older(Path folder) {
    return folder.resolveSibling(folder.getFileName() + "-older");
  }

  /** Puts a copy in place of whatever is at the target; answers its location. */
  String copyTo(Path target) throws IOException {
    delete(target);
    copy(folder, target);
    return StoreLocation.of(scheme, target);
  }

  /** Copies a store, over what is at the target. */
  static void copy(Path from, Path target) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Path copy = target.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else if (!path.endsWith(RESERVE)) {
          copyFile(path, copy);
        }
      }
    }
  }

  /** Files of a store, by name. */
  static List<Path> files(Path store) throws IOException {
    try (Stream<Path> paths = Files.walk(store)) {
      return paths
          .filter(path -> Files.isRegularFile(path) && !path.endsWith(RESERVE))
          .sorted()
          .toList();
    }
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> paths = Files.walk(folder)) {
        List<Path> deepestFirst = new ArrayList<>(paths.toList());
        Collections.reverse(deepestFirst);
        for (Path path : deepestFirst) {
          Files.delete(path);
        }
      }
    }
  }

  /** Leaves out the zeros at the end: a file may be much longer than what is in it. */
  private static void copyFile(Path from, Path to) throws IOException {
    try (RandomAccessFile copy = new RandomAccessFile(to.toFile(), "rw")) {
      byte[] bytes = Files.readAllBytes(from);
      copy.write(Arrays.copyOf(bytes, BitRot.usedBytes(bytes)));
      copy.setLength(bytes.length);
    }
  }
}
