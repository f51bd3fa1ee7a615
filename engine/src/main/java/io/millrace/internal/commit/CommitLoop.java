package io.millrace.internal.commit;

import io.millrace.MillraceException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.Waiting;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFullException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes state.
 *
 * <p>The loop drains the waiting requests, up to a limit, and turns them into one batch. It does
 * not wait for more: while one batch is written, the next group gathers by itself. When nothing is
 * left it sleeps until a caller wakes it or something comes due.
 *
 * <p>Failures end in one of three ways. A store that is <b>full</b> has refused a batch and nothing
 * of it happened: memory takes the batch back, requests that free something are carried out without
 * the others, and growing ones are refused at the door until a probe finds room. A batch that
 * <b>cannot be made</b>, since it is too large or a row cannot be read, is made anew with less in
 * it. A failed <b>write or sync</b>, and an error, leave unknown what is on disk: the engine is
 * poisoned and refuses every change until it is reopened. It also refuses changes when <b>another
 * owner</b> has taken the store over, but then nothing is unknown.
 */
public final class CommitLoop implements ThreadFrame.Work {

  private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);

  /**
   * The number of store operations at which a group stops growing. They are counted as the most
   * that its requests may need; usually about a third of that happen.
   */
  static final int GROUP_OPERATIONS = 16_384;

  /** The size in bytes at which a group stops growing. */
  static final long GROUP_BYTES = 4L << 20;

  /**
   * The number of looks at the clock, while leases run, in the shortest time that counts as an
   * absence. If the process is stopped while the loop sleeps, nobody can tell for how much of that
   * sleep. Leases lose all of it, so the sleep must be short.
   */
  private static final int LOOKS_PER_STALL = 4;

  /** The shortest sleep between two such looks, however short an absence is to be noticed. */
  private static final long LOOK_LEAST_NS = 5_000_000;

  /**
   * A distance into the past, in nanoseconds, before which no lease can end. It is still short
   * enough to be compared by subtraction, for the clock may overflow.
   */
  private static final long BEFORE_ANY_LEASE_NS = Long.MAX_VALUE / 4;

  /** The most failures while a closing engine finishes waiting requests; then it refuses them. */
  private static final int END_FAILURES_MAX = 20;

  private final EngineOptions options;
  private final ReopenableStore store;
  private final WorkingSet state;
  private final EngineTime time;
  private final AnswerThread answerThread;
  private final RequestRing ring;
  private final Committer committer;
  private final Reopenings reopenings;
  private final Thread thread;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final LoopEnd end;
  private final ArrayList<Request<?>> group = new ArrayList<>();
  private @Nullable LoopAction nextAction;
  private Upkeep upkeep = new Upkeep(List.of(), () -> false);
  private long waitedNs;
  private long expiryFrom;
  private int failuresAtEnd;
  private boolean isOpen;
  private @Nullable Throwable openFailure;
  private volatile boolean isClosing;

  /** Creates a loop that has not started. */
  public CommitLoop(EngineOptions options, ReopenableStore store, WorkingSet state) {
    this.options = options;
    this.store = store;
    this.state = state;
    this.time =
        new EngineTime(options.clock(), options.stallThreshold().toNanos(), state::wereAway);
    this.answerThread = new AnswerThread(options.futureExecutor().orElse(null));
    this.ring = new RequestRing(options, answerThread);
    this.committer = new Committer(options, store, state, time, ring);
    this.reopenings = new Reopenings(options.reopenAfter());
    LastWords.prepare();
    this.end = new LoopEnd(committer, ring, this::refuseTaken, stopped);
    this.thread = ThreadFrame.thread("millrace-commit", this);
  }

  /**
   * Starts the threads and waits until the store is recovered. If recovery fails, throws its
   * failure; the store is then closed and no thread is left.
   *
   * @param dueWork the kinds of work that come due, in the order in which a commit does them
   */
  public void start(List<DueWork> dueWork) {
    try {
      upkeep = new Upkeep(dueWork, committer::isFull);
      answerThread.start();
      thread.start();
      Uninterruptibles.await(started);
      Uninterruptibles.rethrow(openFailure);
    } catch (Throwable e) {
      if (thread.getState() == Thread.State.NEW) {
        abandon(e);
      }
      answerThread.close();
      throw e;
    }
  }

  /**
   * Hands a request to the loop.
   *
   * @throws EngineClosedException nothing happened
   * @throws EnginePoisonedException nothing happened
   * @throws io.millrace.api.NotOwnerException another owner has the store; nothing happened
   * @throws StoreFullException the store is full and the request would add to it; nothing happened
   * @throws IllegalStateException the calling thread is one of the engine's own and would wait;
   *     nothing happened
   */
  public void submit(Request<?> request) {
    if (isClosing) {
      throw Refusals.closed();
    }
    if (request.isBlocking() && (answerThread.isCurrent() || Thread.currentThread() == thread)) {
      throw Refusals.blocking();
    }
    committer.checkTakes(request.transition());
    StackRoom.require();
    ring.put(request);
  }

  /**
   * Runs an action on the user's executor for futures or, without one, on the engine's answer
   * thread.
   */
  public void onAnswerThread(Runnable action) {
    answerThread.execute(action);
  }

  /**
   * Prepares an action for {@link #onAnswerThread}. Running the returned object hands the action
   * over and needs no memory.
   *
   * @param failed told what the action threw, again until it returns normally
   */
  public Runnable forAnswerThread(Runnable action, Consumer<Throwable> failed) {
    return answerThread.prepare(action, failed);
  }

  /** Queues an action that runs on the loop's thread between two groups. */
  public LoopAction run(Runnable action) {
    LoopAction entry = new LoopAction(action);
    if (isClosing) {
      throw Refusals.closed();
    }
    StackRoom.require();
    ring.put(entry);
    return entry;
  }

  /**
   * Removes the given-up request from the waiting claims, if it is a claim. Does not block: if the
   * ring has no room, the claim stays until its time is up and is passed over.
   */
  public void forget(Request<?> request) {
    if (request.transition() instanceof Waiting && !isClosing) {
      StackRoom.require();
      ring.putIfRoom(new LoopAction(() -> committer.forget(request)));
    }
  }

  /** Ends the wait of a claim: it is answered with no jobs, unless it has been granted some. */
  public void endWait(Request<?> claim) {
    run(() -> committer.endWait(claim));
  }

  /**
   * Hands back leases that never reached their claimers. The jobs go back without a counted
   * attempt, even if the engine has to be reopened first.
   */
  public void handBack(List<LeaseEntry> leases) {
    try {
      run(() -> committer.handBack(leases));
    } catch (MillraceException e) {
      // A closed engine has handed back all; in one that has no room for this, they run out.
      LOG.debug("leases that nobody holds are not handed back now", e);
    }
  }

  /**
   * Returns the exception for a caller who met a closed store: the engine is closed, or it is
   * poisoned and its store is closed until it is reopened.
   */
  public MillraceException storeClosed(String consequence, StoreClosedException cause) {
    return isClosing
        ? new EngineClosedException("engine is closed; " + consequence, cause)
        : new EnginePoisonedException(
            "engine's store is closed until it is reopened; " + consequence, cause);
  }

  /** Opens the store again after a poisoning. Queues, leases and other handles stay valid. */
  public void reopen() {
    run(this::reopenNow).join();
  }

  private void reopenNow() {
    committer.reopen();
    upkeep.reopened();
    reopenings.reopened(time.nowNs());
  }

  private void reopenByItself() {
    reopenings.tried();
    try {
      reopenNow();
    } catch (Throwable e) {
      reopenings.failed(time.nowNs(), e);
      LOG.warn("engine could not be reopened", e);
    }
  }

  /** Returns the failure that poisoned the engine, if it is poisoned. */
  public Optional<Throwable> poison() {
    return committer.poison();
  }

  /** Returns the engine's health. */
  public EngineHealth health() {
    EngineCondition.Known known = committer.condition().known();
    Duration ahead = Duration.ofMillis(time.latestMs() - options.clock().epochMs());
    return new Health(
        known.status(), known.since(), known.reason(), ahead, known.lastError(), warnings(ahead));
  }

  /** The engine's health at one moment. */
  private record Health(
      EngineHealth.Status status,
      Instant since,
      String reason,
      Duration clockDivergence,
      Optional<EngineHealth.Failure> lastError,
      List<String> warnings)
      implements EngineHealth {}

  private List<String> warnings(Duration ahead) {
    List<String> warnings = upkeep.warnings(options.clock().monotonicNs());
    committer.warning().ifPresent(warnings::add);
    reopenings.warning().ifPresent(warnings::add);
    warnings.addAll(time.warnings(ahead));
    return List.copyOf(warnings);
  }

  /** Returns the number of requests that wait in the ring. */
  public int ringDepth() {
    return ring.depth();
  }

  /** Returns the number of requests that the ring has room for. */
  public int ringSize() {
    return ring.capacity();
  }

  public boolean isFull() {
    return committer.isFull();
  }

  /** Returns engine time at the loop's last look. */
  public long latestMs() {
    return time.latestMs();
  }

  /** Returns steady time at the loop's last look; only for code that runs on the loop. */
  public long steadyMs() {
    return time.steadyMs();
  }

  /** Converts a moment of the monotonic clock to the lease clock. */
  public long leaseNs(long atNs) {
    return time.leaseNs(atNs);
  }

  /**
   * Stops taking requests, finishes those that wait, leaves the store to its next owner and closes
   * it. The leases of a shared store stay; those of any other are handed back. Idempotent.
   */
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    try {
      if (Thread.currentThread() != thread) {
        Uninterruptibles.await(stopped);
        Uninterruptibles.rethrow(end.failure());
      }
    } finally {
      answerThread.close();
    }
  }

  @Override
  public boolean step() {
    if (!isOpen) {
      committer.open();
      isOpen = true;
      started.countDown();
      return true;
    }
    boolean isOver = isClosing && ring.isEmpty() && group.isEmpty() && nextAction == null;
    if (isOver || end.hasBegun()) {
      return end.step();
    }
    // One that was met before something failed.
    runAction();
    cycle();
    group.clear();
    runAction();
    return true;
  }

  /** Tells everybody who waits of the failure, whatever failed and however often. */
  @Override
  public void failed(Throwable thrown) {
    if (!isOpen) {
      abandon(thrown);
    } else if (end.hasBegun()) {
      end.failed(thrown);
    } else {
      if (isClosing && ++failuresAtEnd > END_FAILURES_MAX) {
        end.begin();
      }
      committer.poison(thrown, group);
      group.clear();
      reopenings.poisoned(time.nowNs(), thrown);
    }
  }

  /**
   * Ends the loop with its thread. If the thread did not end in order, poisons the engine and takes
   * the steps that are left.
   */
  @Override
  public void ended() {
    if (stopped.getCount() > 0) {
      LastWords.ENDED.say();
      isClosing = true;
      try {
        // Nothing is left to the next owner that may be half of something.
        committer.poison(new IllegalStateException("the commit thread has ended"), group);
      } catch (Throwable e) {
        Answer.log("the commit thread has ended after an error", e);
      }
      end.takeAll();
    }
  }

  /** Gives up a store that could not be taken over. Closing it may fail, too. */
  private void abandon(Throwable thrown) {
    isClosing = true;
    openFailure = Outage.ofOpening(thrown);
    ring.end();
    store.abandon(openFailure);
    end.skip();
    isOpen = true;
    started.countDown();
    stopped.countDown();
  }

  /** Refuses all that was taken from the ring and has no answer yet. */
  private void refuseTaken(RuntimeException why) {
    committer.endCommits(why, group);
    LoopAction met = nextAction;
    if (met != null) {
      met.refuse(why, answerThread);
    }
  }

  /**
   * Runs the action that was met, if any. If something fails before it has run, the action is kept
   * for the next round, so that its caller is always told.
   */
  private void runAction() {
    LoopAction met = nextAction;
    if (met != null) {
      committer.finishWaking();
      met.run();
      nextAction = null;
    }
  }

  private void cycle() {
    committer.tellOfOutage();
    committer.noteGauges();
    int operations = drain();
    // After it: no request was made later than the time that it is judged by.
    time.advance(waitedNs);
    waitedNs = 0;
    if (time.takeWasSetBack()) {
      state.readAgain();
      upkeep.restart();
    }
    if (reopenings.isDue(time.nowNs()) && !isClosing) {
      reopenByItself();
    }
    if (time.takeWasAway() && mayExpire()) {
      expiryFrom = ring.putCount();
    }
    long waitNs = group.isEmpty() ? waitNs() : 0;
    // An action first: requests behind it were made before what is due by now.
    boolean isIdle = group.isEmpty() && waitNs > 0 && nextAction == null;
    if (!group.isEmpty() || (waitNs <= 0 && nextAction == null)) {
      committer.commit(group, upkeep, dueTime(), operations);
    }
    if (isIdle) {
      committer.settle();
      sleep(waitNs);
    } else {
      committer.settleIfDue();
    }
  }

  /**
   * Takes up requests until the group is large enough, the ring is empty, or an action is met,
   * which is to run after the group. Returns how many operations the requests may need.
   */
  private int drain() {
    int operations = 0;
    long bytes = 0;
    while (operations < GROUP_OPERATIONS && bytes < GROUP_BYTES) {
      // Before something is taken: what is taken and not in the group would never be answered.
      // So it goes in before it is asked for anything.
      group.ensureCapacity(group.size() + 1);
      RingEntry next = ring.take();
      if (!(next instanceof Request<?> request)) {
        nextAction = (LoopAction) next;
        return operations;
      }
      group.add(request);
      operations += request.transition().cost().operations();
      bytes += request.bytes();
    }
    return operations;
  }

  /**
   * Tells whether leases may be ended. After an absence the requests that queued up meanwhile are
   * taken up first, for their leases had not ended when they were made. Requests that came later
   * are not waited for, so that load that never pauses keeps no lease alive.
   */
  private boolean mayExpire() {
    return ring.takenCount() - expiryFrom >= 0;
  }

  /**
   * Returns the times for due work. Leases and waits may be ended up to the moment when the oldest
   * request of the group was made.
   */
  private DueWork.DueTime dueTime() {
    long oldestNs = time.nowNs();
    for (Request<?> request : group) {
      if (request.submittedNs() - oldestNs < 0) {
        oldestNs = request.submittedNs();
      }
    }
    long expiryNs = time.leaseNs(oldestNs) - (mayExpire() ? 0 : BEFORE_ANY_LEASE_NS);
    SubmitTime sweep = mayExpire() ? time.submitTime(oldestNs) : SubmitTime.NEVER;
    return new DueWork.DueTime(time.nowMs(), time.steadyMs(), time.nowNs(), expiryNs, sweep);
  }

  private long waitNs() {
    long waitNs = Math.min(committer.waitNs(), reopenings.waitNs(time.nowNs()));
    waitNs = Math.min(waitNs, time.leapWaitNs());
    DueWork.DueTime now = dueTime();
    if (committer.isDueWorkOff() || committer.poison().isPresent()) {
      return waitNs;
    }
    return Math.min(waitNs, upkeep.waitNs(now));
  }

  private long sleepMaxNs() {
    long mostNs = options.clock().parkMaxNs();
    if (!state.hasRunningLease()) {
      return mostNs;
    }
    long lookNs = options.stallThreshold().toNanos() / LOOKS_PER_STALL;
    return Math.min(mostNs, Math.max(LOOK_LEAST_NS, lookNs));
  }

  /** Sleeps unless the engine is closing. One look is enough: closing unparks the thread. */
  private void sleep(long untilDueNs) {
    if (!isClosing) {
      waitedNs = ring.sleep(Math.min(untilDueNs, sleepMaxNs()));
    }
  }
}
