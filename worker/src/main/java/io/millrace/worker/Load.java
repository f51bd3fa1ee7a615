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
 * What a worker has leases on, what it claims, and how much more it can take. Any thread; under its
 * lock nothing is called that may wait, neither the engine nor users' code.
 *
 * <p>A job counts as busy from its grant until its handler has returned. Until its end is committed
 * its lease is kept as well, but another may run in its place; how many such there are is limited.
 */
final class Load {

  /** So many ends may be on their way for each job that runs at a time, within the bounds. */
  private static final int ENDS_PER_JOB = 4;

  private static final int ENDS_LEAST = 64;
  private static final int ENDS_MOST = 4_096;

  private final List<Source> sources;
  private final OptionalInt refillBelow;
  private final Set<JobRun> runs = new LinkedHashSet<>();
  private final Map<TypeHandler<?>, Integer> ofType = new HashMap<>();
  private final Map<TypeHandler<?>, Source> sourceOf = new HashMap<>();
  private final Deque<JobRun> held = new ArrayDeque<>();

  /** Of the runs those whose handlers have returned. */
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
   * Claims that are to be made, and those whose wait is to end, since others are to take their
   * place. These are made when the answers have come: with both at a time more might be granted
   * than there is room for.
   */
  record Claims(List<Claim> made, List<Claim> ended) {}

  /**
   * Jobs of which there was room for all, those that may run now, and leases for which there was
   * none.
   */
  record Taken(List<JobRun> all, List<JobRun> begun, List<Lease> back) {}

  /** The claims that there is room for. */
  synchronized Claims claims() {
    return claims(heaviest);
  }

  /** The same, and claims that wait are widened, for jobs of any weight. */
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

  /** The claim that would be made for one more job; without changing anything. */
  synchronized @Nullable Claim claim(Source source) {
    return isPaused || isStopping ? null : source.next(this, heaviest);
  }

  /** All claims that wait and that nobody ends yet; their waits are to end. */
  synchronized List<Claim> endedClaims() {
    List<Claim> waiting = new ArrayList<>();
    sources.forEach(source -> source.end().ifPresent(waiting::add));
    return waiting;
  }

  /** All claims that wait; they are to be cancelled. */
  synchronized List<Claim> takeClaims() {
    List<Claim> waiting = new ArrayList<>();
    sources.forEach(source -> source.take().ifPresent(waiting::add));
    return waiting;
  }

  /** Whether a claim waits that could be wider. */
  synchronized boolean isNarrow() {
    return !isPaused && sources.stream().anyMatch(source -> source.isNarrow(room()));
  }

  /** The weight that may be claimed now; 0 if none is to be. */
  int room() {
    boolean isEnough = busy >= Math.min(concurrency, refillBelow.orElse(concurrency));
    return isEnough || isFullOfEnds() ? 0 : concurrency - busy;
  }

  private boolean isFullOfEnds() {
    return ending.size() >= Math.min(ENDS_MOST, Math.max(ENDS_LEAST, ENDS_PER_JOB * concurrency));
  }

  /** How many more jobs of the type may run. */
  int roomFor(TypeHandler<?> handler) {
    return Math.max(0, handler.options().concurrency() - ofType.getOrDefault(handler, 0));
  }

  /** A claim waits no more, and brought nothing. */
  synchronized void answered(Claim claim) {
    claim.source().answered(claim);
  }

  /**
   * A claim waits no more. Takes in what it was granted, as far as there is room: several claims
   * that wait at the same time may be answered at the same time.
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

  /** Whether the job may run now; else it is held until another of its type has ended. */
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

  /** The handler has returned. Answers the jobs that were held and may run now. */
  synchronized List<JobRun> ended(JobRun run) {
    leave(run);
    return next(run);
  }

  /**
   * What became of a job whose handler had returned is known. Answers whether there is room for
   * claims now that there was not.
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

  /** The handler's place is free, if it was not before. */
  private void leave(JobRun run) {
    if (ending.add(run)) {
      makeRoom(run);
    }
  }

  /** Counts an end after the stop; one that is not stored, or unknown, begins again elsewhere. */
  private void count(Outcome outcome) {
    if (isStopping && outcome == Outcome.RELEASED) {
      released++;
    } else if (isStopping && outcome != Outcome.LOST && outcome != Outcome.UNKNOWN) {
      finished++;
    }
  }

  /** Its handler is waited for no more. Answers the jobs that were held and may run now. */
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

  /** The job that was held for the type of this one, and may run now. */
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

  /** Jobs that are held though they may run: an error came between. */
  synchronized List<JobRun> forgotten() {
    return held.isEmpty() ? List.of() : List.copyOf(held).stream().filter(this::begun).toList();
  }

  /**
   * Waits until nothing has a lease any more, or the time is over, or the thread is interrupted;
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
   * As {@link #awaitEmpty}, until the grace is over, but no longer than this. Answers whether there
   * is more to wait for.
   */
  synchronized boolean awaitGrace(Duration most) {
    long endNs = System.nanoTime() + most.toNanos();
    awaitEmptyUntil(() -> graceEndNs - endNs < 0 ? graceEndNs : endNs);
    return !runs.isEmpty()
        && graceEndNs - System.nanoTime() > 0
        && !Thread.currentThread().isInterrupted();
  }

  /**
   * Waits until no run has a lease any more but this, whose handler calls it, and others that wait
   * here; or until the thread is interrupted, whose status stays.
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

  /** Nothing is claimed until this is over. */
  synchronized void rest(Duration time) {
    restEndNs = System.nanoTime() + time.toNanos();
  }

  /**
   * No job is taken in from now on. The grace ends when this is over, or sooner if that was said
   * before. Answers whether this is the first to say so.
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

  /** As {@link #stop}, but the grace is only for as long as nobody says one. */
  synchronized boolean stopUnlessSaid(Duration grace) {
    boolean wasSaid = isGraceSaid;
    boolean isFirst = !isStopping && stop(grace);
    isGraceSaid = wasSaid;
    return isFirst;
  }

  /** One more handler was interrupted, for the worker stops. */
  synchronized void interrupted() {
    interrupted++;
  }

  synchronized boolean isStopping() {
    return isStopping;
  }

  /** How the jobs ended that the worker had when it was told to stop. */
  synchronized StopReport report() {
    return new StopReport(finished, interrupted, released);
  }
}
