package io.millrace.internal.copy;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.TallyKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The repair of rows that follow from others ({@link OwnedRows}): they are made anew in one pass
 * over their owners and compared with the old ones. Tallies are left for an engine to count, which
 * then lets jobs go on.
 */
final class IndexRowsRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;
  private boolean hasTallies;

  IndexRowsRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
  }

  void run() {
    SlotRepair slots = new SlotRepair(stores, queues, jobs);
    UniqueRepair unique = new UniqueRepair(stores, queues, jobs);
    unique.keepStored();
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      stores.eachOfTarget(
          keyspace,
          (key, value) -> {
            JobRecord job = JobRecord.decode(key, value);
            slots.count(key, job);
            unique.add(key, job);
            putTimer(key, job);
            hasTallies |= job.tally() != 0;
          });
    }
    if (hasTallies || hasTallyRow()) {
      TablesRepair.recountAll(stores.target());
    }
    slots.handOn();
    for (Keyspace keyspace : List.of(Keyspace.UNIQUE, Keyspace.SIGNAL)) {
      stores.eachOfTarget(keyspace, (key, value) -> put(OwnedRows.timer(key, value)));
    }
    compare(Keyspace.SLOT, slots.logged());
    compare(Keyspace.MOVED, Set.of());
    compare(Keyspace.UNIQUE, Set.of());
    compare(Keyspace.TIMER, Set.of());
  }

  private boolean hasTallyRow() {
    return !stores.target().chunk(TallyKeys.start(), TallyKeys.end(), 1).isEmpty();
  }

  private void put(@Nullable Row row) {
    if (row != null) {
      stores.target().put(row.key(), row.value());
    }
  }

  /**
   * Puts the TIMER row for the time that the job's record names, as it was stored if that can be
   * read.
   *
   * <p>A lost time to live of a ready job stays lost. Its record is not rewritten when it is leased
   * or released, so it does not tell whether the job was ever started: one that was must not be
   * dropped.
   */
  private void putTimer(byte[] place, JobRecord job) {
    Row timer = OwnedRows.timer(place, job);
    if (timer == null) {
      return;
    }
    byte[] stored = stores.source().get(timer.key());
    if (stored != null && RowCheck.flaw(timer.key(), stored) == null) {
      timer = new Row(timer.key(), stored);
    } else {
      stored = null;
    }
    boolean isReady = Keyspace.ofKey(place) == Keyspace.READY;
    boolean isLeased =
        isReady && stores.target().has(LeaseKeys.key(Keyspace.queue(place), job.birth()));
    if (!isReady || (stored != null && !isLeased)) {
      put(timer);
    }
  }

  /**
   * Compares the rows that were written anew with the old ones, and tells the differences.
   *
   * @param changed queues whose rows may differ and be no damage
   */
  private void compare(Keyspace keyspace, Set<Integer> changed) {
    stores.eachOfSource(
        keyspace,
        (key, value) -> {
          int queue = Keyspace.queue(key);
          boolean isDropped = queues.presence(queue) == QueuePresence.DROPPED;
          boolean isChanged = changed.contains(queue) && RowCheck.flaw(key, value) == null;
          if (!isDropped && !isChanged) {
            compareStored(key, value);
          }
        });
    stores.eachOfTarget(
        keyspace,
        (key, value) -> {
          if (stores.source().get(key) == null && !changed.contains(Keyspace.queue(key))) {
            stores.log().rebuilt(key, "row was missing");
          }
        });
  }

  private void compareStored(byte[] key, byte[] value) {
    byte[] kept = stores.target().get(key);
    String flaw = RowCheck.flaw(key, value);
    if (kept == null) {
      stores.log().dropped(key, flaw == null ? "nothing has the row that it is of" : flaw);
    } else if (flaw != null) {
      stores.log().rebuilt(key, flaw);
    } else if (!Arrays.equals(kept, value)) {
      stores.log().rebuilt(key, "row did not agree with what it is of");
    }
  }
}
