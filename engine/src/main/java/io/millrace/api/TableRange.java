package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/** A range of rows of a {@link Table}, given by the bytes of their keys. Immutable. */
public sealed interface TableRange<K> {

  /** Returns the range of all rows. */
  static <K> TableRange<K> all() {
    return new Between<>(Optional.empty(), Optional.empty());
  }

  /** Returns the range of all rows from this key on. */
  static <K> TableRange<K> from(K fromInclusive) {
    return new Between<>(one("from", fromInclusive), Optional.empty());
  }

  /** Returns the range of all rows before this key. */
  static <K> TableRange<K> before(K toExclusive) {
    return new Between<>(Optional.empty(), one("to", toExclusive));
  }

  /**
   * Returns the range of the rows from the first key up to the second, which is excluded. It is
   * empty if the second key is not above the first.
   */
  static <K> TableRange<K> between(K fromInclusive, K toExclusive) {
    return new Between<>(one("from", fromInclusive), one("to", toExclusive));
  }

  /**
   * Returns the range of the rows whose keys begin with the bytes of this one, including this key
   * itself.
   */
  static <K> TableRange<K> prefix(K prefix) {
    return new Prefix<>(prefix);
  }

  private static <K> Optional<K> one(String parameter, K key) {
    return Optional.of(Objects.requireNonNull(key, parameter));
  }

  /**
   * A range of the rows from one key to another.
   *
   * @param from the first key of the range; empty if the range begins with the first row
   * @param to the first key behind the range; empty if the range ends with the last row
   */
  record Between<K>(Optional<K> from, Optional<K> to) implements TableRange<K> {
    public Between {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }
  }

  /**
   * A range of the rows whose keys have a common prefix.
   *
   * @param prefix the key whose bytes the others begin with
   */
  record Prefix<K>(K prefix) implements TableRange<K> {
    public Prefix {
      Objects.requireNonNull(prefix, "prefix");
    }
  }
}
