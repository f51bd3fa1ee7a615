package io.millrace.worker;

import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.worker.Handlers.TypeHandler;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.Source.Claim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases and claims of a worker, and how much more it can take. Any thread. Under its lock
 * nothing is called that may wait, neither the engine nor users' code.
 *
 * <p>A job counts as busy from its grant until its handler has returned. Its lease is kept until
 * its end is committed, but meanwhile another job may run in its place. How many jobs may be in
 * this state is limited.
 */
final class Load {

  /** The most ends under way for each job that runs at a time, within the bounds below. */
  private static final int ENDS_PER_JOB = 4;

  private static final int ENDS_LEAST = 64;
  private static final int ENDS_MOST = 4_096;

  private final List<Source> sources;
  private final OptionalInt refillBelow;
  private final Set<JobRun> runs = new LinkedHashSet<>();
  private final Map<TypeHandler<?>, Integer> ofType = new HashMap<>();
  private final Map<TypeHandler<?>, Source> sourceOf = new HashMap<>();
  private final Deque<JobRun> held = new ArrayDeque<>();

  /** The runs whose handlers have returned. */
  private final Set<JobRun> ending = new HashSet<>();

  private int concurrency;
  private int busy;
  private int heaviest = 1;
  private boolean isPaused;
  private long restEndNs = System.nanoTime();
  private boolean isStopping;
  private boolean isGraceSaid;
  private long graceEndNs;
  private final Set<JobRun> leaving = new HashSet<>();
  private int finished;
  private int interrupted;
  private int released;

  Load(List<Source> sources, int concurrency, OptionalInt refillBelow) {
    this.sources = new ArrayList<>(sources);
    sources.forEach(source -> source.handlers().forEach(type -> sourceOf.put(type, source)));
    this.concurrency = concurrency;
    this.refillBelow = refillBelow;
  }

  /**
   * Claims to be made, and claims whose wait is to end since others are to take their place. These
   * others are made when the answers have come: with both at a time, more jobs might be granted
   * than there is room for.
   */
  record Claims(List<Claim> made, List<Claim> ended) {}

  /**
   * The jobs for which there was room, those of them that may run now, and the leases for which
   * there was no room.
   */
  record Taken(List<JobRun> all, List<JobRun> begun, List<Lease> back) {}

  /** Returns the claims for which there is room. */
  synchronized Claims claims() {
    return claims(heaviest);
  }

  /**
   * Returns the claims for which there is room, and those that widen waiting ones to jobs of any
   * weight.
   */
  synchronized Claims widened() {
    return claims(Limits.WEIGHT_MAX);
  }

  private Claims claims(int heaviestAwaited) {
    Claims claims = new Claims(new ArrayList<>(1), new ArrayList<>(1));
    if (isPaused || isStopping || restEndNs - System.nanoTime() > 0) {
      return claims;
    }
    if (sources.size() > 1) {
      Collections.rotate(sources, 1); // of several that are answered at once the first has the room
    }
    for (Source source : sources) {
      @Nullable Claim claim = source.next(this, heaviestAwaited);
      if (claim != null) {
        source.begin(claim).ifPresentOrElse(claims.ended::add, () -> claims.made.add(claim));
      }
    }
    return claims;
  }

  /** Returns the claim that the source would make for one more job, or null; changes nothing. */
  synchronized @Nullable Claim claim(Source source) {
    return isPaused || isStopping ? null : source.next(this, heaviest);
  }

  /** Returns all claims that wait and that nobody is ending yet; the caller ends their waits. */
  synchronized List<Claim> endedClaims() {
    List<Claim> waiting = new ArrayList<>();
    sources.forEach(source -> source.end().ifPresent(waiting::add));
    return waiting;
  }

  /** Returns all claims that wait, and forgets them; the caller cancels them. */
  synchronized List<Claim> takeClaims() {
    List<Claim> waiting = new ArrayList<>();
    sources.forEach(source -> source.take().ifPresent(waiting::add));
    return waiting;
  }

