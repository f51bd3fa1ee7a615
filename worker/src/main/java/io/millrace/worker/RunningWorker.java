package io.millrace.worker;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.Source.Claim;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker at work.
 *
 * <p>One claim for each {@link Source} waits in the engine. Its answer comes on the thread where
 * the engine completes futures, which hands the jobs over to the threads of handlers and makes the
 * next claim. A thread whose handler has returned asks for the job's end without waiting for it,
 * and then makes the next claim: so the ends of jobs share commits with each other.
 */
final class RunningWorker implements Worker {

  private static final Logger LOG = LoggerFactory.getLogger(RunningWorker.class);

  /** The longest wait of a claim; one without an answer by then is made anew. */
  private static final Duration CLAIM_WAIT = Duration.ofDays(1);

  private static final String NO_THREAD = "no thread for a job, which is handed back: worker={}";

  /** The rest after a failure that passes, such as a full store or no thread to be had. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final JobQueues queues;
  private final String name;
  private final Handlers handlers;
  private final List<Middleware> middlewares;
  private final Listeners listeners;
  private final UnknownTypes unknown;
  private final Leaving leaving;
  private final Optional<Duration> leaseDuration;
  private final List<Source> sources;
  private final Load load;
  private final WorkerThreads threads;
  private final FailureLog failures;
  private final LeaseKeeper keeper;
  private final HandBacks handBacks;
  private final Optional<ScheduleKeeper> scheduleKeeper;
  private final WorkerEnd end;
  private final Serving serving;
  private final AtomicBoolean isEngineClosed = new AtomicBoolean();
  private final Management management;
  private final Duration beginLeast;
  private final BooleanSupplier runNext = this::runNext;
  private Future<?> nextLook = CompletableFuture.completedFuture(null);

  RunningWorker(WorkerSetup setup) {
    this.queues = setup.queues;
    this.name = setup.name;
    this.handlers = setup.handlers;
    this.middlewares = List.copyOf(setup.middlewares);
    this.listeners = new Listeners(name, setup.listeners);
    this.unknown = new UnknownTypes(name, queues, setup.unknownDeadAfter);
    this.leaseDuration = setup.leaseDuration;
    this.sources = Source.of(handlers);
    this.load = new Load(sources, setup.concurrency, setup.minConcurrency);
    this.threads = new WorkerThreads(name, setup.executor);
    this.failures = FailureLog.of(setup, threads::runBeside);
    this.keeper = new LeaseKeeper(this, load, threads);
    this.handBacks = new HandBacks(queues);
    this.scheduleKeeper = setup.scheduleKeeper;
    this.leaving = new Leaving(this, load, threads);
    this.end = new WorkerEnd(this, load, threads);
    this.serving = new Serving(queues, handlers);
    this.management = setup.management;
    this.beginLeast = setup.beginLeast;
  }

  /**
   * Starts the worker. Not part of the constructor, since code that is told of the worker may call
   * it.
   */
  void begin(Optional<Duration> shutdownGrace) {
    handlers.all().forEach(handler -> unknown.known(handler.type().name()));
    serving.begin();
    end.first(serving);
    if (queues instanceof WorkerDriver driver) {
      driver.drive(runNext);
      end.first(() -> driver.release(runNext));
    } else {
      threads.begin(LeaseKeeper.LOOK_MOST, this::guard);
      end.last(queues.beforeShutdown(() -> end.stopAtShutdown(shutdownGrace)));
      if (management == Management.JMX) {
        end.last(WorkerBean.show(this));
      }
      claim(load.claims());
    }
    end.last(failures);
    LOG.info("worker started: worker={}, concurrency={}", name, concurrency());
  }

  JobQueues queues() {
    return queues;
  }

  List<Middleware> middlewares() {
    return middlewares;
  }

  Duration beginLeast() {
    return beginLeast;
  }

  Leaving leaving() {
    return leaving;
  }

  HandBacks handBacks() {
    return handBacks;
  }

  /** Calls each listener; an exception of one harms no other. */
  void told(Consumer<WorkerListener> event) {
    listeners.tell(event);
  }

  UnknownTypes unknown() {
    return unknown;
  }

  FailureLog failures() {
    return failures;
  }

  // Claims.

  private void refill() {
    if (!(queues instanceof WorkerDriver)) {
      claim(load.claims());
    }
  }

  /**
   * Makes claims for jobs as heavy as there is room for, in place of the narrower ones that wait.
   */
  void widen() {
    claim(load.widened());
  }

  private void claim(Load.Claims claims) {
    try {
      endWaits(claims.ended());
      claims.made().forEach(this::send);
    } catch (Throwable e) { // the guard makes those anew that did not come about
      for (Claim claim : claims.made()) {
        if (!claim.isHeard()) {
          load.answered(claim);
          claim.cancel();
        }
      }
    }
  }

