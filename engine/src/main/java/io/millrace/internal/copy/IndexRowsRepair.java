package io.millrace.internal.copy;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueuePresence;
import java.util.Arrays;
import java.util.Set;

/** Index rows, made of the jobs in one pass over them and held against those that were there. */
final class IndexRowsRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;

  IndexRowsRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
  }

  void run() {
    SlotRepair slots = new SlotRepair(stores, queues, jobs);
    UniqueRepair unique = new UniqueRepair(stores, queues, jobs);
    TimerRepair timers = new TimerRepair(stores, queues, jobs);
    unique.keepStored();
    timers.keepStored();
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      stores.eachOfTarget(
          keyspace,
          (key, value) -> {
            JobRecord job = JobRecord.decode(key, value);
            slots.count(key, job);
            unique.add(key, job);
            timers.add(key, job);
          });
    }
    slots.handOn();
    compare(Keyspace.SLOT, slots.compareLogged());
    compare(Keyspace.MOVED, Set.of());
  }

  /**
   * Holds rows that were written anew against those that were there.
   *
   * @param compared keys of those that were held against something else
   */
  private void compare(Keyspace keyspace, Set<byte[]> compared) {
    stores.eachOfSource(
        keyspace,
        (key, value) -> {
          boolean isDropped = queues.presence(Keyspace.queue(key)) == QueuePresence.DROPPED;
          if (!isDropped && !compared.contains(key)) {
            compareStored(key, value);
          }
        });
    stores.eachOfTarget(
        keyspace,
        (key, value) -> {
          if (stores.source().get(key) == null && !compared.contains(key)) {
            stores.log().rebuilt(key, "row was missing");
          }
        });
  }

  private void compareStored(byte[] key, byte[] value) {
    byte[] kept = stores.target().get(key);
    String flaw = Keyspace.flaw(key, value);
    if (kept == null) {
      stores.log().dropped(key, flaw == null ? "row belongs to no job" : flaw);
    } else if (flaw != null) {
      stores.log().rebuilt(key, flaw);
    } else if (!Arrays.equals(kept, value)) {
      stores.log().rebuilt(key, "row did not agree with the jobs");
    }
  }
}