  /** Tells whether a claim waits that could be wider. */
  synchronized boolean isNarrow() {
    return !isPaused && sources.stream().anyMatch(source -> source.isNarrow(room()));
  }

  /** Returns the weight that may be claimed now; 0 if none is to be. */
  int room() {
    boolean isEnough = busy >= Math.min(concurrency, refillBelow.orElse(concurrency));
    return isEnough || isFullOfEnds() ? 0 : concurrency - busy;
  }

  private boolean isFullOfEnds() {
    return ending.size() >= Math.min(ENDS_MOST, Math.max(ENDS_LEAST, ENDS_PER_JOB * concurrency));
  }

  /** Returns how many more jobs of the type may run. */
  int roomFor(TypeHandler<?> handler) {
    return Math.max(0, handler.options().concurrency() - ofType.getOrDefault(handler, 0));
  }

  /** Notes that a claim waits no more, and brought nothing. */
  synchronized void answered(Claim claim) {
    claim.source().answered(claim);
  }

  /**
   * Notes that a claim waits no more, and takes in the leases that it was granted, as far as there
   * is room: several claims that wait at the same time may be answered at the same time.
   */
  synchronized Taken taken(Claim claim, List<Lease> leases, Function<Lease, JobRun> running) {
    answered(claim);
    Taken taken = new Taken(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Lease lease : leases) {
      int weight = lease.weight();
      if (isStopping || (busy > 0 && busy + weight > concurrency)) {
        taken.back.add(lease);
      } else {
        JobRun run = running.apply(lease);
        busy += weight;
        heaviest = Math.max(heaviest, weight);
        runs.add(run);
        taken.all.add(run);
        if (begins(run)) {
          taken.begun.add(run);
        }
      }
    }
    return taken;
  }

  /** Tells whether the job may run now; otherwise holds it until another of its type has ended. */
  private boolean begins(JobRun run) {
    @Nullable TypeHandler<?> handler = run.handler();
    if (handler == null) {
      return true;
    }
    if (roomFor(handler) == 0) {
      run.hold();
      held.add(run);
      return false;
    }
    count(handler, 1);
    return true;
  }

  /** Notes that the handler has returned. Returns the jobs that were held and may run now. */
  synchronized List<JobRun> ended(JobRun run) {
    leave(run);
    return next(run);
  }

  /**
   * Notes the outcome of a job whose handler had returned. Returns whether too many ends were under
   * way until now, so that there may be room for claims again.
   */
  synchronized boolean settled(JobRun run, Outcome outcome) {
    if (!runs.contains(run)) {
      return false;
    }
    leave(run); // unless that was done
    final boolean wasFull = isFullOfEnds();
    runs.remove(run);
    ending.remove(run);
    count(outcome);
    notifyAll();
    return wasFull;
  }

  /** Frees the handler's place, if it was not free before. */
  private void leave(JobRun run) {
    if (ending.add(run)) {
      makeRoom(run);
    }
  }

  /**
   * Counts an end after the stop. A job whose end is not stored, or unknown, begins again
   * elsewhere, and is not counted.
   */
  private void count(Outcome outcome) {
    if (isStopping && outcome == Outcome.RELEASED) {
      released++;
    } else if (isStopping && outcome != Outcome.LOST && outcome != Outcome.UNKNOWN) {
      finished++;
    }
  }

  /**
   * Forgets a run whose handler is no longer awaited. Returns the jobs that were held and may run
   * now.
   */
  synchronized List<JobRun> handedBack(JobRun run, Outcome outcome) {
    runs.remove(run);
    count(outcome);
    notifyAll();
    if (held.remove(run)) {
      busy -= run.lease().weight();
      return List.of();
    }
    makeRoom(run);
    return next(run);
  }

  private void makeRoom(JobRun run) {
    @Nullable TypeHandler<?> handler = run.handler();
    if (handler != null) {
      count(handler, -1);
    }
    busy -= run.lease().weight();
  }

  /** Returns the job, if any, that was held for the type of this one and may run now. */
  private List<JobRun> next(JobRun run) {
    for (JobRun next : held) {
      if (next.handler() == run.handler()) {
        return begun(next) ? List.of(next) : List.of();
      }
    }
    return List.of();
  }

