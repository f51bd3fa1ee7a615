package io.millrace.internal.commit;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.MillraceException;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Grant;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFullException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes state.
 *
 * <p>It drains what waits, up to a limit, and turns it into one batch; there is no waiting window,
 * for while one batch is being written the next group gathers by itself. When nothing is left it
 * sleeps until a caller wakes it or something comes due.
 *
 * <p>Failures end in one of two ways. A store that is <b>full</b> has refused a batch and nothing
 * of it happened: memory takes the batch back, requests that free something are carried out without
 * the others, and growing ones are refused at the door until a probe finds room. Any <b>other</b>
 * failure leaves unknown what is on disk: the engine is poisoned and refuses every change until it
 * is reopened.
 */
public final class CommitLoop implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);

  /**
   * A group stops growing at this many store operations, counted as the most that its requests may
   * need: usually about a third of that happen.
   */
  static final int GROUP_OPERATIONS = 16_384;

  /** A group stops growing at this many bytes. */
  static final long GROUP_BYTES = 4L << 20;

  /** The longest sleep, after which the wall clock is looked at again. */
  private static final long SLEEP_MAX_NS = 1_000_000_000L;

  /**
   * While leases run the loop looks at the clock this many times in what counts as an absence: how
   * much of a sleep the process was stopped in cannot be told, and is taken off the leases.
   */
  private static final int LOOKS_PER_STALL = 4;

  /** The shortest such sleep, however short an absence is to be noticed. */
  private static final long LOOK_LEAST_NS = 5_000_000;

  private final EngineOptions options;
  private final StoreHandle store;
  private final WorkingSet state;
  private final EngineTime time;
  private final AnswerThread answerThread;
  private final RequestRing ring;
  private final Committer committer;
  private final List<DueWork> dueWork;
  private final Thread thread;
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final List<Request<?>> group = new ArrayList<>();
  private @Nullable Submission carried;
  private @Nullable Control control;
  private long waitedNs;
  private boolean mayExpire = true;
  private volatile boolean isClosing;

  /** A loop that has not started. */
  public CommitLoop(
      EngineOptions options, StoreHandle store, WorkingSet state, List<DueWork> dueWork) {
    this.options = options;
    this.store = store;
    this.state = state;
    this.dueWork = List.copyOf(dueWork);
    this.time = new EngineTime(options.clock(), options.stallThreshold().toNanos());
    this.answerThread = new AnswerThread(options.futureExecutor().orElse(null));
    this.ring = new RequestRing(options, answerThread);
    this.committer = new Committer(options, store, state, time, ring);
    this.thread = new Thread(this, "millrace-commit");
    thread.setDaemon(true);
  }

  /** Starts the thread and waits until the store is recovered; throws what keeps it from that. */
  public void start() {
    thread.start();
    Waiting.join(started);
  }

  /**
   * Hands a request to the loop.
   *
   * @throws EngineClosedException nothing happened
   * @throws EnginePoisonedException nothing happened
   * @throws StoreFullException the store is full and the request would add to it; nothing happened
   */
  public void submit(Request<?> request) {
    if (isClosing) {
      throw Refusals.closed();
    }
    committer.checkTakes(request.transition());
    committer.checkFits(request.transition());
    StackRoom.require();
    ring.put(request);
  }

  /**
   * Runs an action where futures are completed: on the user's executor, or a thread of the engine.
   */
  public void onAnswerThread(Runnable action) {
    answerThread.execute(action);
  }

  /** Runs an action on the loop's thread between two groups. */
  public CompletableFuture<Void> run(Runnable action) {
    Control control = new Control(action);
    if (isClosing) {
      throw Refusals.closed();
    }
    StackRoom.require();
    ring.put(control);
    return control.done();
  }

  /** A claim that waited was given up: forgets it. */
  public void forget(Request<?> request) {
    try {
      run(() -> committer.forget(request));
    } catch (MillraceException e) {
      // Nothing waits in a closed engine; in one that has no room for this, the claim is passed
      // over until its time is up.
      return;
    }
  }

  /**
   * The claimers of these leases never got them: they go back, uncounted, also if the engine has to
   * be reopened first.
   */
  public void handBack(List<Grant> grants) {
    try {
      run(() -> committer.handBack(grants));
    } catch (MillraceException e) {
      // A closed engine has handed back all; in one that has no room for this, they run out.
      LOG.debug("leases that nobody holds are not handed back now", e);
    }
  }

  /** What to tell a caller who met a closed store: so is the engine, or it is being reopened. */
  public MillraceException storeClosed(String consequence, StoreClosedException cause) {
    return isClosing
        ? new EngineClosedException("engine is closed; " + consequence, cause)
        : new EnginePoisonedException(
            "engine's store is closed until it is reopened; " + consequence, cause);
  }

  /** Opens the store again after a poisoning, under the same handles. */
  public void reopen() {
    Waiting.join(
        run(
            () -> {
              committer.reopen();
              dueWork.forEach(DueWork::restart);
            }));
  }

  /** What poisoned the engine. */
  public Optional<Throwable> poison() {
    return committer.poison();
  }

  /** How the engine is. */
  public EngineHealth health() {
    EngineCondition.Known known = committer.condition().known();
    return new EngineHealth(
        known.status(),
        known.since(),
        known.reason(),
        Duration.ofMillis(time.latestMs() - options.clock().epochMs()),
        known.lastError());
  }

  /** Requests that wait to be taken up. */
  public int ringDepth() {
    return ring.depth();
  }

  /** How many requests may wait. */
  public int ringSize() {
    return ring.capacity();
  }

  public boolean isFull() {
    return committer.isFull();
  }

  /** Engine time at the loop's last look. */
  public long latestMs() {
    return time.latestMs();
  }

  /** A moment of the monotonic clock on the lease clock. */
  public long leaseNs(long atNs) {
    return time.leaseNs(atNs);
  }

  /**
   * Takes no more requests, finishes what waits, hands back all leases and closes the store.
   * Idempotent.
   */
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    if (Thread.currentThread() != thread) {
      Waiting.join(stopped);
    }
    answerThread.close();
  }

  @Override
  public void run() {
    try {
      committer.open();
      started.complete(null);
    } catch (Throwable e) {
      abandon(e);
      return;
    }
    while (!isClosing || !ring.isEmpty() || carried != null) {
      try {
        cycle();
      } catch (Throwable e) {
        committer.poison(e, group);
      }
      group.clear();
      runControl();
    }
    finish();
  }

  /** The store could not be taken over. Closing what has failed may fail, too. */
  private void abandon(Throwable cause) {
    isClosing = true;
    ring.end();
    try {
      store.store().close();
    } catch (Throwable e) {
      cause.addSuppressed(e);
    }
    started.completeExceptionally(cause);
    stopped.complete(null);
  }

  /** Its caller waits for it, whatever became of the group before it. */
  private void runControl() {
    Control met = control;
    control = null;
    if (met != null) {
      committer.finishWaking();
      met.run();
    }
  }

  private void finish() {
    Throwable failure = null;
    committer.finishWaking();
    try {
      committer.close();
      committer.condition().closed();
    } catch (Throwable e) {
      failure = e;
      committer.condition().closed(e);
    }
    committer.noteGauges();
    ring.end();
    if (failure == null) {
      stopped.complete(null);
    } else {
      stopped.completeExceptionally(failure);
    }
  }

  private void cycle() {
    committer.noteGauges();
    time.advance(waitedNs);
    waitedNs = 0;
    if (time.takeWasAway()) {
      mayExpire = false;
    }
    drain();
    long waitNs = group.isEmpty() ? waitNs() : 0;
    if (!group.isEmpty() || waitNs <= 0) {
      commit();
    } else if (control == null) {
      committer.settle();
      sleep(waitNs);
    }
  }

  /**
   * Takes up requests until the group is large enough, the ring is empty, or a control is met,
   * which is to run after the group.
   */
  private void drain() {
    int operations = 0;
    long bytes = 0;
    while (operations < GROUP_OPERATIONS && bytes < GROUP_BYTES) {
      Submission next = carried == null ? ring.take() : carried;
      carried = null;
      if (next == null) {
        mayExpire = true;
        return;
      }
      if (next instanceof Control met) {
        control = met;
        return;
      }
      Request<?> request = (Request<?>) next;
      Transition<?> transition = request.transition();
      boolean isTooMuch =
          operations + transition.operationCountMax()
                  > store.store().info().batchOperationsMax() / 2
              || bytes + transition.bytes() > store.store().info().batchBytesMax() / 2;
      if (isTooMuch && !group.isEmpty()) {
        carried = next;
        return;
      }
      operations += transition.operationCountMax();
      bytes += transition.bytes();
      group.add(request);
    }
  }

  private void commit() {
    committer.commit(group, dueWork, dueTime());
  }

  /** Leases may be ended up to the moment when the oldest request of the group was made. */
  private DueWork.DueTime dueTime() {
    long oldestNs = time.nowNs();
    for (Request<?> request : group) {
      if (request.submittedNs() - oldestNs < 0) {
        oldestNs = request.submittedNs();
      }
    }
    long expiryNs = mayExpire ? time.leaseNs(oldestNs) : Long.MIN_VALUE / 2;
    return new DueWork.DueTime(time.nowMs(), time.steadyMs(), time.nowNs(), expiryNs);
  }

  private long waitNs() {
    long waitNs = committer.waitNs();
    DueWork.DueTime now = dueTime();
    if (committer.isDueWorkOff() || committer.poison().isPresent()) {
      return waitNs;
    }
    for (DueWork work : dueWork) {
      waitNs = Math.min(waitNs, work.waitNs(now));
    }
    return waitNs;
  }

  private long sleepMaxNs() {
    if (state.leases().first() == null) {
      return SLEEP_MAX_NS;
    }
    long lookNs = options.stallThreshold().toNanos() / LOOKS_PER_STALL;
    return Math.min(SLEEP_MAX_NS, Math.max(LOOK_LEAST_NS, lookNs));
  }

  /** Closing unparks the thread in any case, so that it is enough to look for it before. */
  private void sleep(long untilDueNs) {
    if (!isClosing) {
      waitedNs = ring.sleep(Math.min(untilDueNs, sleepMaxNs()));
    }
  }
}
