package io.millrace.internal.state;

import io.millrace.internal.format.SlotKeys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A name for a concurrency key: the key of its SLOT row. {@link SlotTable} answers the same object
 * a second time without a look-up: a job asks half a dozen times.
 */
public final class SlotRef {

  private final byte[] key;
  private int hash;
  private @Nullable SlotEntry found;

  public SlotRef(byte[] key) {
    this.key = key;
  }

  /** Returns a name for the concurrency key of this row; null for null. */
  public static @Nullable SlotRef orNull(byte @Nullable [] key) {
    return key == null ? null : new SlotRef(key);
  }

  public byte[] key() {
    return key;
  }

  /** Returns the number of the key's queue. */
  public int queue() {
    return SlotKeys.queue(key);
  }

  /** Returns the entry that was found for the name, if the table still has it, else null. */
  @Nullable SlotEntry found() {
    SlotEntry known = found;
    return known == null || known.isForgotten() ? null : known;
  }

  void setFound(SlotEntry entry) {
    found = entry;
  }

  /** Tells whether the other names the same key, whatever was found for either. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SlotRef that && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = Arrays.hashCode(key);
    }
    return hash;
  }
}
