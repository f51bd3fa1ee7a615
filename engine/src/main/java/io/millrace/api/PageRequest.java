package io.millrace.api;

import io.millrace.options.Checks;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of a longer list that is to be shown. Pages are found by key, so that items removed or
 * added elsewhere do not shift them.
 *
 * @param size the most items, 1 to {@value Limits#PAGE_SIZE_MAX}
 * @param cursor the beginning of the page, from {@link Page#next()} of the same query; empty for
 *     the first page
 */
public record PageRequest(int size, Optional<String> cursor) {

  /**
   * Creates a request.
   *
   * @throws IllegalArgumentException the size is out of its range
   */
  public PageRequest {
    Checks.inRange("size", size, 1, Limits.PAGE_SIZE_MAX);
    Objects.requireNonNull(cursor, "cursor");
  }

  /**
   * Returns a request for the first page.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value
   *     Limits#PAGE_SIZE_MAX}
   */
  public static PageRequest first(int size) {
    return new PageRequest(size, Optional.empty());
  }

  /**
   * Returns a request for the page that begins at the cursor.
   *
   * @throws IllegalArgumentException the size is not from 1 to {@value Limits#PAGE_SIZE_MAX}. A
   *     cursor of another query is refused by the query
   */
  public static PageRequest after(String cursor, int size) {
    return new PageRequest(size, Optional.of(cursor));
  }
}
