package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;

/** Keys of any keyspace whose rows are of one job each. */
public final class JobKeys {

  private JobKeys() {}

  /**
   * Returns the sequence in a key of one job: that of its birth, but in READY and BLOCKED that of
   * its entry there.
   *
   * @throws CorruptDataException the key does not have the layout of its keyspace
   */
  public static long sequence(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    StateTraits traits = StateTraits.find(keyspace);
    if (traits != null) {
      return traits.sequence(key);
    }
    return switch (keyspace) {
      case HISTORY -> HistoryKeys.birth(key);
      case MOVED -> MovedKeys.birth(key);
      case BLOB -> BlobKeys.birth(key);
      default ->
          throw new IllegalArgumentException("keys are not of one job: keyspace=" + keyspace);
    };
  }
}
