package io.millrace.internal.copy;

import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.JobKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.StateTraits;
import org.jspecify.annotations.Nullable;

/**
 * The repair of rows that jobs own and that cannot be made of job records: leases, payloads and
 * states, history, inboxes. They are kept if the job is there and agrees with them; so are signals
 * of queues, if the queue is there. Others are set aside, but for those of deleted queues, which
 * are left out.
 */
final class OwnedRowsRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;
  private final long sourceEpoch;

  OwnedRowsRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs, long sourceEpoch) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
    this.sourceEpoch = sourceEpoch;
  }

  void run() {
    stores.eachOfSource(Keyspace.LEASE, this::repairLease);
    stores.eachOfSource(Keyspace.BLOB, this::repairOfJob);
    stores.eachOfSource(Keyspace.HISTORY, this::repairOfJob);
    stores.eachOfSource(Keyspace.SIGNAL, this::repairSignal);
  }

  private void repairLease(byte[] key, byte[] value) {
    if (isDropped(key)) {
      return;
    }
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      stores.log().setAside(key, value, flaw + "; counts as expired");
      if (key.length == LeaseKeys.LENGTH_BYTES && LeaseKeys.birth(key) >= 0) {
        putExpired(key);
      }
      return;
    }
    LeaseRecord lease = LeaseRecord.decode(key, value);
    long birth = LeaseKeys.birth(key);
    if (!jobs.isAt(lease.readyKey(LeaseKeys.queue(key)), birth)) {
      stores.log().setAside(key, value, "lease is on a job that is not in its line");
      return;
    }
    if (!lease.mayBeOn(birth, sourceEpoch)) {
      String finding = "lease token is of no epoch that could have given it; counts as expired";
      stores.log().setAside(key, value, finding);
      putExpired(key);
      return;
    }
    stores.target().put(key, StoreCopy.withoutHolder(key, value));
  }

  /**
   * Puts a lease that nobody holds and that ends at the next opening: its attempt counts, or a job
   * that kills its process could do so for ever. Its token is the birth sequence, never given as a
   * token.
   */
  private void putExpired(byte[] key) {
    int queue = LeaseKeys.queue(key);
    long birth = LeaseKeys.birth(key);
    byte[] place = queue < 0 ? null : jobs.key(queue, birth);
    byte[] record = place == null ? null : stores.target().get(place);
    if (place == null || record == null || Keyspace.ofKey(place) != Keyspace.READY) {
      return;
    }
    int attempts = JobRecord.decode(place, record).attempts();
    LeaseRecord expired =
        new LeaseRecord(
            birth,
            "unknown",
            new Incarnation(0, 0),
            0,
            stores.nowMs(),
            attempts + 1,
            ReadyKeys.priority(place),
            ReadyKeys.sequence(place),
            false);
    stores.target().put(key, expired.encode(key));
  }

  private void repairOfJob(byte[] key, byte[] value) {
    if (isDropped(key)) {
      return;
    }
    String flaw = RowCheck.flaw(key, value);
    if (flaw == null) {
      JobRecord job = jobs.record(Keyspace.queue(key), JobKeys.sequence(key));
      flaw = OwnedRows.misfit(key, value, job);
    }
    keepOrSetAside(key, value, flaw);
  }

  private void repairSignal(byte[] key, byte[] value) {
    if (isDropped(key)) {
      return;
    }
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      stores.log().setAside(key, value, flaw);
    } else if (BroadcastKeys.isOne(key)) {
      int queue = BroadcastRecord.decode(key, value).queue();
      keepOrSetAside(key, value, queueFlaw(queue));
    } else if (InboxKeys.isOne(key)) {
      repairInbox(key, value);
    } else if (InboxPayloadKeys.isOne(key)) {
      keepOrSetAside(key, value, isNamed(key) ? null : "no signal that is kept has the payload");
    } else {
      keepOrSetAside(key, value, queueFlaw(Keyspace.queue(key)));
    }
  }

  private @Nullable String queueFlaw(int queue) {
    return queues.presence(queue) == QueuePresence.LIVE ? null : "signal's queue is not there";
  }

  /**
   * Keeps the signals that are kept for a job. If the job's record does not know of them, the
   * record is corrected.
   */
  private void repairInbox(byte[] key, byte[] value) {
    byte[] place = jobs.key(InboxKeys.queue(key), InboxKeys.birth(key));
    byte[] stored = place == null ? null : stores.target().get(place);
    if (place == null || stored == null || StateTraits.at(place).isFinal()) {
      stores.log().setAside(key, value, "job that the signals were kept for is not there");
      return;
    }
    InboxRecord inbox = withPayloads(key, InboxRecord.decode(key, value));
    if (!inbox.signals().isEmpty()) {
      stores.target().put(key, inbox.encode(key));
    }
    JobRecord job = JobRecord.decode(place, stored);
    if (!inbox.isKnownTo(job)) {
      stores.target().put(place, job.toBuilder().inbox(inbox).build().encode(place));
      stores.log().rebuilt(place, "job did not know how many signals are kept for it");
    }
  }

  /** Returns the inbox with only those signals whose payloads are there, and whole. */
  private InboxRecord withPayloads(byte[] key, InboxRecord inbox) {
    InboxRecord found = inbox;
    for (InboxRecord.Kept signal : inbox.signals()) {
      if (signal.hasRow() && !isWhole(InboxPayloadKeys.key(key, signal.slot()))) {
        found = found.without(signal);
        stores.log().rebuilt(key, "payload of a signal was missing: slot=" + signal.slot());
      }
    }
    return found;
  }

  private boolean isWhole(byte[] key) {
    byte[] value = stores.source().get(key);
    return value != null && RowCheck.flaw(key, value) == null;
  }

  /**
   * Tells whether a signal of the copy has the payload: the rows that name payloads were copied
   * before.
   */
  private boolean isNamed(byte[] payloadKey) {
    byte[] key = InboxPayloadKeys.inbox(payloadKey);
    byte[] value = stores.target().get(key);
    return value != null
        && InboxRecord.decode(key, value).slots().get(InboxPayloadKeys.slot(payloadKey));
  }

  private boolean isDropped(byte[] key) {
    return queues.presence(Keyspace.queue(key)) == QueuePresence.DROPPED;
  }

  private void keepOrSetAside(byte[] key, byte[] value, @Nullable String flaw) {
    if (flaw == null) {
      stores.target().put(key, value);
    } else {
      stores.log().setAside(key, value, flaw);
    }
  }
}
