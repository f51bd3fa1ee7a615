package io.millrace.cli.demo;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * All that is below a folder, in the order of {@link FileName}: the same order each time, so that a
 * later walk can begin where an earlier one was killed. Follows no symbolic links, so it cannot run
 * in circles. Holds no resources between calls. Not safe for use by several threads.
 */
final class FolderWalk implements Iterator<Found> {

  private final SourceFolder source;
  private final Path excludedFolder;
  private final Optional<FileName> after;
  private final Deque<Iterator<FileName>> levels = new ArrayDeque<>();
  private @Nullable Found next;

  /**
   * A walk over what comes after a name, or over everything.
   *
   * @param excludedFolder a folder that is passed over with all that is in it
   */
  FolderWalk(SourceFolder source, Path excludedFolder, Optional<FileName> after) {
    this.source = source;
    this.excludedFolder = excludedFolder;
    this.after = after;
    levels.push(List.of(FileName.ROOT).iterator());
  }

  @Override
  public boolean hasNext() {
    while (next == null && !levels.isEmpty()) {
      if (levels.element().hasNext()) {
        next = look(levels.element().next());
      } else {
        levels.pop();
      }
    }
    return next != null;
  }

  @Override
  public Found next() {
    Found found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException("the walk has ended: folder=" + source);
    }
    next = null;
    return found;
  }

  /**
   * What the name stands for; null if it is not to be told: a readable folder, passed already, or
   * gone again.
   */
  private @Nullable Found look(FileName name) {
    boolean isPassed = after.isPresent() && name.compareTo(after.get()) <= 0;
    if (isPassed && !after.get().equals(name) && !after.get().isBelow(name)) {
      return null;
    }
    Path path = source.pathOf(name);
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        if (!path.equals(excludedFolder)) {
          levels.push(list(path).iterator());
        }
        return null;
      }
      return isPassed ? null : describe(name, attributes);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      return isPassed ? null : Found.of(Found.Kind.UNREADABLE, name);
    }
  }

  private static Found describe(FileName name, BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return Found.of(Found.Kind.LINK, name);
    }
    if (!attributes.isRegularFile()) {
      return Found.of(Found.Kind.SPECIAL, name);
    }
    long modifiedNs = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    return new Found(Found.Kind.FILE, name, attributes.size(), modifiedNs);
  }

  private List<FileName> list(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return StreamSupport.stream(entries.spliterator(), false)
          .map(source::nameOf)
          .sorted()
          .toList();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
