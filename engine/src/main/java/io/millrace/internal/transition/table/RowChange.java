package io.millrace.internal.transition.table;

import io.millrace.api.Limits;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of one row of a user's table.
 *
 * @param key the user's key; nobody may change it
 * @param value what it is to hold; null deletes it
 * @param condition when
 * @param expected what it must hold under {@link Condition#HOLDS}
 */
public record RowChange(
    byte[] key, byte @Nullable [] value, Condition condition, byte @Nullable [] expected) {

  /** When the change is made. */
  public enum Condition {
    /** In any case. */
    ANY,
    /** If there is no row. */
    ABSENT,
    /** If there is a row, and it holds what is expected. */
    HOLDS
  }

  public RowChange {
    Limits.tableKey(key);
    if (value != null) {
      Limits.tableValue(value);
    }
    if (condition == Condition.HOLDS) {
      Objects.requireNonNull(expected, "expected");
    }
  }

  public static RowChange put(byte[] key, byte[] value) {
    return new RowChange(key, Limits.tableValue(value), Condition.ANY, null);
  }

  public static RowChange delete(byte[] key) {
    return new RowChange(key, null, Condition.ANY, null);
  }

  public static RowChange putIfAbsent(byte[] key, byte[] value) {
    return new RowChange(key, Limits.tableValue(value), Condition.ABSENT, null);
  }

  public static RowChange replace(byte[] key, byte[] expected, byte[] value) {
    return new RowChange(key, Limits.tableValue(value), Condition.HOLDS, expected);
  }

  public static RowChange deleteIf(byte[] key, byte[] expected) {
    return new RowChange(key, null, Condition.HOLDS, expected);
  }

  /** Whether a row that holds this, or none if it is null, is as the condition says. */
  boolean isMet(byte @Nullable [] found) {
    return switch (condition) {
      case ANY -> true;
      case ABSENT -> found == null;
      case HOLDS -> found != null && Arrays.equals(found, expected);
    };
  }

  /** Whether what is there must be known: a put in any case needs to know nothing. */
  boolean isLook() {
    return value == null || condition != Condition.ANY;
  }

  /** The length of key and value. */
  public int bytes() {
    return key.length + (value == null ? 0 : value.length);
  }

  /** What it takes in memory until it is answered. */
  int heldBytes() {
    return bytes() + (expected == null ? 0 : expected.length);
  }
}
