package io.millrace.spi.testkit.fault;

import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import io.millrace.spi.testkit.fault.SystemCallTrace.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A file as the disk may have it when the power goes: with all that was flushed, and some of what
 * was not.
 */
public final class CrashFile {

  /** Changes since the last flush that reached the disk. */
  public enum Survivors {
    NONE,
    ALL,
    SOME_WRITES,
    SOME_PAGES,
    TORN_PAGES
  }

  private static final int PAGE_BYTES = 4_096;
  private static final int SECTOR_BYTES = 512;

  private final Image durable = new Image();
  private final List<Event> pending = new ArrayList<>();

  public void apply(Event event) {
    if (event.kind() == Kind.FLUSH) {
      pending.forEach(durable::apply);
      pending.clear();
    } else {
      pending.add(event);
    }
  }

  /** Writes to a file one state in which the disk may be. */
  public void writeTo(Path path, Survivors survivors, Random random) throws IOException {
    Image image = durable.copy();
    for (Event event : pending) {
      switch (survivors) {
        case NONE -> {}
        case ALL -> image.apply(event);
        case SOME_WRITES -> {
          if (random.nextBoolean()) {
            image.apply(event);
          }
        }
        case SOME_PAGES, TORN_PAGES -> applySome(image, event, survivors, random);
      }
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(image.bytes);
      file.setLength(image.length);
    }
  }

  private static void applySome(Image image, Event event, Survivors survivors, Random random) {
    if (event.kind() == Kind.LENGTH) {
      if (random.nextBoolean()) {
        image.apply(event);
      }
      return;
    }
    for (int from = 0; from < event.bytes().length; ) {
      long offset = event.offset() + from;
      int page = (int) Math.min(PAGE_BYTES - offset % PAGE_BYTES, event.bytes().length - from);
      int kept = random.nextBoolean() ? page : 0;
      if (survivors == Survivors.TORN_PAGES && random.nextInt(3) == 0) {
        kept = Math.min(page, SECTOR_BYTES * random.nextInt(PAGE_BYTES / SECTOR_BYTES));
        // A sector is written whole or not at all, and a small write may start inside one.
        kept = offset % SECTOR_BYTES == 0 || kept == page ? kept : 0;
      }
      byte[] piece = Arrays.copyOfRange(event.bytes(), from, from + kept);
      if (kept > 0) {
        image.apply(new Event(event.file(), Kind.WRITE, offset, piece, -1));
      }
      from += page;
    }
  }

  /** Content of a file; what lies between the bytes held and the length is zero. */
  private static final class Image {
    private byte[] bytes = {};
    private long length;

    void apply(Event event) {
      if (event.kind() == Kind.LENGTH) {
        length = event.length();
        bytes = Arrays.copyOf(bytes, (int) Math.min(bytes.length, length));
        return;
      }
      int end = Math.toIntExact(event.offset() + event.bytes().length);
      if (bytes.length < end) {
        bytes = Arrays.copyOf(bytes, end);
      }
      System.arraycopy(
          event.bytes(), 0, bytes, Math.toIntExact(event.offset()), event.bytes().length);
      length = Math.max(length, end);
    }

    Image copy() {
      Image copy = new Image();
      copy.bytes = bytes.clone();
      copy.length = length;
      return copy;
    }
  }
}
