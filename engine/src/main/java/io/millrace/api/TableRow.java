package io.millrace.api;

import java.util.Objects;

/**
 * A row of a {@link Table}.
 *
 * @param key what it is found by
 * @param value what it holds
 */
public record TableRow<K, V>(K key, V value) {

  public TableRow {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }
}
