package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;

/** Whether the queue of a number is there, as its QUEUE_NAME row says. */
public enum QueuePresence {
  LIVE,
  /** Deleted; what is left of it is on its way out. */
  DROPPED,
  /** No row names the number. */
  UNKNOWN;

  /** A queue whose name is corrupt is still there, and so are its jobs. */
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
