package io.millrace.api;

import java.util.Objects;

/**
 * A row of a {@link Table}.
 *
 * @param key the row's key
 * @param value the row's value
 */
public record TableRow<K, V>(K key, V value) {

  public TableRow {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }
}
