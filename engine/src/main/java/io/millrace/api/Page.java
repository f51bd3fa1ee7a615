package io.millrace.api;

import java.util.List;
import java.util.Optional;

/**
 * Some of many, in order.
 *
 * @param items at most as many as were asked for; fewer, even none, does not mean the end
 * @param next where the next page begins; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
  }
}
