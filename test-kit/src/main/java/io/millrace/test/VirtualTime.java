package io.millrace.test;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.test.TestEngine.CommitFate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a test engine beside the queues of its engine: the clock, the workers' handlers, and
 * faults.
 *
 * <p>The engine's loop is a thread of its own, and answers are given on another. The clock is moved
 * only when both are at rest: every request that the test or a handler has made is carried out,
 * every future that depends on it is completed, and the loop sleeps and has said for how long.
 */
final class VirtualTime implements AutoCloseable {

  private static final QueueName NOWHERE = QueueName.of("millrace-test: a queue that never exists");
  private static final String NOBODY = "millrace-test";
  private static final PageRequest ONE = PageRequest.first(1);

  /** The waits before the engine's own attempts to open its store again: none. */
  private static final List<Duration> AT_ONCE =
      Collections.nCopies(EngineOptions.REOPEN_COUNT_MAX, Duration.ZERO);

  private static final Duration NEVER = Duration.ofDays(3_650);

  /**
   * The start time of a process that is none of those running: when it opens the store, the leases
   * of all of them end.
   */
  private static final Instant OTHER_PROCESS = Instant.EPOCH;

  private final TestClock clock;
  private final TestMachine machine;
  private final JobEngine engine;
  private final List<BooleanSupplier> workers = new CopyOnWriteArrayList<>();
  private final HandlerFailures failures = new HandlerFailures();
  private volatile @Nullable Thread runner;

  private VirtualTime(Instant start, UnaryOperator<EngineOptions> change) {
    this.clock = new TestClock(start);
    EngineOptions options =
        EngineOptions.DEFAULT
            // A crash in a handler counts the attempt, as one that comes later than a moment.
            .claimsAnswer(EngineOptions.ClaimsAnswer.AFTER_COMMIT)
            .forTests(tests -> tests.spreadBackoffs(false).randomSeed(0))
            .reopenAfter(AT_ONCE)
            .stallThreshold(NEVER)
            .queueIdle(NEVER)
            .management(EngineOptions.Management.OFF)
            .closeAtShutdown(false)
            .name("test")
            .changed(change);
    this.machine = new TestMachine(clock::reopening, () -> recover(options));
    this.engine = JobEngine.open(machine, TestMachine.PLACE, options.clock(clock));
  }

  static TestEngine open(Instant start, UnaryOperator<EngineOptions> options) {
    VirtualTime time = new VirtualTime(start, options);
    return EngineCalls.proxy(time, time.engine);
  }

  /**
   * Does what a process does first after a crash: finds a store that was not closed, and ends the
   * leases of the dead. To the engine of the test this is another owner, after which it knows
   * nothing but what is in the store.
   */
  private void recover(EngineOptions options) {
    EngineOptions anothers =
        options
            .clock(new StoppedClock(clock.nowNs()))
            .forTests(tests -> tests.processStart(OTHER_PROCESS));
    JobEngine.open(machine, TestMachine.PLACE, anothers).close();
  }

  /** A clock that shows the time of a crash. */
  private final class StoppedClock implements EngineClock {

    private final long nowNs;

    StoppedClock(long nowNs) {
      this.nowNs = nowNs;
    }

    @Override
    public long epochMs() {
      return clock.epochMs();
    }

    @Override
    public long monotonicNs() {
      return nowNs;
    }

    @Override
    public void parkNs(long durationNs) {
      LockSupport.parkNanos(this, durationNs);
    }
  }

  void drive(BooleanSupplier next) {
    workers.add(next);
  }

  void release(BooleanSupplier next) {
    workers.remove(next);
  }

  /** Returns the exceptions that handlers threw. */
  HandlerFailures failures() {
    return failures;
  }

  int run() {
    int ran = runWhatIsReady();
    failures.check();
    return ran;
  }

  private int runWhatIsReady() {
    if (isInHandler()) {
      throw new IllegalStateException(
          "run was called inside a handler: it would run others inside of that;"
              + " advance lets time pass there");
    }
    settle();
    return runReady();
  }

