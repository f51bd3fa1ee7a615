package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events of single jobs, for listeners.
 *
 * <p>An event is made where it happens, if a listener wants it, and stands in one line with all
 * others until its commit is as durable as was asked. The line keeps the order of commits: an event
 * also waits for those before it. The events at the end of the line that belong to no stored batch
 * may never happen: they are forgotten when the next batch begins. While nobody listens, no event
 * is made.
 *
 * <p>Belongs to the commit loop, except for {@link #add}, {@link #remove} and the counts.
 */
public final class ListenedEvents {

  private static final EventSink[] NOBODY = {};

  private final AtomicLong missed = new AtomicLong();
  private final Deque<LifeEvent> line = new ArrayDeque<>();

  /** The number of events at the end of the line that the batch under way has made. */
  private int unstored;

  /** The listeners: an array that is never changed, only replaced. */
  private volatile EventSink[] listeners = NOBODY;

  /** The listeners that are told of the batch under way. */
  private EventSink[] now = NOBODY;

  /** Adds a listener, which is told what happens in batches that begin from here on. */
  public synchronized void add(EventSink sink) {
    EventSink[] after = Arrays.copyOf(listeners, listeners.length + 1);
    after[listeners.length] = sink;
    listeners = after;
  }

  /** Removes a listener, which is told nothing that happens in batches that begin from here on. */
  public synchronized void remove(EventSink sink) {
    listeners = Arrays.stream(listeners).filter(other -> other != sink).toArray(EventSink[]::new);
  }

  /** Returns how many listeners there are. */
  public int listenerCount() {
    return listeners.length;
  }

  /** Returns how many events listeners were not told, each counted for each listener. */
  public long missedCount() {
    return missed.get();
  }

  /**
   * Returns how many events wait for listeners to be told of them, each counted for each listener.
   */
  public long waitingCount() {
    long count = 0;
    for (EventSink sink : listeners) {
      count += sink.waitingCount();
    }
    return count;
  }

  /** Counts events that some listener was not told. */
  public void countMissed(long count) {
    missed.addAndGet(count);
  }

  void beginBatch() {
    now = listeners;
    if (unstored > 0) {
      forgetUnstored();
    }
  }

  /**
   * Forgets the events of a batch that was not stored. Starts whose holders were told of them stay,
   * and go with the next batch.
   */
  private void forgetUnstored() {
    List<LifeEvent> left = new ArrayList<>(0);
    for (int i = 0; i < unstored; i++) {
      LifeEvent last = line.removeLast();
      if (last.outlivesBatch()) {
        left.add(last);
      }
    }
    unstored = left.size();
    for (int i = left.size() - 1; i >= 0; i--) {
      line.addLast(left.get(i));
    }
  }

  /** Notes that the batch is in the store, if there was anything to be stored. */
  void commitBatch() {
    unstored = 0;
  }

  /** Tells whether anybody listens to the batch under way. */
  boolean isAny() {
    return now.length != 0;
  }

  private boolean isWanted(Kind kind, QueueName queue) {
    for (EventSink sink : now) {
      if (sink.wants(kind, queue)) {
        return true;
      }
    }
    return false;
  }

  private void add(LifeEvent event, long commit, Durability level) {
    event.tellAfter(now, commit, level);
    line.addLast(event);
    unstored++;
  }

  void enqueued(QueueName queue, int number, JobRecord job, BatchUnderWay batch) {
    if (isAny() && isWanted(Kind.ENQUEUED, queue)) {
      LifeEvent event =
          LifeEvent.of(Kind.ENQUEUED, queue, number, job, job.enqueuedAtMs())
              .now(job.birthKind().state());
      add(event, batch.number(), batch.level());
    }
  }

  /**
   * Notes a claim. It needs no sync to be told: the lease's holder may know of it before the store
   * does.
   */
  void started(QueueName queue, LeaseEntry lease, JobRecord job, BatchUnderWay batch) {
    if (isAny() && isWanted(Kind.CLAIMED, queue)) {
      add(LifeEvent.started(queue, lease, job), batch.number(), Durability.BUFFERED);
    }
  }

  void ended(
      QueueName queue, LeaseEntry lease, Total outcome, AttemptEnd end, BatchUnderWay batch) {
    if (isAny()) {
      Kind kind = end.next() == JobState.DEAD ? Kind.DIED : kind(outcome);
      if (isWanted(kind, queue)) {
        LifeEvent event = LifeEvent.ended(kind, queue, lease, end, batch.nowMs());
        add(event, batch.number(), batch.level());
      }
    }
  }

  /** Notes that a queue was deleted while somebody worked on a job of it. */
  void endedWithQueue(QueueName queue, LeaseEntry lease, BatchUnderWay batch) {
    if (isAny() && isWanted(Kind.REMOVED, queue)) {
      LifeEvent event = LifeEvent.ended(Kind.REMOVED, queue, lease, AttemptEnd.GONE, batch.nowMs());
      add(event, batch.number(), batch.level());
    }
  }

  /** Notes an event of a job that nobody works on. The caller has asked {@link #isAny}. */
  void happened(LifeEvent event, BatchUnderWay batch) {
    if (isWanted(event.kind(), event.queue())) {
      add(event, batch.number(), batch.level());
    }
  }

  /** Returns the kind of event that is told for what this total counts. */
  static Kind kind(Total outcome) {
    return switch (outcome) {
      case ENQUEUED -> Kind.ENQUEUED;
      case CLAIMED -> Kind.CLAIMED;
      case COMPLETED -> Kind.COMPLETED;
      case RETRIED -> Kind.RETRIED;
      case RELEASED -> Kind.RELEASED;
      case SNOOZED -> Kind.SNOOZED;
      case EXPIRED -> Kind.EXPIRED;
      case DIED -> Kind.DIED;
      case CANCELLED -> Kind.CANCELLED;
      case REDRIVEN -> Kind.REDRIVEN;
      case DROPPED -> Kind.DROPPED;
      case QUARANTINED -> Kind.QUARANTINED;
      case DELETED, SWEPT, PURGED -> Kind.REMOVED;
      case WAITED -> Kind.WAITED;
      case WOKEN -> Kind.WOKEN;
    };
  }

  /** Returns the newest commit that must be synced for an event to be told; 0 for none. */
  public long syncedNeeded() {
    if (line.isEmpty()) {
      return 0;
    }
    for (var newestFirst = line.descendingIterator(); newestFirst.hasNext(); ) {
      LifeEvent event = newestFirst.next();
      if (event.level() == Durability.SYNCED) {
        return event.commit();
      }
    }
    return 0;
  }

  /**
   * Hands over the events whose commits are durable, in order, and none of a batch that was not
   * stored.
   */
  public void tell(long lastCommit, long syncedCommit) {
    if (line.isEmpty()) {
      return;
    }
    boolean isAnyTold = false;
    for (int left = line.size() - unstored; left > 0; left--) {
      LifeEvent first = line.getFirst();
      long covered = first.level() == Durability.SYNCED ? syncedCommit : lastCommit;
      if (first.commit() > covered) {
        break;
      }
      line.removeFirst();
      isAnyTold = true;
      tell(first);
    }
    if (isAnyTold) {
      wakeAll();
    }
  }

  private static void tell(LifeEvent event) {
    for (EventSink sink : event.sinks()) {
      if (sink.wants(event.kind(), event.queue())) {
        sink.take(event);
      }
    }
    event.forgetHow();
  }

  private void wakeAll() {
    for (EventSink sink : listeners) {
      sink.wake();
    }
  }

  /**
   * Goes through the events that wait, after the store was opened again. Those that came with
   * commits which the store does not have did not happen, or nobody knows, and then listeners miss
   * them.
   *
   * @param lastCommit the newest commit up to which memory agrees with the store
   * @param isKnown whether it is certain that nothing after that commit happened, except for starts
   *     of leases that go on
   */
  public void reopened(long lastCommit, boolean isKnown) {
    unstored = 0;
    List<LifeEvent> lost = new ArrayList<>();
    line.removeIf(event -> event.commit() > lastCommit && lost.add(event));
    if (isKnown) {
      for (LifeEvent event : lost) {
        if (event.outlivesBatch()) {
          event.tellAfter(event.sinks(), lastCommit + 1, event.level());
          line.addLast(event);
        }
      }
    } else {
      for (LifeEvent event : lost) {
        for (EventSink sink : event.sinks()) {
          if (sink.wants(event.kind(), event.queue())) {
            sink.miss(1);
          }
        }
      }
      wakeAll();
    }
  }
}
