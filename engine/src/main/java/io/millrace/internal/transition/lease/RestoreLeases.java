package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.LostTallies;
import io.millrace.internal.transition.move.RecordSearch;
import io.millrace.internal.transition.move.SetAside;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A step through the leases that an unclean stop left behind: they are reclaimed, for their workers
 * died with their process, or honoured for their full duration from now. Those of this very process
 * are always honoured. The answer is where the next step begins; empty if that was all.
 */
public final class RestoreLeases implements Transition<Optional<byte[]>> {

  private static final int STEP = 1_000;

  /** The cost of one lease, which expires, or is set aside with its job. */
  public static final Cost EACH =
      Expire.EACH.plus(new Cost(4, RowBytes.JOB + RowBytes.SIGNAL + 2 * RowBytes.QUARANTINE));

  private final byte[] from;
  private final Policy policy;

  /**
   * The choice of what becomes of the leases.
   *
   * @param isHonouring whether those of other processes are honoured, too
   * @param graceMs how much longer than its duration an honoured lease holds
   */
  public record Policy(boolean isHonouring, long graceMs) {}

  /**
   * Creates a step.
   *
   * @param from where it begins: for the first step, at the start of the LEASE keyspace
   */
  public RestoreLeases(byte[] from, Policy policy) {
    this.from = from;
    this.policy = policy;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return EACH.times(STEP);
  }

  @Override
  public Optional<byte[]> apply(OpenBatch batch) {
    List<Row> rows = new ArrayList<>();
    AtomicReference<byte[]> next = new AtomicReference<>();
    batch.scan(
        from,
        Keyspace.LEASE.end(),
        STEP + 1,
        (key, value) -> {
          boolean isWithin = rows.size() < STEP;
          if (isWithin) {
            rows.add(new Row(key, value));
          } else {
            next.set(key);
          }
          return isWithin;
        });
    readTogether(batch, rows);
    Set<QueueState> withLostJobs = new LinkedHashSet<>();
    for (Row row : rows) {
      if (!batch.hasRoomToSpare(EACH)) {
        next.set(row.key());
        break;
      }
      // What is left of a deleted queue is removed with its other rows.
      if (!batch.state().isDropped(LeaseKeys.queue(row.key()))) {
        restore(batch, row, withLostJobs);
      }
    }
    Slots.recount(batch, withLostJobs);
    return Optional.ofNullable(next.get());
  }

  /** Reads the jobs of the leases, and the queues of those that are not honoured. */
  private void readTogether(OpenBatch batch, List<Row> leases) {
    RowReads reads = batch.reads();
    for (Row row : leases) {
      int queue = LeaseKeys.queue(row.key());
      try {
        LeaseRecord lease = LeaseRecord.decode(row.key(), row.value());
        byte[] readyKey = ReadyKeys.key(queue, lease.priority(), lease.readySequence());
        if (isHonoured(batch, lease)) {
          reads.wantByKey(readyKey);
        } else {
          Queues.declare(batch.state(), reads, queue);
          reads.wantByKey(readyKey, value -> declareSlot(batch, reads, queue, readyKey, value));
        }
      } catch (CorruptDataException e) {
        // Its job is found by its birth, if at all.
      }
    }
    reads.fetch();
  }

  private static void declareSlot(
      OpenBatch batch, RowReads reads, int queue, byte[] key, byte @Nullable [] value) {
    JobRecord job = decode(key, value);
    if (job != null) {
      Slots.declare(batch.state(), reads, SlotRef.orNull(SlotKeys.ofJob(queue, job)));
    }
  }

  /**
   * Restores or ends one lease.
   *
   * @param withLostJobs takes the lease's queue if the concurrency key that its job had is unknown
   */
  private void restore(OpenBatch batch, Row row, Set<QueueState> withLostJobs) {
    LeaseRecord lease;
    try {
      lease = LeaseRecord.decode(row.key(), row.value());
    } catch (CorruptDataException e) {
      expireUnknown(batch, row, e.getMessage(), withLostJobs);
      return;
    }
    int queue = LeaseKeys.queue(row.key());
    byte[] readyKey = ReadyKeys.key(queue, lease.priority(), lease.readySequence());
    byte[] value = batch.get(readyKey);
    JobRecord job = decode(readyKey, value);
    if (job == null) {
      String reason = "lease without a job: key=" + Bytes.hex(row.key());
      withLostJobs.addAll(drop(batch, row, readyKey, reason));
      return;
    }
    LeaseEntry entry = entry(queue, job, lease);
    if (isHonoured(batch, lease)) {
      honour(batch, entry);
    } else {
      batch.state().leases().restore(entry, batch.leaseNs());
      Expire.expire(batch, entry, value, "process ended");
    }
  }

