package io.millrace.internal.transition;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The TIMER row of a job: at most one, due when the record says. Of a job that nobody has started
 * it ends the time to live, of one that is dead or done the retention.
 */
final class JobTimers {

  private JobTimers() {}

  /** Puts the row of a job whose record is put at the key, if the record names a time. */
  static void put(Change change, int queue, byte[] jobKey, JobRecord job) {
    TimerKeys.Kind kind = kindIn(Keyspace.ofKey(jobKey));
    if (kind != null && job.expireAtMs() != 0) {
      byte[] key = TimerKeys.key(job.expireAtMs(), queue, kind, job.birth());
      change.put(key, new TimerRecord(jobKey).encode(key));
      change.state().noteTimer(key);
    }
  }

  /** Deletes the row of an unleased job whose record is at the key. */
  static void delete(Change change, int queue, byte[] jobKey, JobRecord job) {
    TimerKeys.Kind kind = kindIn(Keyspace.ofKey(jobKey));
    if (kind != null && job.expireAtMs() != 0) {
      change.delete(TimerKeys.key(job.expireAtMs(), queue, kind, job.birth()));
    }
  }

  /** What the row of a job in the keyspace is about; null if jobs there have none. */
  static TimerKeys.@Nullable Kind kindIn(Keyspace keyspace) {
    return switch (keyspace) {
      case READY, DELAYED, BLOCKED -> TimerKeys.Kind.TIME_TO_LIVE;
      case DEAD -> TimerKeys.Kind.DEAD_RETENTION;
      case DONE -> TimerKeys.Kind.RESULT_RETENTION;
      default -> null;
    };
  }
}
