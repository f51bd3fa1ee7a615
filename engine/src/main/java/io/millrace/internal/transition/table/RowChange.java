package io.millrace.internal.transition.table;

import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of one row of a user's table.
 *
 * @param key the user's key; nobody may change it
 * @param value the value to put; null deletes the row
 * @param condition when the change is made
 * @param expected the value that the row must hold under {@link Condition#HOLDS}
 */
public record RowChange(
    byte[] key, byte @Nullable [] value, Condition condition, byte @Nullable [] expected) {

  /** The condition under which the change is made. */
  public enum Condition {
    /** Any state of the row. */
    ANY,
    /** Absence of the row. */
    ABSENT,
    /** A row that holds what is expected. */
    HOLDS
  }

  public RowChange {
    Checks.bytes("key", key, Limits.KEY_BYTES_MAX);
    if (value != null) {
      Checks.bytes("value", value, Limits.TABLE_VALUE_BYTES_MAX);
    }
    if (condition == Condition.HOLDS) {
      Objects.requireNonNull(expected, "expected");
    }
  }

  public static RowChange put(byte[] key, byte[] value) {
    return new RowChange(
        key, Checks.bytes("value", value, Limits.TABLE_VALUE_BYTES_MAX), Condition.ANY, null);
  }

  public static RowChange delete(byte[] key) {
    return new RowChange(key, null, Condition.ANY, null);
  }

  public static RowChange putIfAbsent(byte[] key, byte[] value) {
    return new RowChange(
        key, Checks.bytes("value", value, Limits.TABLE_VALUE_BYTES_MAX), Condition.ABSENT, null);
  }

  public static RowChange replace(byte[] key, byte[] expected, byte[] value) {
    return new RowChange(
        key, Checks.bytes("value", value, Limits.TABLE_VALUE_BYTES_MAX), Condition.HOLDS, expected);
  }

  public static RowChange deleteIf(byte[] key, byte[] expected) {
    return new RowChange(key, null, Condition.HOLDS, expected);
  }

  /** Tells whether the condition is met by a row that holds this, or by no row if it is null. */
  boolean isMet(byte @Nullable [] found) {
    return switch (condition) {
      case ANY -> true;
      case ABSENT -> found == null;
      case HOLDS -> found != null && Arrays.equals(found, expected);
    };
  }

  /** Tells whether the row must be read first: an unconditional put need not know what is there. */
  boolean isLook() {
    return value == null || condition != Condition.ANY;
  }

  /** Returns the length of key and value. */
  public int bytes() {
    return key.length + (value == null ? 0 : value.length);
  }

  /** Returns the bytes of memory that the change takes until it is answered. */
  int heldBytes() {
    return bytes() + (expected == null ? 0 : expected.length);
  }
}
