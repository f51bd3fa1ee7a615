package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;

/** The presence of the queue with a given number, as the QUEUE_NAME row says. */
public enum QueuePresence {
  LIVE,
  /** The queue was deleted, and what is left of it is being removed. */
  DROPPED,
  /** A number that no row names. */
  UNKNOWN;

  /**
   * Reads the presence of a queue. A queue whose name is corrupt counts as live, and so do its
   * jobs.
   */
  public static QueuePresence of(JobSearch.Lookup rows, int queue) {
    byte[] key = QueueNameKeys.key(queue);
    byte[] value = rows.get(key);
    if (value == null) {
      return UNKNOWN;
    }
    try {
      boolean isLive = QueueNameRecord.decode(key, value).state() == QueueNameRecord.State.LIVE;
      return isLive ? LIVE : DROPPED;
    } catch (CorruptDataException e) {
      return LIVE;
    }
  }
}