  private boolean isHonoured(OpenBatch batch, LeaseRecord lease) {
    return policy.isHonouring() || lease.incarnation().equals(batch.state().rules().incarnation());
  }

  private void honour(OpenBatch batch, LeaseEntry entry) {
    LeaseTable leases = batch.state().leases();
    LeaseEntry known = leases.get(entry.birth());
    long deadlineNs = batch.leaseNs() + Nanos.ofMs(entry.grantedMs() + policy.graceMs());
    if (known == null || known.token() != entry.token()) {
      leases.restore(entry, deadlineNs);
      return;
    }
    // What memory says of it besides may come from a commit that never was.
    known.restoreCancel(entry.isCancelRequested());
    if (known.isTold()) {
      known.setHoldings(entry.holdings());
      known.setGrantedMs(entry.grantedMs());
      leases.confirm(known, deadlineNs);
    } else {
      // Granted in the batch whose outcome was unknown: handed back, and the attempt not counted.
      Release.handBackUntold(batch, known);
    }
  }

  private static LeaseEntry entry(int queue, JobRecord job, LeaseRecord lease) {
    LeaseEntry entry =
        new LeaseEntry(
            queue,
            job,
            lease.readySequence(),
            new LeaseEntry.Terms(
                lease.token(),
                lease.worker(),
                lease.attempt(),
                lease.startedAtMs(),
                lease.grantedMs()));
    entry.setHoldings(entry.holdings().leased());
    entry.restoreCancel(lease.cancelRequested());
    return entry;
  }

  private static @Nullable JobRecord decode(byte[] key, byte @Nullable [] value) {
    try {
      return value == null ? null : JobRecord.decode(key, value);
    } catch (CorruptDataException e) {
      return null;
    }
  }

  /**
   * Sets aside a lease on a job that does not exist, or cannot be read, with what there is of the
   * job: it is no lease. The queue is read first, so that a recount finds the lease that is then
   * taken off. Returns the queue, if it is there.
   */
  private static Set<QueueState> drop(
      OpenBatch batch, Row row, byte @Nullable [] place, String reason) {
    QueueState queue = Queues.numbered(batch, LeaseKeys.queue(row.key()));
    SetAside.row(batch, row.key(), row.value(), reason);
    if (queue == null) {
      return Set.of();
    }
    queue.add(JobState.LEASED, -1);
    batch.state().markChanged(queue);
    byte[] value = place == null ? null : batch.get(place);
    if (place != null && value != null) {
      SetAside.row(batch, place, value, "record of a leased job is corrupt");
    } else {
      LostTallies.recount(batch);
    }
    SetAside.owned(batch, queue.number(), LeaseKeys.birth(row.key()));
    SetAside.count(batch, queue, LeaseKeys.birth(row.key()));
    return Set.of(queue);
  }

  /** Expires a corrupt lease: its job is found by its birth. */
  private static void expireUnknown(
      OpenBatch batch, Row row, @Nullable String reason, Set<QueueState> withLostJobs) {
    int queue = LeaseKeys.queue(row.key());
    long birth = LeaseKeys.birth(row.key());
    byte[] place = RecordSearch.place(batch, queue, birth);
    boolean isReady = place != null && Keyspace.ofKey(place) == Keyspace.READY;
    byte[] value = place == null || !isReady ? null : batch.get(place);
    JobRecord job = place == null ? null : decode(place, value);
    if (place == null || job == null) {
      withLostJobs.addAll(drop(batch, row, isReady ? place : null, String.valueOf(reason)));
      return;
    }
    SetAside.row(batch, row.key(), row.value(), reason);
    LeaseEntry entry =
        new LeaseEntry(
            queue,
            job,
            ReadyKeys.sequence(place),
            new LeaseEntry.Terms(0, "unknown", job.attempts() + 1, batch.nowMs(), 0));
    entry.setHoldings(entry.holdings().leased());
    batch.state().leases().restore(entry, batch.leaseNs());
    Expire.expire(batch, entry, value, "lease was corrupt");
  }
}
