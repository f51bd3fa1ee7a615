package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/** Which rows of a {@link Table}: those whose keys, as bytes, are within it. Immutable. */
public sealed interface TableRange<K> {

  /** All rows. */
  static <K> TableRange<K> all() {
    return new Between<>(Optional.empty(), Optional.empty());
  }

  /** From the key on. */
  static <K> TableRange<K> from(K fromInclusive) {
    return new Between<>(one("from", fromInclusive), Optional.empty());
  }

  /** All before the key. */
  static <K> TableRange<K> before(K toExclusive) {
    return new Between<>(Optional.empty(), one("to", toExclusive));
  }

  /** From the first key on, up to but without the second; none if that is not above the first. */
  static <K> TableRange<K> between(K fromInclusive, K toExclusive) {
    return new Between<>(one("from", fromInclusive), one("to", toExclusive));
  }

  /** Those whose keys begin with the bytes of this one, that one included. */
  static <K> TableRange<K> prefix(K prefix) {
    return new Prefix<>(prefix);
  }

  private static <K> Optional<K> one(String parameter, K key) {
    return Optional.of(Objects.requireNonNull(key, parameter));
  }

  /**
   * From one key to another.
   *
   * @param from the first key that may be within; empty if nothing is before the range
   * @param to the first key behind it; empty if nothing is
   */
  record Between<K>(Optional<K> from, Optional<K> to) implements TableRange<K> {
    public Between {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }
  }

  /**
   * Keys that begin alike.
   *
   * @param prefix how they begin
   */
  record Prefix<K>(K prefix) implements TableRange<K> {
    public Prefix {
      Objects.requireNonNull(prefix, "prefix");
    }
  }
}
