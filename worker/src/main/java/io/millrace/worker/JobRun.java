package io.millrace.worker;

import io.millrace.api.CodecException;
import io.millrace.api.FailOptions;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a job: calls the job's handler, and says what is then to be done with the lease.
 *
 * <p>Its own lock makes sure that a thread is interrupted only while it runs this handler, and that
 * a job which was handed back is not ended a second time.
 */
final class JobRun implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

  /** The error of a job whose handler had not ended when the JVM shut down. */
  static final String CUT_OFF = "its handler had not ended when its process did";

  static final String NO_HANDLER = "its worker has no handler for its type: type=";
  private static final long COME_BACK_MS = 100;

  /** The most lengths of its lease that a job may wait for its thread. */
  private static final int LEASES_TO_BEGIN = 2;

  private final RunningWorker worker;
  private final Lease lease;
  private final Handlers.@Nullable TypeHandler<?> handler;
  private final JobAtHand job;
  private final Duration granted;
  private State state = State.WAITS;
  private @Nullable Thread thread;
  private boolean isFaulty;
  private boolean wasMemoryWanted;
  private boolean isLost;
  private boolean isHeld;
  private boolean isTelling;
  private boolean isEndTold;
  private Instant since = Instant.EPOCH;
  private long waitingSinceNs = System.nanoTime();
  private long beganNs;
  private long ranNs;
  private @Nullable Future<?> timer;
  private volatile boolean isToComeBack;
  private volatile boolean isInDoubt;

  // What came of the handler; written once, before the state says that it has ended.
  private @Nullable Next said;
  private @Nullable Throwable failure;
  private @Nullable StopReason told;

  private @Nullable Supplier<CompletableFuture<Outcome>> ending;

  /**
   * The exception that says why the payload could not be read: it tells listeners what ended the
   * job.
   */
  private @Nullable Throwable unreadable;

  private enum State {
    WAITS,
    RUNS,
    ENDED,
    HANDED_BACK
  }

  JobRun(RunningWorker worker, Lease lease, Handlers.@Nullable TypeHandler<?> handler) {
    this.worker = worker;
    this.lease = lease;
    this.handler = handler;
    this.job = new JobAtHand(worker.queues(), lease);
    this.granted = rounded(lease.remaining());
  }

  /**
   * Rounds up to a multiple of the shortest time that a lease may have. What is left of leases that
   * were granted together differs by little, and they are to be lengthened together.
   */
  private static Duration rounded(Duration left) {
    long stepMs = Limits.LEASE_LEAST.toMillis();
    return Duration.ofMillis(Math.max(1, left.plusMillis(stepMs - 1).toMillis() / stepMs) * stepMs);
  }

  Lease lease() {
    return lease;
  }

  JobAtHand job() {
    return job;
  }

  Handlers.@Nullable TypeHandler<?> handler() {
    return handler;
  }

  /** Returns about how long the lease lasted when it was granted; it is lengthened by as much. */
  Duration granted() {
    return granted;
  }

  synchronized JobRunEnd end(Outcome outcome) {
    return new JobRunEnd(
        outcome,
        Duration.ofNanos(ranNs),
        Optional.ofNullable(failure == null ? unreadable : failure));
  }

  /** Returns the end of this run, for the log. */
  synchronized EndedRun ended(Outcome outcome) {
    return new EndedRun(lease, handler, outcome, failure, unreadable, said, told);
  }

  /** Tells whether the handler threw something. */
  synchronized boolean hasThrown() {
    return failure != null;
  }

  @Override
  public void run() {
    if (!begin()) {
      return; // it was handed back before it began
    }
    @Nullable Next next = null;
    @Nullable Throwable thrown = null;
    try {
      start();
      worker.told(listener -> listener.started(job));
      if (handler != null) {
        next = next(handler);
      }
    } catch (Throwable e) {
      thrown = e;
    }
    if (end(next, thrown)) {
      finish();
    } else { // its job was handed back meanwhile, and its end told
      worker.failures().ended(this, Outcome.RELEASED);
    }
  }

  /**
   * Ends the lease as the handler's end demands. This is the one frame that each end passes
   * through. If something is thrown in it, by the user's code or for want of memory, the worker's
   * guard calls this again, until the lease is over.
   */
  void finish() {
    try {
      worker.ended(this, ending());
    } catch (Throwable e) {
      comeBack();
    }
  }

  /** Marks the end as failed or in doubt, so that the guard tries it again. Never fails. */
  void comeBack() {
    isInDoubt = true;
    isToComeBack = true;
  }

  /**
   * Tells whether the end must be tried again, which is then up to the caller: the mark is cleared.
   */
  boolean takeToComeBack() {
    boolean isTaken = isToComeBack;
    isToComeBack = false;
    return isTaken;
  }

  /** Tells whether an earlier try may already have ended the lease. */
  boolean isInDoubt() {
    return isInDoubt;
  }

  /** Returns the way in which the lease is ended after the handler; each call returns the same. */
  private Supplier<CompletableFuture<Outcome>> ending() {
    Supplier<CompletableFuture<Outcome>> known = ending;
    if (known == null) {
      try {
        known = decided();
      } catch (Throwable e) { // the handler's answer is none
        failure = e;
        known = failing(e);
      }
      ending = known;
    }
    return known;
  }

  private Supplier<CompletableFuture<Outcome>> decided() {
    if (job.isCompleted()) {
      return Endings.COMPLETED;
    }
    if (handler == null && failure == null) {
      return unknown();
    }
    if (told == StopReason.TIMEOUT) {
      String what = failure == null ? "its handler returned all the same" : ErrorText.of(failure);
      return timedOut(what);
    }
    if (told != null && isGivenUp()) {
      return givenUp();
    }
    return failure == null
        ? Endings.next(
            worker.queues(),
            lease,
            Objects.requireNonNull(said, "a handler's answer"),
            () -> retry(null))
        : failing(failure);
  }

  /**
   * Tells whether a handler that was told to stop gave up: it threw, or returned as if it were
   * done.
   */
  private boolean isGivenUp() {
    return told != StopReason.WORKER_STOPS
        || failure != null
        || said instanceof Next.Done
        || said instanceof Next.DoneWith
        || said instanceof Next.Then;
  }

  /**
   * Returns the ending of a handler that gave up. The release removes a cancelled job, and has no
   * effect if the lease was lost.
   */
  private Supplier<CompletableFuture<Outcome>> givenUp() {
    return told == StopReason.WORKER_STOPS
        ? worker.handBacks().ending(lease, job.hasCheckpointed(), unasked())
        : Endings.released(lease);
  }

  private Supplier<CompletableFuture<Outcome>> unknown() {
    worker.told(listener -> listener.unknownType(lease));
    Instant now = worker.queues().now();
    Duration rest = worker.unknown().met(lease, now);
    return worker.unknown().isOver(lease, now)
        ? Endings.failed(lease, NO_HANDLER + lease.type(), FailOptions.PERMANENT)
        : Endings.released(lease, rest);
  }

  private <T> Next next(Handlers.TypeHandler<T> typed) throws Exception {
    job.checkAlive(); // it may have waited for its thread
    T payload;
    try {
      payload = typed.decode(lease.payload());
    } catch (CodecException e) {
      unreadable = e;
      return Next.dead(ErrorText.of(e)); // its bytes are kept, and will not read better next time
    }
    Next[] told = {Next.done()};
    around(worker.middlewares(), () -> told[0] = typed.steps().handle(payload, job));
    return told[0];
  }

  private void around(List<Middleware> middlewares, Middleware.Rest handle) throws Exception {
    if (middlewares.isEmpty()) {
      handle.proceed();
    } else {
      List<Middleware> inner = middlewares.subList(1, middlewares.size());
      middlewares.get(0).around(job, () -> around(inner, handle));
    }
  }

  private Supplier<CompletableFuture<Outcome>> failing(Throwable e) {
    HandlerOptions options = options();
    if (options.isToRelease(e)) {
      return Endings.released(lease, Endings.HAND_BACK);
    }
    FailOptions how = options.isPermanent(e) ? FailOptions.PERMANENT : retry(e);
    return Endings.failed(lease, ErrorText.of(e), how);
  }

  private HandlerOptions options() {
    return handler == null ? HandlerOptions.DEFAULT : handler.options();
  }

  /**
   * Returns how the job is tried again after its attempt failed, with this exception or with none.
   */
  private FailOptions retry(@Nullable Throwable thrown) {
    return handler == null ? FailOptions.RETRY : handler.retryTimes().after(lease, thrown);
  }

  /** Returns how the job is tried again, without asking the user's function. Any thread. */
  FailOptions unasked() {
    return handler == null ? FailOptions.RETRY : handler.retryTimes().unasked();
  }

  private Supplier<CompletableFuture<Outcome>> timedOut(String what) {
    String error = "timed out after " + options().timeout().orElseThrow() + ": " + what;
    return Endings.failed(lease, error, retry(failure));
  }

  /**
   * Returns the ending of a job whose handler does not end.
   *
   * @param isOver whether the process ends with the handler: then this start counts as one
   */
  Supplier<CompletableFuture<Outcome>> cutOff(boolean isOver) {
    return isOver
        ? Endings.failed(lease, CUT_OFF, unasked())
        : worker.handBacks().ending(lease, job.hasCheckpointed(), unasked());
  }

  /** Begins the run on this thread; returns false if the job was handed back before. */
  private synchronized boolean begin() {
    if (state != State.WAITS) {
      return false;
    }
    state = State.RUNS;
    thread = Thread.currentThread();
    beganNs = System.nanoTime();
    return true;
  }

  private synchronized void start() {
    since = worker.queues().now();
    if (handler != null) {
      timer = handler.options().timeout().<Future<?>>map(t -> worker.limit(this, t)).orElse(null);
    }
  }

  /**
   * Ends the handler's part of the run. From now on nobody interrupts this thread because of the
   * job. Only reasons to stop that came until here count; a later one comes too late. Returns
   * whether this run is still to end the job's lease.
   */
  private synchronized boolean end(@Nullable Next next, @Nullable Throwable thrown) {
    boolean isOurs = state != State.HANDED_BACK; // no memory is asked for until that is settled
    state = isOurs ? State.ENDED : state;
    thread = null;
    ranNs = System.nanoTime() - beganNs;
    said = next;
    failure = thrown;
    told = thrown == null && job.isDone() ? null : job.stopReasonOrNull();
    if (timer != null) {
      timer.cancel(false);
    }
    Thread.interrupted(); // meant for the handler, not for what this thread does next
    return isOurs;
  }

  /** Tells the handler to give up and interrupts it, if it runs; returns whether it runs. */
  synchronized boolean stop(StopReason reason) {
    if (state != State.RUNS || thread == null) {
      return false;
    }
    job.stop(reason);
    try {
      thread.interrupt();
    } catch (RuntimeException e) { // a thread of the user's own kind; its handler can still look
      Telling.tell(() -> LOG.warn("a handler cannot be interrupted: job={}", lease.jobId(), e));
    }
    return true;
  }

  /**
   * Takes the job from this run if its handler has not begun, and then never will; returns whether
   * the caller may hand the lease back now.
   */
  synchronized boolean handBackWaiting() {
    return state == State.WAITS && takeAway();
  }

  /**
   * Takes the job from this run if it has waited for its thread for too long; returns whether the
   * caller may hand the lease back now.
   */
  synchronized boolean handBackLate() {
    return isLate(System.nanoTime()) && takeAway();
  }

  /** Holds the run in the worker until another of its type has ended. */
  synchronized void hold() {
    isHeld = true;
  }

  /** Notes that the run is handed over to a thread. */
  synchronized void handedOver() {
    isHeld = false;
    waitingSinceNs = System.nanoTime();
  }

  /**
   * Tells whether the run was handed over so long ago, and has not begun, that the executor may
   * have dropped it.
   */
  synchronized boolean isLate(long nowNs) {
    Duration most = granted.multipliedBy(LEASES_TO_BEGIN);
    most = most.compareTo(worker.beginLeast()) < 0 ? worker.beginLeast() : most;
    return state == State.WAITS && !isHeld && nowNs - waitingSinceNs > most.toNanos();
  }

  /** Tells whether the thread runs this run's handler. */
  synchronized boolean isOn(Thread one) {
    return thread == one;
  }

  /** Tells whether the handler has called for the end of the JVM, and so will never return. */
  boolean isExiting() {
    @Nullable Thread running;
    synchronized (this) {
      running = thread;
    }
    return running != null
        && Arrays.stream(running.getStackTrace())
            .anyMatch(call -> call.getClassName().equals("java.lang.Shutdown"));
  }

  /**
   * Notes that the lease was lost, and stops the handler. Returns whether that is news to a handler
   * that runs or has yet to begin.
   */
  synchronized boolean lose() {
    boolean isNews = !isLost && (state == State.WAITS || state == State.RUNS);
    isLost = true;
    job.stop(StopReason.LEASE_LOST); // the handler of one that waits is not called
    return isNews && (stop(StopReason.LEASE_LOST) || state == State.WAITS);
  }

  /** Tells whether the lease is known to be lost. */
  synchronized boolean isLost() {
    return isLost;
  }

  /**
   * Takes the job from this run, so that the caller may end its lease and the run never will.
   * Returns false if the handler has ended or the job was taken before.
   */
  synchronized boolean takeAway() {
    if (state == State.ENDED || state == State.HANDED_BACK) {
      return false;
    }
    state = State.HANDED_BACK;
    job.stop(StopReason.WORKER_STOPS);
    return true;
  }

  /**
   * Tells whether the job's end fails for want of memory for the first time, and notes that it
   * does.
   */
  synchronized boolean isFirstWant() {
    boolean isFirst = !wasMemoryWanted;
    wasMemoryWanted = true;
    return isFirst;
  }

  /** Notes the fault with which the job's end failed; returns whether it is the first. */
  synchronized boolean isNewFault(Throwable fault) {
    boolean isNew = !isFaulty;
    isFaulty = true;
    failure = fault;
    return isNew;
  }

  /** Tells whether the handler has ended and the lease is about to. */
  synchronized boolean isEnded() {
    return state == State.ENDED;
  }

  /**
   * Tells whether listeners have yet to be told how the run ended; true once, for the caller is to
   * tell them.
   */
  synchronized boolean isFirstTelling() {
    boolean isFirst = !isTelling;
    isTelling = true;
    return isFirst;
  }

  /** Notes that listeners have been told how the run ended. */
  synchronized void endTold() {
    isEndTold = true;
    notifyAll();
  }

  /**
   * Waits for {@link #endTold}, or until the thread is interrupted, and keeps its interrupt status.
   * Meanwhile tries the end again when that is needed, in place of a guard.
   */
  void awaitEndTold() {
    try {
      while (!isEndToldSoon()) {
        if (takeToComeBack()) {
          finish();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isEndToldSoon() throws InterruptedException {
    if (!isEndTold) {
      wait(COME_BACK_MS);
    }
    return isEndTold;
  }

  /** Returns the run as it is shown; empty unless the handler runs. */
  synchronized Optional<RunningJob> shown() {
    if (thread == null || state != State.RUNS) {
      return Optional.empty();
    }
    JobAtHand.Progress progress = job.progress();
    return Optional.of(
        new RunningJob(
            lease.jobId(),
            lease.queue(),
            lease.type(),
            lease.attempt(),
            since,
            thread,
            progress.part(),
            progress.text()));
  }
}
