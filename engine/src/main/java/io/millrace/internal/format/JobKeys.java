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
    return switch (keyspace) {
      case LEASE -> LeaseKeys.birth(key);
      case DELAYED -> DelayedKeys.birth(key);
      case BLOCKED -> BlockedKeys.sequence(key);
      case WAITING -> WaitingKeys.birth(key);
      case DEAD -> DeadKeys.birth(key);
      case DONE -> DoneKeys.birth(key);
      case HISTORY -> HistoryKeys.birth(key);
      case MOVED -> MovedKeys.birth(key);
      case BLOB -> BlobKeys.birth(key);
      case READY -> ReadyKeys.sequence(key);
      default ->
          throw new IllegalArgumentException("keys are not of one job: keyspace=" + keyspace);
    };
  }
}
