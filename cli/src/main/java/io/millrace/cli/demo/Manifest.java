package io.millrace.cli.demo;

import io.millrace.api.JobQueues;
import io.millrace.api.Page;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The result of the demo: one line for each file, in the format of {@code sha256sum}. */
final class Manifest {

  private Manifest() {}

  /**
   * Writes the sums of the files that are there and could be read, in place of an older manifest,
   * and returns them.
   */
  static Collection<HashedFile> write(Path target, SourceFolder source, JobQueues queues)
      throws IOException {
    Table<String, String> sums = HashedFile.table(queues);
    Set<String> deadNames = Scan.deadNames(queues);
    SortedMap<String, HashedFile> files = new TreeMap<>();
    Page.stream(page -> sums.scan(TableRange.all(), page))
        .map(TableRow::value)
        .map(HashedFile::parse)
        .forEach(file -> files.put(file.name(), file));
    files.keySet().removeIf(name -> isGone(source.pathOf(name)) || deadNames.contains(name));
    write(target, files.values());
    return files.values();
  }

  private static boolean isGone(Path file) {
    return !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Writes the manifest under another name first: a reader sees it whole, or the one before. */
  static void write(Path target, Iterable<HashedFile> files) throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + ".tmp");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
      for (HashedFile file : files) {
        out.write(file.manifestLine());
      }
    }
    Files.move(
        unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