  private void count(TypeHandler<?> handler, int change) {
    ofType.merge(handler, change, Integer::sum);
    Source source = sourceOf.get(handler);
    if (source != null) {
      source.roomChanged(handler, this);
    }
  }

  private boolean begun(JobRun next) {
    @Nullable TypeHandler<?> handler = next.handler();
    if (handler == null || roomFor(handler) == 0) {
      return false;
    }
    count(handler, 1);
    held.remove(next);
    next.handedOver();
    return true;
  }

  /** Returns jobs that are held though they may run, since an error came between. */
  synchronized List<JobRun> forgotten() {
    return held.isEmpty() ? List.of() : List.copyOf(held).stream().filter(this::begun).toList();
  }

  /**
   * Waits until no run has a lease any more, or the time is over, or the thread is interrupted;
   * keeps its interrupt status.
   */
  synchronized void awaitEmpty(Duration most) {
    long endNs = System.nanoTime() + most.toNanos();
    awaitEmptyUntil(() -> endNs);
  }

  private void awaitEmptyUntil(LongSupplier endNs) {
    try {
      long leftNs = endNs.getAsLong() - System.nanoTime();
      while (!runs.isEmpty() && leftNs > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, 1_000_000));
        leftNs = endNs.getAsLong() - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits as {@link #awaitEmpty} does, until the grace is over, but at most for this time. Returns
   * whether there is still something to wait for.
   */
  synchronized boolean awaitGrace(Duration most) {
    long endNs = System.nanoTime() + most.toNanos();
    awaitEmptyUntil(() -> graceEndNs - endNs < 0 ? graceEndNs : endNs);
    return !runs.isEmpty()
        && graceEndNs - System.nanoTime() > 0
        && !Thread.currentThread().isInterrupted();
  }

  /**
   * Waits until no runs have leases but this one, whose handler is the caller, and others that wait
   * here; or until the thread is interrupted, and keeps its interrupt status.
   */
  synchronized void awaitOthers(JobRun run) {
    leaving.add(run);
    notifyAll();
    try {
      while (!leaving.containsAll(runs)) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      leaving.remove(run);
    }
  }

  synchronized List<JobRun> runs() {
    return List.copyOf(runs);
  }

  synchronized int concurrency() {
    return concurrency;
  }

  synchronized void concurrency(int weight) {
    concurrency = weight;
  }

  synchronized int busy() {
    return busy;
  }

  synchronized boolean isPaused() {
    return isPaused;
  }

  synchronized void paused(boolean value) {
    isPaused = value;
  }

  /** Claims nothing until this time is over. */
  synchronized void rest(Duration time) {
    restEndNs = System.nanoTime() + time.toNanos();
  }

  /**
   * Takes in no more jobs from now on. The grace ends after this time, or sooner if an earlier call
   * said so. Returns whether this call is the first.
   */
  synchronized boolean stop(Duration grace) {
    boolean isFirst = !isStopping;
    long endNs = System.nanoTime() + grace.toNanos();
    if (!isGraceSaid || endNs - graceEndNs < 0) {
      graceEndNs = endNs;
      notifyAll();
    }
    isGraceSaid = true;
    isStopping = true;
    return isFirst;
  }

  /**
   * Stops as {@link #stop} does, unless it was called before. The grace holds only until {@link
   * #stop} says another. Returns whether this call is the first.
   */
  synchronized boolean stopUnlessSaid(Duration grace) {
    boolean wasSaid = isGraceSaid;
    boolean isFirst = !isStopping && stop(grace);
    isGraceSaid = wasSaid;
    return isFirst;
  }

  /** Counts a handler that was interrupted because the worker stops. */
  synchronized void interrupted() {
    interrupted++;
  }

  synchronized boolean isStopping() {
    return isStopping;
  }

  /** Returns how the jobs ended that the worker had when it was told to stop. */
  synchronized StopReport report() {
    return new StopReport(finished, interrupted, released);
  }
}
