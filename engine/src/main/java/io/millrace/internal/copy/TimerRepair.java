package io.millrace.internal.copy;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueRecord;
import org.jspecify.annotations.Nullable;

/**
 * What is due: the rows whose owner is there, and those that a job's record tells.
 *
 * <p>A lost time to live of a ready job stays lost. Its record is not rewritten when it is leased
 * or released, so it does not tell whether the job was ever started: one that was must not be
 * dropped.
 */
final class TimerRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;

  TimerRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
  }

  void keepStored() {
    stores.eachOfSource(Keyspace.TIMER, this::keep);
  }

  /** A job of the new store: its record may say when something is due. */
  void add(byte[] key, JobRecord job) {
    int queue = Keyspace.queue(key);
    Keyspace place = Keyspace.ofKey(key);
    TimerKeys.Kind kind = TimerKeys.Kind.in(place);
    // A ready job may be leased, and then has none.
    if (kind != null && place != Keyspace.READY) {
      put(key, queue, kind, job, job.timerMs(place));
    }
  }

  private void put(byte[] owner, int queue, TimerKeys.Kind kind, JobRecord job, long timeMs) {
    if (timeMs == 0) {
      return;
    }
    byte[] key = TimerKeys.key(timeMs, queue, kind, job.birth());
    if (!stores.target().has(key)) {
      stores.target().put(key, new TimerRecord(owner).encode(key));
      stores.log().rebuilt(key, "row was missing");
    }
  }

  private void keep(byte[] key, byte[] value) {
    String flaw = Keyspace.flaw(key, value);
    if (flaw == null && isOfDropped(key)) {
      return;
    }
    String reason = flaw == null ? orphanReason(key, TimerRecord.decode(key, value)) : flaw;
    if (reason == null) {
      stores.target().put(key, value);
    } else {
      stores.log().dropped(key, reason);
    }
  }

  /** Whether the job is where it is due for this, and then. */
  private boolean isOfJob(int queue, byte[] key) {
    long birth = TimerKeys.birthOrHash(key);
    byte[] place = jobs.key(queue, birth);
    byte[] stored = place == null ? null : stores.target().get(place);
    if (place == null || stored == null) {
      return false;
    }
    Keyspace keyspace = Keyspace.ofKey(place);
    boolean isLeased =
        keyspace == Keyspace.READY && stores.target().has(LeaseKeys.key(queue, birth));
    return !isLeased
        && TimerKeys.Kind.in(keyspace) == TimerKeys.kind(key)
        && JobRecord.decode(place, stored).timerMs(keyspace) == TimerKeys.timeMs(key);
  }

  /** Whether the unique key is taken until then. */
  private boolean isOfKey(byte[] key, byte[] owner) {
    byte[] value =
        Keyspace.find(owner) == Keyspace.UNIQUE && Keyspace.flaw(owner) == null
            ? stores.target().get(owner)
            : null;
    return value != null
        && UniqueRecord.decode(owner, value).scope() == UniqueRecord.FOR
        && UniqueRecord.decode(owner, value).expiryMs() == TimerKeys.timeMs(key);
  }

  private boolean isOfDropped(byte[] key) {
    return queues.presence(TimerKeys.queue(key)) == QueuePresence.DROPPED;
  }

  private @Nullable String orphanReason(byte[] key, TimerRecord timer) {
    int queue = TimerKeys.queue(key);
    if (queues.presence(queue) == QueuePresence.UNKNOWN) {
      return "row's queue is not there";
    }
    boolean isThere =
        switch (TimerKeys.kind(key)) {
          case TIME_TO_LIVE, WAIT_DEADLINE, RESULT_RETENTION, DEAD_RETENTION ->
              TimerKeys.birthOrHash(key) >= 0 && isOfJob(queue, key);
          case UNIQUE_EXPIRY -> isOfKey(key, timer.owner());
          case SIGNAL_EXPIRY -> timer.owner().length > 0 && stores.target().has(timer.owner());
        };
    return isThere ? null : "what was due is not there";
  }
}
