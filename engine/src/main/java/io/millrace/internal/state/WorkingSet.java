package io.millrace.internal.state;

import io.millrace.api.QueueName;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Sequences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.jspecify.annotations.Nullable;

/**
 * All that the engine keeps in memory: the queues in use, the leases, the claims that wait, and the
 * next numbers.
 *
 * <p>Queues come in when something needs them and leave when nothing has for a while; memory does
 * not grow with what is stored.
 */
public final class WorkingSet {

  /** The number of no queue. */
  public static final int NO_QUEUE = -1;

  private final Rules rules;

  private final WindowRoom room;
  private final UndoLog undoLog = new UndoLog();
  private final EngineTotals totals;
  private final LeaseTable leases;
  private final QueueLeaseTable queueLeases = new QueueLeaseTable(undoLog);
  private final Map<QueueName, QueueState> byName = new LinkedHashMap<>(16, 0.75f, true);
  private final IdleQueues idle = new IdleQueues(byName);
  private final SharedSettings.OfAll sharedSettings = new SharedSettings.OfAll();
  private final TenantRings tenants = new TenantRings(undoLog, sharedSettings);
  private final Int2ObjectHashMap<QueueState> byNumber = new Int2ObjectHashMap<>();
  private final DelayedQueues delayed = new DelayedQueues();
  private final ParkedClaims parked = new ParkedClaims();
  private final List<QueueState> changed = new ArrayList<>();
  private int changedLineCount;
  private final SlotTable slots = new SlotTable();
  private final RateTable rates = new RateTable(undoLog, byName::get);
  private final QueueNumbers queueNumbers = new QueueNumbers(undoLog);
  private final TimerHeads timerHeads = new TimerHeads();
  private final LostTimers lostTimers = new LostTimers();
  private final TableNames tables = new TableNames(undoLog);
  private final Broadcasts broadcasts = new Broadcasts();
  private final UnservedQueues unserved = new UnservedQueues();
  private final IntHashSet dropped = new IntHashSet();
  private long nextSequence;
  private long lastSequence;
  private long leastNewBirth;
  private long afterUncleanStop;

  public WorkingSet(Rules rules) {
    this.rules = rules;
    this.room = new WindowRoom(rules.windowBytesMax(), byName.values());
    this.totals = new EngineTotals(new JobLives(undoLog, rules.awaitCountMax()));
    this.leases = new LeaseTable(undoLog, rules.batch().rowlessCountMax());
  }

  public Rules rules() {
    return rules;
  }

  public LeaseTable leases() {
    return leases;
  }

  public QueueLeaseTable queueLeases() {
    return queueLeases;
  }

  /** The engine was away, and the lease clock stood still meanwhile. */
  public void wereAway(long gapNs, long leaseNs) {
    leases.wereAway(gapNs, leaseNs);
    queueLeases.wereAway(gapNs, leaseNs);
  }

  /** Whether somebody holds a lease whose time runs. */
  public boolean hasRunningLease() {
    return leases.first() != null || queueLeases.first() != null;
  }

  /** What was counted since the opening; may be read by any thread. */
  public EngineTotals totals() {
    return totals;
  }

  /** Where those who change memory say how to take it back if the batch never happens. */
  public UndoLog undoLog() {
    return undoLog;
  }

  /** Changes from here on can be taken back by {@link #undoBatch}. */
  public void beginBatch() {
    undoLog.clear();
    leases.beginBatch();
    totals.beginBatch();
    queueLeases.beginBatch();
  }

  /** The batch is in the store, if it had anything to be stored. */
  public void commitBatch(long nowNs) {
    undoLog.clear();
    leases.commitBatch(nowNs);
    totals.commitBatch();
    slots.commitBatch();
    rates.commitBatch();
  }

  /** The batch never happened: all that memory says of it is taken back, but for waiting claims. */
  public void undoBatch() {
    undoLog.undo();
    leases.undoBatch();
    tenants.undoBatch();
    forgetStored();
  }

  /** Between batches: what memory holds of the store is forgotten, and read again when needed. */
  public void readAgain() {
    beginBatch();
    undoBatch();
  }

  /** Memory that the ready windows take, in bytes. */
  public long windowBytes() {
    return room.bytesUsed();
  }

  /**
   * Begins a new epoch: all sequences and tokens from here on are higher than any before.
   *
   * @param afterUnclean the epoch that began after the newest unclean stop; 0 for none
   */
  public void beginEpoch(long epoch, int queueNumber, long afterUnclean) {
    nextSequence = Sequences.first(epoch);
    lastSequence = Sequences.last(epoch);
    queueNumbers.begin(queueNumber);
    afterUncleanStop = afterUnclean;
    leastNewBirth = nextSequence;
    dropped.clear();
    tables.begin();
  }