  /**
   * Lets the workers run a job each in turn, as long as one of them has any. The engine is at rest
   * before and after. The end of a job may have enqueued others. Returns how many handlers ran.
   */
  private int runReady() {
    int ran = 0;
    boolean isAny = hasReady();
    while (isAny) {
      int before = ran;
      for (BooleanSupplier worker : workers) {
        if (workers.contains(worker) && runNext(worker)) {
          ran++;
          checkCount(ran);
        }
      }
      isAny = ran > before && hasReady();
      if (!isAny && ran > before) {
        long commit = machine.lastCommit();
        settle();
        settle(); // the first waits for what depends on an end, this for what that has asked for
        isAny = machine.lastCommit() != commit && hasReady();
      }
    }
    return ran;
  }

  /**
   * Tells whether any queue has jobs for workers to claim; a look at the store costs less than
   * claims.
   */
  private boolean hasReady() {
    return !workers.isEmpty() && !engine.activeQueues(clock.now(), ONE).items().isEmpty();
  }

  private boolean runNext(BooleanSupplier worker) {
    runner = Thread.currentThread();
    try {
      return worker.getAsBoolean();
    } catch (SimulatedCrash e) {
      return true;
    } finally {
      runner = null;
    }
  }

  private void checkCount(int ran) {
    if (ran <= TestEngine.RUNS_AT_ONCE_MAX) {
      return;
    }
    TreeMap<String, Integer> ready = new TreeMap<>();
    for (Job job : JobsFound.all(engine, JobFilter.ALL.state(JobState.READY))) {
      ready.merge(job.type(), 1, Integer::sum);
    }
    throw new AssertionError(
        "handlers keep running at one instant: ran="
            + ran
            + ", most="
            + TestEngine.RUNS_AT_ONCE_MAX
            + ", now="
            + clock.now()
            + ", still ready by type="
            + ready);
  }

  int advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time is negative: value=" + time);
    }
    if (time.compareTo(TestEngine.TIME_MAX) > 0) {
      throw new IllegalArgumentException(
          "time is too long: value=" + time + ", most=" + TestEngine.TIME_MAX);
    }
    return advanceTo(clock.now().plus(time));
  }

  int advanceTo(Instant instant) {
    if (instant.isBefore(clock.now())) {
      throw new IllegalArgumentException(
          "the clock never goes back: value=" + instant + ", now=" + clock.now());
    }
    long targetNs = clock.ns(instant);
    boolean isToRun = !isInHandler();
    int ran = 0;
    if (isToRun) {
      ran = runWhatIsReady();
    } else {
      settle();
    }
    long dueNs = clock.awaitIdle();
    while (clock.nowNs() < targetNs) {
      clock.moveTo(Math.min(dueNs, targetNs));
      dueNs = clock.awaitIdle();
      int now = isToRun ? runReady() : 0;
      if (now > 0) {
        ran += now;
        dueNs = clock.awaitIdle();
      }
    }
    if (isToRun) {
      failures.check();
    }
    return ran;
  }

  private boolean isInHandler() {
    return Thread.currentThread() == runner;
  }

  /**
   * Waits until the engine is at rest. A call that it answers by a future comes after all calls
   * made before, and its answer after all of theirs.
   */
  private void settle() {
    try {
      List<?> none = engine.queue(NOWHERE).claimAsync(ClaimOptions.by(NOBODY)).join();
      if (!none.isEmpty()) {
        throw new IllegalStateException("jobs in a queue that nobody has: " + none);
      }
    } catch (CompletionException e) {
      // Poisoned for good, as the test's own options have it: it answers nothing any more.
      if (!(e.getCause() instanceof MillraceException)) {
        throw e;
      }
    }
    clock.awaitIdle();
  }

  void crash() {
    machine.crash();
    try {
      engine.queue(NOWHERE).enqueue(new byte[0]);
      throw new IllegalStateException("a dead process has committed a job");
    } catch (MillraceException expected) {
      // Nothing gets through any more.
    }
    clock.awaitReopened();
    engine
        .poison()
        .ifPresent(
            cause -> {
              throw new IllegalStateException("the engine could not be started again", cause);
            });
    if (isInHandler()) {
      throw new SimulatedCrash();
    }
  }

  void failNextCommit(CommitFate fate) {
    machine.failNextCommit(Objects.requireNonNull(fate, "fate"));
  }

  <T> JobsAssert<T> assertJobs(JobType<T> type) {
    settle();
    return new JobsAssert<>(type, JobsFound.of(engine, type), engine.now());
  }

  /** Waits until the engine works again, before a call to it. */
  void awaitReopened() {
    clock.awaitReopened();
  }

  @Override
  public void close() {
    engine.close();
  }
}
