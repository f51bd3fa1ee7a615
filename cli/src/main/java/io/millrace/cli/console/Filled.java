package io.millrace.cli.console;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Pages that are put together of smaller ones, since an engine tells other processes of few items
 * at a time.
 */
final class Filled {

  /** The bytes of its items with which a page ends, so that none takes gigabytes. */
  private static final long BYTES_MAX = 8 << 20;

  /** The time after which a page ends: a filter that few jobs meet is looked at for longer. */
  private static final Duration LENGTH_MAX = Duration.ofMillis(800);

  private Filled() {}

  /**
   * Returns a page of items that are small, and found at once: it is full unless it is the last.
   */
  static <T> Page<T> small(PageRequest asked, Function<PageRequest, Page<T>> parts) {
    return page(asked, Long.MAX_VALUE, item -> 0, parts);
  }

  /** Returns a page that may be shorter than was asked for, though it is not the last. */
  static <T> Page<T> large(
      PageRequest asked, ToLongFunction<T> bytes, Function<PageRequest, Page<T>> parts) {
    return page(asked, System.nanoTime() + LENGTH_MAX.toNanos(), bytes, parts);
  }

  private static <T> Page<T> page(
      PageRequest asked,
      long endNs,
      ToLongFunction<T> bytes,
      Function<PageRequest, Page<T>> parts) {
    List<T> items = new ArrayList<>();
    Optional<String> next = asked.cursor();
    long left = BYTES_MAX;
    do {
      try {
        Page<T> part = parts.apply(new PageRequest(asked.size() - items.size(), next));
        items.addAll(part.items());
        next = part.next();
        left -= part.items().stream().mapToLong(bytes).sum();
      } catch (CorruptDataException e) {
        if (items.isEmpty()) {
          throw e;
        }
        return new Page<>(items, next); // the next page begins with the damage, and tells it
      }
    } while (next.isPresent()
        && items.size() < asked.size()
        && left > 0
        && (endNs == Long.MAX_VALUE || System.nanoTime() - endNs < 0));
    return new Page<>(items, next);
  }
}
