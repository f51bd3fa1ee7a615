package io.millrace.worker;

import io.millrace.api.CodecException;
import io.millrace.api.FailOptions;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a job: calls its handler, and says what is then to be done with the lease.
 *
 * <p>Its own lock makes sure that a thread is interrupted only while it runs this handler, and that
 * a job which was handed back is not ended a second time.
 */
final class JobRun implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

  private final RunningWorker worker;
  private final Lease lease;
  private final Handlers.@Nullable TypeHandler<?> handler;
  private final JobAtHand job;
  private final Duration granted;
  private State state = State.WAITS;
  private @Nullable Thread thread;
  private boolean isFaulty;
  private boolean isLost;
  private boolean isEndTold;
  private Instant since = Instant.EPOCH;
  private long beganNs;
  private Duration ran = Duration.ZERO;
  private Optional<Future<?>> timer = Optional.empty();
  private Optional<Throwable> thrown = Optional.empty();

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
    this.job = new JobAtHand(worker.queues(), lease, handler);
    this.granted = rounded(lease.remaining());
  }

  /**
   * Up to a multiple of the shortest time that a lease may have: what is left of leases that were
   * granted together differs by little, and they are to be lengthened together.
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

  /** About how long the lease lasted when it was granted; it is lengthened by as much. */
  Duration granted() {
    return granted;
  }

  JobRunEnd end(Outcome outcome) {
    return new JobRunEnd(outcome, ran, thrown);
  }

  @Override
  public void run() {
    Supplier<CompletableFuture<Outcome>> ending;
    try {
      if (!begin()) {
        return; // it was handed back before it began
      }
      worker.told(listener -> listener.started(job));
      ending = handler == null ? unknown() : work(handler);
    } catch (Throwable e) {
      thrown = Optional.of(e);
      ending = failing(e);
    }
    if (end()) {
      worker.ended(this, job.isCompleted() ? Endings.COMPLETED : ending);
    }
  }

  private Supplier<CompletableFuture<Outcome>> unknown() {
    worker.told(listener -> listener.unknownType(lease));
    LOG.warn(
        "worker has no handler for a job's type and hands it back: worker={}, type={}, job={},"
            + " for={}",
        worker.name(),
        lease.type(),
        lease.jobId(),
        Endings.UNKNOWN_TYPE);
    return Endings.released(lease, Endings.UNKNOWN_TYPE);
  }

  private Supplier<CompletableFuture<Outcome>> work(Handlers.TypeHandler<?> typed)
      throws Exception {
    Next next = next(typed);
    return isTimedOut()
        ? timedOut("its handler returned all the same")
        : Endings.next(worker.queues(), lease, next);
  }

  private <T> Next next(Handlers.TypeHandler<T> typed) throws Exception {
    job.checkAlive(); // it may have waited for its thread
    T payload;
    try {
      payload = typed.decode(lease.payload());
    } catch (CodecException e) {
      thrown = Optional.of(e);
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
    Optional<StopReason> reason = job.stopReason();
    if (reason.equals(Optional.of(StopReason.WORKER_STOPS))
        || reason.equals(Optional.of(StopReason.CANCEL))) {
      return Endings.released(lease);
    }
    if (isTimedOut()) {
      return timedOut(ErrorText.of(e));
    }
    HandlerOptions options = options();
    if (options.isToRelease(e)) {
      return Endings.released(lease, Endings.HAND_BACK);
    }
    if (e instanceof Error) {
      LOG.error("handler ended with an error: worker={}, job={}", worker.name(), job.jobId(), e);
    }
    FailOptions how =
        options.isPermanent(e) ? FailOptions.PERMANENT : Endings.retry(options.backoff());
    return Endings.failed(lease, ErrorText.of(e), how);
  }

  private HandlerOptions options() {
    return handler == null ? HandlerOptions.DEFAULT : handler.options();
  }

  private boolean isTimedOut() {
    return job.stopReason().equals(Optional.of(StopReason.TIMEOUT));
  }

  private Supplier<CompletableFuture<Outcome>> timedOut(String what) {
    String error = "timed out after " + options().timeout().orElseThrow() + ": " + what;
    return Endings.failed(lease, error, Endings.retry(options().backoff()));
  }

  /** Answers whether it runs from now on; so it does if this throws. */
  private synchronized boolean begin() {
    if (state != State.WAITS) {
      return false;
    }
    state = State.RUNS;
    thread = Thread.currentThread();
    beganNs = System.nanoTime();
    since = worker.queues().now();
    if (handler != null) {
      timer = handler.options().timeout().map(time -> worker.limit(this, time));
    }
    return true;
  }

  /** From now on nobody interrupts this thread because of the job. */
  private synchronized boolean end() {
    ran = Duration.ofNanos(System.nanoTime() - beganNs);
    thread = null;
    timer.ifPresent(timeout -> timeout.cancel(false));
    Thread.interrupted(); // meant for the handler, not for what this thread does next
    if (state == State.HANDED_BACK) {
      return false;
    }
    state = State.ENDED;
    return true;
  }

  /** Has the handler given up, if it runs; answers whether it was interrupted. */
  synchronized boolean stop(StopReason reason) {
    if (state != State.RUNS || thread == null) {
      return false;
    }
    job.stop(reason);
    thread.interrupt();
    return true;
  }

  /** As {@link #handBack}, but only if its handler has not begun. */
  synchronized boolean handBackWaiting() {
    return state == State.WAITS && handBack();
  }

  /** Its lease was lost. Answers whether that is news to a handler that runs or is still to. */
  synchronized boolean lose() {
    boolean isNews = !isLost && (state == State.WAITS || state == State.RUNS);
    isLost = true;
    job.stop(StopReason.LEASE_LOST); // the handler of one that waits is not called
    return isNews && (stop(StopReason.LEASE_LOST) || state == State.WAITS);
  }

  /** Whether it is known that its lease was lost. */
  synchronized boolean isLost() {
    return isLost;
  }

  /** Whether the lease may be handed back now: nobody has ended it, and nobody will. */
  synchronized boolean handBack() {
    if (state == State.ENDED || state == State.HANDED_BACK) {
      return false;
    }
    state = State.HANDED_BACK;
    job.stop(StopReason.WORKER_STOPS);
    return true;
  }

  /** Remembers what the job's end failed of; answers whether that is the first of its kind. */
  synchronized boolean isNewFault(Throwable fault) {
    boolean isNew = !isFaulty;
    isFaulty = true;
    thrown = Optional.of(fault);
    return isNew;
  }

  /** Whether its handler has ended and its lease is about to be. */
  synchronized boolean isEnded() {
    return state == State.ENDED;
  }

  /** Listeners have been told how it ended. */
  synchronized void endTold() {
    isEndTold = true;
    notifyAll();
  }

  /** Waits for {@link #endTold}, or until the thread is interrupted, whose status stays. */
  synchronized void awaitEndTold() {
    try {
      while (!isEndTold) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is shown of it; empty unless its handler runs. */
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
