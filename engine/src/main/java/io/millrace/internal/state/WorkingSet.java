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
 * The working set: all that the engine keeps in memory, which is the queues in use, the leases, the
 * claims that wait, and the next numbers.
 *
 * <p>Queues come in when something needs them and leave when nothing has for a while. Memory does
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
  private final TallyTable tallies = new TallyTable();
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
  private long leastOfBatch;
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

  /** Notes a gap in which the engine was away and the lease clock stood still. */
  public void wereAway(long gapNs, long leaseNs) {
    leases.wereAway(gapNs, leaseNs);
    queueLeases.wereAway(gapNs, leaseNs);
  }

  /** Tells whether any lease is held whose time runs. */
  public boolean hasRunningLease() {
    return leases.first() != null || queueLeases.first() != null;
  }

  /** Returns the counts of what has happened since the opening. They may be read by any thread. */
  public EngineTotals totals() {
    return totals;
  }

  /** Returns the undo log, to which whoever changes memory adds how to take the change back. */
  public UndoLog undoLog() {
    return undoLog;
  }

  /** Begins a batch: changes from here on can be taken back by {@link #undoBatch}. */
  public void beginBatch() {
    leastOfBatch = nextSequence;
    undoLog.clear();
    leases.beginBatch();
    totals.beginBatch();
    queueLeases.beginBatch();
  }

  /**
   * Tells whether the job was born in the batch under way, so that the store has no row of it.
   * False of some that were: those whose ids were told before.
   */
  public boolean isBornInBatch(long birth) {
    return birth >= leastOfBatch;
  }

  /** Keeps the changes of the batch, once it is in the store or had nothing to be stored. */
  public void commitBatch(long nowNs) {
    undoLog.clear();
    leases.commitBatch(nowNs);
    totals.commitBatch();
    slots.commitBatch();
    tallies.commitBatch();
    rates.commitBatch();
  }

  /** Takes back all that memory says of a batch that never happened, except for waiting claims. */
  public void undoBatch() {
    undoLog.undo();
    leases.undoBatch();
    tenants.undoBatch();
    forgetStored();
  }

  /** Forgets, between batches, what memory holds of the store. It is read again when needed. */
  public void readAgain() {
    beginBatch();
    undoBatch();
  }

  /** Returns the memory that the ready windows take, in bytes. */
  public long windowBytes() {
    return room.bytesUsed();
  }

  /**
   * Begins a new epoch: all sequences and tokens from here on are higher than any before.
   *
   * @param queueNumber the next number of a queue
   * @param afterUnclean the epoch that began after the newest unclean stop; 0 for none
   */
  public void beginEpoch(long epoch, int queueNumber, long afterUnclean) {
    nextSequence = Sequences.first(epoch);
    lastSequence = Sequences.last(epoch);
    queueNumbers.begin(queueNumber);
    afterUncleanStop = afterUnclean;
    leastNewBirth = nextSequence;
    leastOfBatch = nextSequence;
    dropped.clear();
    tables.begin();
  }

  /** Returns the epoch that began after the newest unclean stop; 0 for none. */
  public long afterUncleanStop() {
    return afterUncleanStop;
  }

  /**
   * Tells whether the job was born before an unclean stop, and may be what caused it. It stays
   * suspect for good: clean stops in between do not acquit it.
   */
  public boolean isSuspect(long birth) {
    return Sequences.epoch(birth) < afterUncleanStop;
  }

  /**
   * Takes a number that is higher than all before: a birth or ready sequence, or a lease token.
   *
   * @throws IllegalStateException if this epoch has none left
   */
  public long takeSequence() {
    return takeSequences(1);
  }

  /**
   * Takes so many of these numbers, each one higher than the one before, and returns the first.
   *
   * @throws IllegalStateException if this epoch has not so many left
   */
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

  /** Returns the number that {@link #takeSequence()} will return next. */
  public long nextSequence() {
    return nextSequence;
  }

  /**
   * Tells whether a job may join now with this birth, which was reserved before: not if {@link
   * #outdateBirthsBefore} has ruled it out.
   */
  public boolean isNewBirth(long birth) {
    return birth >= leastNewBirth;
  }

  /**
   * Rules out that a job joins from here on with a birth below this one that was reserved before.
   * Whoever goes over the jobs of a queue can then rely on it that lower births are of jobs that
   * are there already.
   */
  public void outdateBirthsBefore(long birth) {
    leastNewBirth = Math.max(leastNewBirth, birth);
  }

  /** Returns the numbers of new queues. */
  public QueueNumbers queueNumbers() {
    return queueNumbers;
  }

  /** Returns the queue's state, loaded or not, and marks it as used now. */
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

  /** Returns what memory has of a queue, or null. This does not count as a use of the queue. */
  public @Nullable QueueState known(QueueName name) {
    return byName.get(name);
  }

  /** Returns all queues of which memory has anything. */
  public Collection<QueueState> queues() {
    return byName.values();
  }

  /**
   * Returns the settings that the queues of a name share, if one of them is in memory; else null.
   */
  public @Nullable SharedSettings sharedSettings(String name) {
    return sharedSettings.find(name);
  }

  /** Returns the loaded queue of this number, or null. */
  public @Nullable QueueState queue(int number) {
    return byNumber.get(number);
  }

  /**
   * Watches a queue that has been read or created: from here on it is found by its number, and its
   * delayed jobs are looked for.
   */
  public void watch(QueueState queue) {
    if (queue.exists()) {
      byNumber.put(queue.number(), queue);
    }
    delayed.add(queue);
  }

  /** Ends the watch over the queue's delayed jobs, until it is watched again. */
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

  /** Marks that the queue's counts differ from what is stored: they go into the batch under way. */
  public void markChanged(QueueState queue) {
    if (queue.markChanged()) {
      changed.add(queue);
      changedLineCount += queue.windows().size();
    }
  }

  /** Returns how many queues have counts that go into the batch under way. */
  public int changedCount() {
    return changed.size();
  }

  /** Returns how many lines those queues had when they were marked. */
  public int changedLineCount() {
    return changedLineCount;
  }

  /** Returns the queues whose counts go into the batch under way, and clears their list. */
  public List<QueueState> takeChanged() {
    List<QueueState> taken = List.copyOf(changed);
    taken.forEach(QueueState::markUnchanged);
    changed.clear();
    changedLineCount = 0;
    return taken;
  }

  /**
   * Sets the time and the birth before which no job of the queue that waits on this clock comes.
   */
  public void setNextDelayed(QueueState queue, DelayClock clock, long timeMs, long birth) {
    delayed.setNext(queue, clock, timeMs, birth);
  }

  /**
   * Returns when jobs of loaded queues may be due on this clock; {@link QueueState#NEVER} for none.
   */
  public long nextDelayedMs(DelayClock clock) {
    return delayed.nextMs(clock);
  }

  /**
   * Returns the loaded queue that may have jobs due first on this clock, or null if none has by
   * now.
   */
  public @Nullable QueueState firstDue(DelayClock clock, long nowMs) {
    return delayed.firstDue(clock, nowMs);
  }

  /** Returns the rings in which the tenants of names have their turns. */
  public TenantRings tenants() {
    return tenants;
  }

  /** Returns the claims that wait. */
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

  /** Lets the claim wait no longer. */
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
   * Makes room for what is known of light jobs and of jobs that are put aside.
   *
   * @param used all queues of the claim
   */
  public void makeRoomForLights(List<QueueState> used) {
    room.makeForLights(used);
  }

  public boolean isOverBudget() {
    return room.isExceeded();
  }

  /** Returns the queues that may leave memory. */
  public IdleQueues idle() {
    return idle;
  }

  /** Returns the concurrency keys in use. */
  public SlotTable slots() {
    return slots;
  }

  /** Returns the tallies in use. */
  public TallyTable tallies() {
    return tallies;
  }

  /** Returns the token buckets of rate limits. */
  public RateTable rates() {
    return rates;
  }

  /** Returns the broadcasts that have not reached all jobs yet. */
  public Broadcasts broadcasts() {
    return broadcasts;
  }

  /** Returns the queues with ready jobs that nobody claims. */
  public UnservedQueues unserved() {
    return unserved;
  }

  /** Returns the jobs whose TIMER rows are looked for. */
  public LostTimers lostTimers() {
    return lostTimers;
  }

  /** Returns the heads that must hear of every TIMER row that is put. */
  public TimerHeads timerHeads() {
    return timerHeads;
  }

  /** Returns what is known of users' tables. */
  public TableNames tables() {
    return tables;
  }

  /** Marks the number of a queue that was deleted: what is stored of it is being removed. */
  public void markDropped(int number) {
    dropped.add(number);
  }

  /**
   * Unmarks the number of a deleted queue: nothing is stored of it any more, or its deletion never
   * happened.
   */
  public void unmarkDropped(int number) {
    dropped.remove(number);
  }

  /** Tells whether the queue of this number was deleted and is being removed: its jobs are gone. */
  public boolean isDropped(int number) {
    return !dropped.isEmpty() && dropped.contains(number);
  }

  /** Returns the number of a deleted queue of which something is stored, or {@link #NO_QUEUE}. */
  public int anyDropped() {
    return dropped.isEmpty() ? NO_QUEUE : dropped.iterator().nextValue();
  }

  /** Notes that the queue's rows are gone: the queue no longer exists. */
  public void removed(QueueState queue) {
    drop(queue);
    changed.remove(queue);
    queue.load(null, null);
  }

  /** Forgets what is known of the queue, which is no longer what is stored. */
  public void forgetQueue(QueueName name) {
    QueueState queue = byName.get(name);
    if (queue != null) {
      changed.remove(queue);
      drop(queue);
    }
  }

  /** Removes a queue that no claim waits for from memory. */
  public void unload(QueueState queue) {
    assert queue.parkedClaims().isEmpty() : queue.name() + " has parked claims";
    drop(queue);
    remove(queue);
  }

  private void remove(QueueState queue) {
    byName.remove(queue.name());
    sharedSettings.leave(queue.shared());
  }

  /** Forgets all that the store is the authority for. Leases and waiting claims stay. */
  public void forgetStored() {
    changed.clear();
    changedLineCount = 0;
    totals.undoBatch();
    timerHeads.forget();
    slots.forget();
    tallies.forget();
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
