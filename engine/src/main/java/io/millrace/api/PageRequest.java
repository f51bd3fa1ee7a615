package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/**
 * Which part of many to show. Pages go by key: what is removed or added elsewhere moves nothing
 * between pages.
 *
 * @param size the most items, 1 to {@value Limits#PAGE_SIZE_MAX}
 * @param cursor where to begin, from {@link Page#next()} of the same question; empty for the
 *     beginning
 */
public record PageRequest(int size, Optional<String> cursor) {

  public PageRequest {
    Limits.inRange("size", size, 1, Limits.PAGE_SIZE_MAX);
    Objects.requireNonNull(cursor, "cursor");
  }

  /** The first page. */
  public static PageRequest first(int size) {
    return new PageRequest(size, Optional.empty());
  }

  /** The page that begins at the cursor. */
  public static PageRequest after(String cursor, int size) {
    return new PageRequest(size, Optional.of(cursor));
  }
}
