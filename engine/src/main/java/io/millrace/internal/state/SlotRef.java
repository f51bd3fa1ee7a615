package io.millrace.internal.state;

import io.millrace.internal.format.SlotKeys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names a concurrency key by the key of its SLOT row. Whoever asks {@link SlotTable} for it again
 * by the same object is answered without a look-up: a job asks half a dozen times.
 */
public final class SlotRef {

  private final byte[] key;
  private int hash;
  private @Nullable SlotEntry found;

  public SlotRef(byte[] key) {
    this.key = key;
  }

  /** Of what has this key; null for none. */
  public static @Nullable SlotRef orNull(byte @Nullable [] key) {
    return key == null ? null : new SlotRef(key);
  }

  public byte[] key() {
    return key;
  }

  /** Number of its queue. */
  public int queue() {
    return SlotKeys.queue(key);
  }

  /** What was found of it and is still kept, or null. */
  @Nullable SlotEntry found() {
    SlotEntry known = found;
    return known == null || known.isForgotten() ? null : known;
  }

  void setFound(SlotEntry entry) {
    found = entry;
  }

  /** Those of the same key are equal, whatever was found. */
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
