package io.millrace.internal.copy;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.util.Arrays;

/** What follows from the jobs, in one pass over them, and how it differs from what was there. */
final class JobFollowers {

  private final Repair repair;

  JobFollowers(Repair repair) {
    this.repair = repair;
  }

  void run() {
    SlotRepair slots = new SlotRepair(repair);
    UniqueRepair unique = new UniqueRepair(repair);
    TimerRepair timers = new TimerRepair(repair);
    unique.keepStored();
    timers.keepStored();
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      repair.eachOfTarget(
          keyspace,
          (key, value) -> {
            JobRecord job = JobRecord.decode(key, value);
            slots.count(key, job);
            unique.add(key, job);
            timers.add(key, job);
          });
    }
    slots.handOn();
    compare(Keyspace.SLOT);
    compare(Keyspace.MOVED);
  }

  /** Holds rows that were written anew against those that were there. */
  private void compare(Keyspace keyspace) {
    repair.eachOfSource(
        keyspace,
        (key, value) -> {
          if (repair.queues().state(Keyspace.queue(key)) != QueueRepair.State.DROPPED) {
            compareStored(key, value);
          }
        });
    repair.eachOfTarget(
        keyspace,
        (key, value) -> {
          if (repair.source().get(key) == null) {
            repair.log().rebuilt(key, "row was missing");
          }
        });
  }

  private void compareStored(byte[] key, byte[] value) {
    byte[] kept = repair.target().get(key);
    String flaw = Keyspace.flaw(key, value);
    if (kept == null) {
      repair.log().dropped(key, flaw == null ? "row belongs to no job" : flaw);
    } else if (flaw != null) {
      repair.log().rebuilt(key, flaw);
    } else if (!Arrays.equals(kept, value)) {
      repair.log().rebuilt(key, "row did not agree with the jobs");
    }
  }
}