  /**
   * Makes up, once a second, for what an error kept from being done. An event that was lost with an
   * error is found here by the state that it left. Never throws.
   */
  private void guard() {
    try {
      keeper.lookNow();
      load.runs().forEach(this::comeBack);
      load.forgotten().forEach(this::begin);
      if (isEngineClosed.get() && !load.isStopping()) {
        end.stopBeside(Duration.ZERO);
      }
      refill();
      keepSchedules();
      failures.writeWhatIsDue();
    } catch (Throwable e) {
      // It comes again.
    }
  }

  private void keepSchedules() {
    if (scheduleKeeper.isPresent() && !load.isStopping() && scheduleKeeper.get().look()) {
      threads.runBeside(scheduleKeeper.get()::tryToPutRight);
    }
  }

  private void comeBack(JobRun run) {
    if (!run.takeToComeBack()) {
      return;
    }
    try {
      if (run.lease().remaining().isZero()) {
        settled(run, Outcome.UNKNOWN);
      } else {
        threads.runBeside(run::finish);
      }
    } catch (Throwable e) {
      run.comeBack();
    }
  }

  /** Ends the waits of claims. When they are answered, others are made in their place. */
  private void endWaits(List<Claim> claims) {
    for (Claim claim : claims) {
      try {
        claim.endWait(queues);
      } catch (Throwable e) {
        LOG.debug("claim cannot be ended, and is cancelled: worker={}", name, e);
        claim.cancel();
      }
    }
  }