  /** The epoch that began after the newest unclean stop; 0 for none. */
  public long afterUncleanStop() {
    return afterUncleanStop;
  }

  /**
   * Whether the job was born before an unclean stop, and may be what caused it. It stays suspect
   * for good: clean stops in between do not acquit it.
   */
  public boolean isSuspect(long birth) {
    return Sequences.epoch(birth) < afterUncleanStop;
  }

  /**
   * A number that is higher than all before: a birth or ready sequence, or a lease token.
   *
   * @throws IllegalStateException this epoch has none left
   */
  public long takeSequence() {
    return takeSequences(1);
  }

  /** So many of these, each one higher than the one before; answers the first. */
  public long takeSequences(int count) {
    // The last one of all would make the next negative.
    if (lastSequence - nextSequence < count) {
      throw new IllegalStateException(
          "sequences of this opening are used up: close the engine and open it again");
    }
    long first = nextSequence;
    nextSequence += count;
    return first;
  }

  /** The number that {@link #takeSequence()} will give next. */
  public long nextSequence() {
    return nextSequence;
  }

  /**
   * Whether a job that joins now may have this birth, which was taken before: else somebody goes by
   * it that such births are of jobs that are there already.
   */
  public boolean isNewBirth(long birth) {
    return birth >= leastNewBirth;
  }

  /** From here on no job joins with a birth that is less than this one, which was given before. */
  public void outdateBirthsBefore(long birth) {
    leastNewBirth = Math.max(leastNewBirth, birth);
  }

  /** The numbers of queues that come to be. */
  public QueueNumbers queueNumbers() {
    return queueNumbers;
  }

  /** The queue's state, loaded or not; marks it as used now. */
  public QueueState queue(QueueName name, long nowNs) {
    QueueState queue = byName.get(name);
    if (queue == null) {
      SharedSettings shared = sharedSettings.join(name.name());
      shared.setTenants(tenants.find(name.name()));
      queue = new QueueState(name, shared, room.windows(), room.lights(), totals);
      byName.put(name, queue);
    }
    queue.setUsedAtNs(nowNs);
    return queue;
  }

  /** What memory has of a queue, or null; it does not count as used by that. */
  public @Nullable QueueState known(QueueName name) {
    return byName.get(name);
  }

  /** All queues of which memory has anything. */
  public Collection<QueueState> queues() {
    return byName.values();
  }

  /** What is said for a name, if a queue of it is in memory; else null. */
  public @Nullable SharedSettings sharedSettings(String name) {
    return sharedSettings.find(name);
  }

  /** The loaded queue of this number, or null. */
  public @Nullable QueueState queue(int number) {
    return byNumber.get(number);
  }

  /**
   * The queue has been read or created: from here on it is found by its number, and its delayed
   * jobs are watched.
   */
  public void watch(QueueState queue) {
    if (queue.exists()) {
      byNumber.put(queue.number(), queue);
    }
    delayed.add(queue);
  }

  /** The queue's delayed jobs are not looked for until it is watched again. */
  public void unwatch(QueueState queue) {
    delayed.remove(queue);
  }

  /** Watches the queue again if it is still in memory. */
  public void watchAgain(QueueState queue) {
    if (byName.get(queue.name()) == queue && queue.isLoaded()) {
      watch(queue);
    }
  }

  public void setRecord(QueueState queue, QueueRecord record) {
    queue.setRecord(record);
    byNumber.put(record.number(), queue);
  }

  /** The queue's counts differ from what is stored; they go into the batch under way. */
  public void markChanged(QueueState queue) {
    if (queue.markChanged()) {
      changed.add(queue);
      changedLineCount += queue.windows().size();
    }
  }

  /** How many queues have counts that go into the batch under way. */
  public int changedCount() {
    return changed.size();
  }

  /** How many lines those queues had when they were marked. */
  public int changedLineCount() {
    return changedLineCount;
  }

  /** Queues whose counts go into the batch under way; clears the list. */
  public List<QueueState> takeChanged() {
    List<QueueState> taken = List.copyOf(changed);
    taken.forEach(QueueState::markUnchanged);
    changed.clear();
    changedLineCount = 0;
    return taken;
  }

  /** No job of the queue that waits on this clock comes before this time of it and this birth. */
  public void setNextDelayed(QueueState queue, DelayClock clock, long timeMs, long birth) {
    delayed.setNext(queue, clock, timeMs, birth);
  }

  /** When, on this clock, jobs of loaded queues may be due; {@link QueueState#NEVER} for none. */
  public long nextDelayedMs(DelayClock clock) {
    return delayed.nextMs(clock);
  }

