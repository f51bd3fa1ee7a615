package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.ListenedEvents;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Transition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The requests that are carried out and wait for their commit to be as durable as they asked. Also
 * the waits for the ends of jobs, and listeners: all of these are told here.
 *
 * <p>A lease's time begins here: its end is set before its holder is told. If the holder has given
 * up, the lease is kept aside to be handed back with the next batch.
 */
final class PendingAnswers {

  private final LeaseTable leases;
  private final QueueLeaseTable queueLeases;
  private final AwaitedEnds ends;
  private final ListenedEvents events;
  private final EngineTime time;
  private final AnswerThread answerThread;
  private final List<Request<?>> waiting = new ArrayList<>();
  private final List<WakeUps> begun = new ArrayList<>();
  private WakeUps wakeUps = new WakeUps();
  private final List<LeaseEntry> unheld = new ArrayList<>();
  private final Starting starting = new Starting();
  private final Ending ending = new Ending();
  private long syncedNeeded;

  PendingAnswers(WorkingSet state, EngineTime time, AnswerThread answerThread) {
    this.leases = state.leases();
    this.queueLeases = state.queueLeases();
    this.ends = state.totals().lives().awaited();
    this.events = state.totals().lives().listened();
    this.time = time;
    this.answerThread = answerThread;
  }

  /** Adds resolved requests, to be told once their commit is as durable as they asked. */
  void add(List<Request<?>> requests) {
    for (Request<?> request : requests) {
      waiting.add(request);
      needSync(request);
    }
  }

  private void needSync(Request<?> request) {
    if (request.answerLevel() == Durability.SYNCED) {
      syncedNeeded = Math.max(syncedNeeded, request.answerCommit());
    }
  }

  /** Returns the number of the newest commit that somebody waits to be synced. */
  long syncedNeeded() {
    long ofLives = Math.max(ends.syncedNeeded(), events.syncedNeeded());
    return Math.max(syncedNeeded, ofLives);
  }

  /**
   * Tells all requests whose commits are covered, in the order in which they came, then the waits
   * for ends of jobs, and listeners.
   *
   * @param firstCount how many sleeping callers to wake; these wake the others
   */
  void tell(long lastCommit, long syncedCommit, int firstCount) {
    try {
      tellCovered(lastCommit, syncedCommit);
      ends.tell(lastCommit, syncedCommit, this::give);
      events.tell(lastCommit, syncedCommit);
    } finally {
      wakeTold(firstCount);
      answerThread.wake();
    }
  }

  private void give(JobWait wait) {
    answerThread.add(new EndAnswer(wait));
  }

  private void wakeTold(int firstCount) {
    if (!wakeUps.isEmpty()) {
      begun.add(wakeUps);
      wakeUps.begin(firstCount);
      wakeUps = new WakeUps();
    }
  }

  /**
   * Wakes all callers who were told and still sleep. If a caller that was to wake others died, they
   * are woken at the next call.
   */
  void finishWaking() {
    // If something failed in between, some were told and nobody began to wake them.
    wakeTold(0);
    int kept = 0;
    for (int i = 0; i < begun.size(); i++) {
      WakeUps wakers = begun.get(i);
      if (!wakers.finish()) {
        begun.set(kept++, wakers);
      }
    }
    begun.subList(kept, begun.size()).clear();
  }

  private void tellCovered(long lastCommit, long syncedCommit) {
    int kept = 0;
    for (int i = 0; i < waiting.size(); i++) {
      Request<?> request = waiting.get(i);
      long covered = request.answerLevel() == Durability.SYNCED ? syncedCommit : lastCommit;
      if (request.answerCommit() <= covered) {
        tell(request);
      } else {
        waiting.set(kept++, request);
      }
    }
    waiting.subList(kept, waiting.size()).clear();
  }

  /** Refuses all waiting requests and wakes all callers who were told. Needs no memory. */
  void failAll(RuntimeException why) {
    wakeUps.wakeAll();
    for (int i = 0; i < begun.size(); i++) {
      begun.get(i).wakeAll();
    }
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).refuse(why, answerThread);
    }
    waiting.clear();
    syncedNeeded = 0;
    answerThread.wake();
  }

  /** Fails all waits for the ends of jobs, except those whose end is told by now. */
  void endWaits(RuntimeException why) {
    ends.failAll(why, this::give);
    answerThread.wake();
  }

  /**
   * Returns the leases that nobody holds, for their claimers gave up before they had them, and
   * clears the list.
   */
  List<LeaseEntry> takeUnheld() {
    if (unheld.isEmpty()) {
      return List.of();
    }
    List<LeaseEntry> taken = List.copyOf(unheld);
    unheld.clear();
    return taken;
  }

  /** Adds leases that nobody holds, to be handed back with the next batch. */
  void handBack(List<LeaseEntry> leases) {
    unheld.addAll(leases);
  }

  /**
   * Drops the requests of a group that never happened, except those that were told. The others are
   * to be carried out anew.
   */
  void dropUnanswered(List<Request<?>> requests) {
    Set<Request<?>> dropped = Collections.newSetFromMap(new IdentityHashMap<>());
    dropped.addAll(requests);
    waiting.removeIf(dropped::contains);
    syncedNeeded = 0;
    waiting.forEach(this::needSync);
  }

  boolean hasUnheld() {
    return !unheld.isEmpty();
  }

  /** Makes one answer known; its caller is woken with the others. */
  private <R> void tell(Request<R> request) {
    R granting = request.result();
    if (granting != null) {
      starting.isTimed = false;
      request.transition().nameGranted(granting, starting);
    }
    if (!request.tell(answerThread, wakeUps) && granting != null) {
      request.transition().nameGranted(granting, ending);
    }
  }

  /** The start of the leases of one answer, which is told next: their time runs from here. */
  private final class Starting implements Transition.Granted {

    private boolean isTimed;
    private long leaseNowNs;

    @Override
    public void job(LeaseEntry lease) {
      leases.start(lease, endNs(lease.grantedMs()));
    }

    @Override
    public void queue(QueueLeaseEntry lease) {
      queueLeases.start(lease, endNs(lease.grantedMs()));
    }

    /** Returns the end of a lease. All of one answer begin at once, for one look at the clock. */
    private long endNs(long grantedMs) {
      if (!isTimed) {
        leaseNowNs = time.leaseNsNow();
        isTimed = true;
      }
      return leaseNowNs + Nanos.ofMs(grantedMs);
    }
  }

  /** The end of leases that were started and that nobody was told of. */
  private final class Ending implements Transition.Granted {

    @Override
    public void job(LeaseEntry lease) {
      unheld.add(lease);
    }

    @Override
    public void queue(QueueLeaseEntry lease) {
      // Nobody has it: it is over at once.
      queueLeases.start(lease, time.leaseNsNow());
    }
  }

  /** The answer to a wait for the end of a job. */
  private static final class EndAnswer extends Answer {

    private final JobWait wait;

    EndAnswer(JobWait wait) {
      this.wait = wait;
    }

    @Override
    void give() {
      wait.give();
    }

    @Override
    void failed(Throwable cause) {
      wait.future().completeExceptionally(cause);
    }
  }
}