  private void send(Claim claim) {
    CompletableFuture<List<Lease>> answer;
    try {
      answer = claim.send(queues, options(claim).waiting(CLAIM_WAIT));
    } catch (Throwable e) { // whatever it is, a claim must be made again
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((leases, thrown) -> answered(claim, leases, thrown));
    claim.heard();
  }

  private ClaimOptions options(Claim claim) {
    ClaimOptions options =
        ClaimOptions.by(name)
            .max(claim.countMost())
            .capacity(concurrency())
            .maxWeight(claim.weight());
    return leaseDuration.map(options::leaseDuration).orElse(options);
  }

  private void answered(Claim claim, @Nullable List<Lease> leases, @Nullable Throwable thrown) {
    try {
      Load.Taken taken = load.taken(claim, leases == null ? List.of() : leases, this::runOf);
      taken.begun().forEach(this::begin);
      keeper.keep(taken.all());
      leaving.release(taken.back());
      if (thrown != null && !(thrown instanceof CancellationException)) {
        claimFailed(thrown);
      }
      refill();
    } catch (Throwable e) { // the guard begins, hands back and claims what this did not
      load.answered(claim);
      Telling.tell(() -> LOG.error("jobs were not begun at once: worker={}", name, e));
    }
  }

  private JobRun runOf(Lease lease) {
    return new JobRun(this, lease, handlers.of(lease.type()));
  }

  private void claimFailed(Throwable thrown) {
    if (Settlement.causeOf(thrown) instanceof EngineClosedException) {
      engineClosed();
    } else {
      rest();
      Telling.tell(
          () -> LOG.warn("claim failed, and is made again: worker={}, in={}", name, REST, thrown));
    }
  }

  /** Stops the worker, since its engine was closed. */
  void engineClosed() {
    if (isEngineClosed.compareAndSet(false, true)) {
      LOG.info("worker stops, for its engine was closed: worker={}", name);
      end.stopBeside(Duration.ZERO);
    }
  }

  private void rest() {
    load.rest(REST);
    threads.after(REST.plusMillis(1), this::refill);
  }

  // Runs.

  void begin(JobRun run) {
    run.handedOver();
    threads.run(
        run,
        why -> {
          leaving.handBack(List.of(run), JobRun::takeAway);
          rest();
          Telling.tell(() -> LOG.error(NO_THREAD, name, why));
        });
  }

  /**
   * Takes back jobs that were handed over to threads long ago and have not begun: they may be lost
   * there.
   */
  void takeBack(List<JobRun> late) {
    LOG.warn(
        "jobs are handed back that the executor has taken and not begun: worker={}, count={},"
            + " first={}",
        name,
        late.size(),
        late.get(0).lease().jobId());
    rest();
    leaving.handBack(late, JobRun::handBackLate);
  }

  /** Interrupts the run when this time is over, unless the returned future is cancelled before. */
  Future<?> limit(JobRun run, Duration time) {
    return threads.after(time, () -> run.stop(StopReason.TIMEOUT));
  }

  /**
   * Asks for the end of the job whose handler has returned on this thread, and makes the next
   * claim.
   *
   * @param ending ends the job's lease; may be called several times
   */
  void ended(JobRun run, Supplier<CompletableFuture<Outcome>> ending) {
    Settlement settlement = new Settlement(this, threads, run, ending);
    CompletableFuture<Outcome> asked = settlement.ask();
    try {
      load.ended(run).forEach(this::begin);
      refill();
    } catch (Throwable e) { // the guard does it
      Telling.tell(() -> LOG.error("jobs were not begun at once: worker={}", name, e));
    }
    settlement.await(asked);
  }

  /** Notes how a job ended, or that this can never be known. */
  void settled(JobRun run, Outcome outcome) {
    boolean isRoomNew = load.settled(run, outcome);
    if (run.isFirstTelling()) {
      tellEnd(run, outcome);
    }
    if (isRoomNew) {
      refill();
    }
  }

  void tellEnd(JobRun run, Outcome outcome) {
    try {
      failures.ended(run, outcome);
      told(listener -> listener.ended(run.job(), run.end(outcome)));
    } finally {
      run.endTold();
    }
  }

  /**
   * Runs one job that is ready, on this thread, until listeners have been told of its end; returns
   * whether there was one.
   */
  private boolean runNext() {
    for (Source source : sources) {
      @Nullable Claim claim = load.claim(source);
      if (claim != null) {
        List<Lease> leases = claim.ask(queues, options(claim).max(1));
        Load.Taken taken = load.taken(claim, leases, this::runOf);
        leaving.release(taken.back()).join();
        if (!taken.begun().isEmpty()) {
          taken.begun().forEach(JobRun::run);
          taken.begun().forEach(JobRun::awaitEndTold);
          end.awaitStopping();
          return true;
        }
      }
    }
    return false;
  }

  // Control.

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<RunningJob> running() {
    return load.runs().stream()
        .flatMap(run -> run.shown().stream())
        .sorted(Comparator.comparing(RunningJob::since))
        .toList();
  }

  @Override
  public void pause() {
    load.paused(true);
    serving.pause();
    load.takeClaims().forEach(Claim::cancel);
    LOG.info("worker paused: worker={}", name);
    if (!(queues instanceof WorkerDriver)) {
      lookSoon();
    }
  }

  private synchronized void lookSoon() {
    nextLook.cancel(false);
    // A store that hangs must not keep the timer from lengthening leases.
    nextLook = threads.after(REST, () -> threads.runBeside(this::lookWhilePaused));
  }

  /**
   * Asks the engine for something, to learn of its end: while the worker is paused there is no
   * claim that would.
   */
  private void lookWhilePaused() {
    if (!load.isPaused() || load.isStopping()) {
      return;
    }
    try {
      queues.queue(handlers.all().iterator().next().queue()).stats();
    } catch (EngineClosedException e) {
      engineClosed();
      return;
    } catch (RuntimeException e) {
      LOG.debug("engine does not answer now: worker={}", name, e);
    }
    lookSoon();
  }

  @Override
  public void resume() {
    load.paused(false);
    serving.begin();
    LOG.info("worker resumed: worker={}", name);
    refill();
  }

  @Override
  public boolean isPaused() {
    return load.isPaused();
  }

  @Override
  public int concurrency() {
    return load.concurrency();
  }

  @Override
  public void concurrency(int weight) {
    load.concurrency(WorkerSetup.checked("concurrency", weight));
    endWaits(load.endedClaims()); // they say how heavy a job may ever be
    LOG.info("worker runs another weight at a time: worker={}, concurrency={}", name, weight);
    refill();
  }

  @Override
  public Map<String, Long> unknownTypes() {
    return unknown.counts();
  }

  @Override
  public int busy() {
    return load.busy();
  }

  @Override
  public CancelResult cancel(JobId job) {
    CancelResult result = queues.cancel(job);
    for (JobRun run : load.runs()) {
      if (run.lease().jobId().equals(job)) {
        run.stop(StopReason.CANCEL);
      }
    }
    return result;
  }

  @Override
  public StopReport stop(Duration grace) {
    Checks.upTo("grace", grace, Limits.DELAY_MAX);
    if (listeners.isTelling()) { // on whatever thread that is, what is to be waited for may need it
      end.stopBeside(grace);
      return load.report();
    }
    return end.stopFromHere(grace);
  }

  /** Tells whether the worker was told to stop and has not stopped yet. */
  boolean isStopping() {
    return load.isStopping() && !isStopped();
  }

  @Override
  public boolean isStopped() {
    return end.isDone();
  }

  @Override
  public void close() {
    stop(GRACE_DEFAULT);
  }
}