  /** The loaded queue that may have jobs due first on this clock, or null if none has by now. */
  public @Nullable QueueState firstDue(DelayClock clock, long nowMs) {
    return delayed.firstDue(clock, nowMs);
  }

  /** Whose turn it is among the tenants of a name. */
  public TenantRings tenants() {
    return tenants;
  }

  /** The claims that wait. */
  public ParkedClaims parked() {
    return parked;
  }

  /** Lets a claim wait for the queues that it names, or for all tenants of its names. */
  public void park(ParkedClaim claim, long nowNs) {
    parked.add(claim);
    for (QueueName name : claim.spec().queues()) {
      queue(name, nowNs).parkedClaims().add(claim);
    }
    for (String queueName : claim.spec().tenantsOf()) {
      tenants.ring(queueName, nowNs).park(claim);
    }
  }

  /** The claim waits no longer. */
  public void unpark(ParkedClaim claim) {
    parked.remove(claim);
    unserved.noteEndOfWait();
    for (QueueName name : claim.spec().queues()) {
      QueueState queue = byName.get(name);
      if (queue != null) {
        queue.parkedClaims().remove(claim);
      }
    }
    for (String queueName : claim.spec().tenantsOf()) {
      TenantRing ring = tenants.find(queueName);
      if (ring != null) {
        ring.unpark(claim);
      }
    }
  }

  /** Makes room for what the queue reads of its lines. */
  public void makeRoomFor(QueueState used) {
    room.makeFor(used);
  }

  /**
   * As {@link #makeRoomFor}, for what is known of light jobs and of those that are passed over.
   *
   * @param used all queues of the claim
   */
  public void makeRoomForLights(List<QueueState> used) {
    room.makeForLights(used);
  }

  public boolean isOverBudget() {
    return room.isExceeded();
  }

  /** The queues that may leave memory. */
  public IdleQueues idle() {
    return idle;
  }

  /** The concurrency keys in use. */
  public SlotTable slots() {
    return slots;
  }

  /** The tokens of rate limits. */
  public RateTable rates() {
    return rates;
  }

  /** Broadcasts that have not reached all jobs yet. */
  public Broadcasts broadcasts() {
    return broadcasts;
  }

  /** Queues with ready jobs that nobody claims. */
  public UnservedQueues unserved() {
    return unserved;
  }

  /** Whose TIMER rows are looked for. */
  public LostTimers lostTimers() {
    return lostTimers;
  }

  /** What must hear of every TIMER row that is put. */
  public TimerHeads timerHeads() {
    return timerHeads;
  }

  /** Users' tables. */
  public TableNames tables() {
    return tables;
  }

  /** The queue of this number was deleted, and what is stored of it is being removed. */
  public void markDropped(int number) {
    dropped.add(number);
  }

  /** Nothing is stored any more of a queue that was deleted, or its deletion never happened. */
  public void unmarkDropped(int number) {
    dropped.remove(number);
  }

  /** Whether the queue of this number was deleted and is being removed: its jobs are gone. */
  public boolean isDropped(int number) {
    return !dropped.isEmpty() && dropped.contains(number);
  }

  /** A deleted queue of which something is stored, or {@link #NO_QUEUE}. */
  public int anyDropped() {
    return dropped.isEmpty() ? NO_QUEUE : dropped.iterator().nextValue();
  }

  /** The queue's rows are gone: it no longer exists. */
  public void removed(QueueState queue) {
    drop(queue);
    changed.remove(queue);
    queue.load(null, null);
  }

  /** What is known of the queue is no longer what is stored. */
  public void forgetQueue(QueueName name) {
    QueueState queue = byName.get(name);
    if (queue != null) {
      changed.remove(queue);
      drop(queue);
    }
  }

  /** Forgets a queue that no claim waits for. */
  public void unload(QueueState queue) {
    assert queue.parkedClaims().isEmpty() : queue.name() + " has parked claims";
    drop(queue);
    remove(queue);
  }

  private void remove(QueueState queue) {
    byName.remove(queue.name());
    sharedSettings.leave(queue.shared());
  }

  /** Forgets all that the store is the authority for; leases and waiting claims stay. */
  public void forgetStored() {
    changed.clear();
    changedLineCount = 0;
    totals.undoBatch();
    timerHeads.forget();
    slots.forget();
    for (QueueState queue : List.copyOf(byName.values())) {
      drop(queue);
      if (!queue.isKept()) {
        remove(queue);
      }
    }
    sharedSettings.forget();
    tables.forgetStored();
  }

  private void drop(QueueState queue) {
    unwatch(queue);
    if (queue.exists()) {
      byNumber.remove(queue.number());
    }
    queue.forget();
  }
}
