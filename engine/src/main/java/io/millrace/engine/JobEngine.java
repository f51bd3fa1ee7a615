package io.millrace.engine;

import io.millrace.api.Batches;
import io.millrace.api.CancelResult;
import io.millrace.api.CheckReturnValue;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobAdmin;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobSignals;
import io.millrace.api.Lease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.calls.AtShutdown;
import io.millrace.calls.TableCodecs;
import io.millrace.engine.jmx.EngineAccess;
import io.millrace.engine.jmx.Visibility;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.copy.StoreCopy;
import io.millrace.internal.measure.Recorder;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.queue.GoOnBroadcast;
import io.millrace.options.Checks;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Durable queues in one store: opens it, and holds it until it is closed.
 *
 * <p>Any thread may use it. One engine holds a store at a time. Closing it hands all leases back;
 * what was acknowledged before stays, also if the process dies instead.
 *
 * <pre>{@code
 * try (JobEngine engine = JobEngine.open("lmdb:data/jobs")) {
 *   JobQueue mail = engine.queue("mail");
 *   mail.enqueue("hello".getBytes(UTF_8));
 * }
 * }</pre>
 */
public final class JobEngine extends EngineReads {

  private final CommitLoop loop;
  private final ReopenableStore store;
  private final OpenViews views;
  private final MetricsSource metrics;
  private Optional<Visibility> visibility = Optional.empty();
  private Optional<AtShutdown> atShutdown = Optional.empty();

  private JobEngine(
      EngineCore core,
      CommitLoop loop,
      ReopenableStore store,
      OpenViews views,
      MetricsSource metrics) {
    super(core);
    this.loop = loop;
    this.store = store;
    this.views = views;
    this.metrics = metrics;
  }

  /**
   * Opens the store at a location, with the default options.
   *
   * @throws IllegalArgumentException as {@link #open(String, EngineOptions)}
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobEngine open(String location) {
    return open(location, EngineOptions.DEFAULT);
  }

  /**
   * Opens the store at a location: the kind of store, a colon, and where it is, as in {@code
   * lmdb:data/jobs}. An absent folder is created.
   *
   * @throws IllegalArgumentException the location has no such form, or no store of its kind is on
   *     the class path
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobEngine open(String location, EngineOptions options) {
    StorePlace place = StorePlace.of(location);
    return open(place.factory(), place.options(), options);
  }

  /**
   * Opens a store through its factory, for what a location cannot say.
   *
   * @throws IllegalArgumentException {@code store} asks for read-only access, or an option does not
   *     fit the store
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobEngine open(StoreFactory factory, StoreOptions store, EngineOptions options) {
    return open(factory, store, options, GoOnBroadcast.STEP);
  }

  /**
   * Opens the store at a location as soon as nobody else has it: for a process that stands by, or
   * that replaces another which is being stopped. Looks ten times a second, on this thread. A store
   * that cannot be reached is waited for, too.
   *
   * @param atMost how long to wait
   * @throws IllegalArgumentException as {@link #open(String, EngineOptions)}, or {@code atMost} is
   *     negative or longer than {@link io.millrace.api.Limits#DELAY_MAX}
   * @throws io.millrace.spi.StoreLockedException somebody else still had it when the time was over,
   *     or the thread was interrupted, which it then still is
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobEngine openWhenFree(String location, EngineOptions options, Duration atMost) {
    StorePlace place = StorePlace.of(location);
    return openWhenFree(place.factory(), place.options(), options, atMost);
  }

  /**
   * Opens a store through its factory as soon as nobody else has it; see {@link
   * #openWhenFree(String, EngineOptions, Duration)}.
   *
   * @throws IllegalArgumentException as {@link #open(StoreFactory, StoreOptions, EngineOptions)},
   *     or {@code atMost} is negative or longer than {@link io.millrace.api.Limits#DELAY_MAX}
   * @throws io.millrace.spi.StoreLockedException somebody else still had it when the time was over,
   *     or the thread was interrupted, which it then still is
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobEngine openWhenFree(
      StoreFactory factory, StoreOptions store, EngineOptions options, Duration atMost) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(atMost, "atMost");
    return WhenFree.opened(() -> open(factory, store, options), options.clock(), atMost);
  }

  /** Opens a store through its factory; a step of a broadcast reaches at most this many jobs. */
  static JobEngine open(
      StoreFactory factory, StoreOptions store, EngineOptions given, int broadcastStepMax) {
    Objects.requireNonNull(factory, "factory");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(given, "options");
    if (store.access() != StoreOptions.Access.READ_WRITE) {
      throw new IllegalArgumentException(
          "an engine writes: access=" + store.access() + "; use inspect");
    }
    ReopenableStore opened = new ReopenableStore(factory, store, new Recorder(given.clock()));
    Runnable undo = () -> opened.store().close();
    try {
      StoreInfo info = opened.store().info();
      EngineOptions options = StoreClock.applied(given, opened);
      EngineOptions fitting = EngineRules.fitting(options, info);
      WorkingSet state = EngineRules.workingSet(fitting, info, broadcastStepMax);
      CommitLoop loop = new CommitLoop(fitting, opened, state);
      OpenViews views = new OpenViews(options.clock()::monotonicNs, info, options.overloadWait());
      EngineCore core = EngineCore.of(fitting, loop, opened, views, state);
      MetricsSource metrics = new MetricsSource(options.clock(), loop, opened, state, views);
      JobEngine engine = new JobEngine(core, loop, opened, views, metrics);
      undo = engine::close;
      loop.start(DueWorks.of(fitting, state, loop, core));
      if (options.management() == EngineOptions.Management.JMX) {
        engine.visibility = Optional.of(Visibility.begin(engine.access(options)));
      }
      Runnable end = options.closeAtShutdown() ? engine::close : () -> {};
      engine.atShutdown = Optional.of(AtShutdown.begin(end));
      return engine;
    } catch (Throwable e) {
      ReopenableStore.closeAfter(e, undo);
      throw e;
    }
  }

  private EngineAccess access(EngineOptions options) {
    String kind = store.store().info().name();
    String name = options.name().orElse(kind + ":" + store.place());
    return new EngineAccess(
        new EngineAccess.Label(name, kind, store.place()),
        this,
        this::metrics,
        this::health,
        this::reopen,
        this::backup);
  }

  /**
   * Opens a store that no engine holds, only to look at it: nothing is changed.
   *
   * @throws IllegalArgumentException as {@link #open(String, EngineOptions)}
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobReader inspect(String location) {
    StorePlace place = StorePlace.of(location);
    return inspect(place.factory(), place.options());
  }

  /**
   * Opens a store through its factory, only to look at it: nothing is changed.
   *
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  public static JobReader inspect(StoreFactory factory, StoreOptions options) {
    OrderedStore store = factory.open(options.access(StoreOptions.Access.READ_ONLY));
    try {
      StoreCopy.checkReadable(store);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    return new StoreReader(
        () -> store,
        System::currentTimeMillis,
        key -> {},
        store::close,
        new OpenViews(System::nanoTime, store.info(), EngineOptions.DEFAULT.overloadWait()));
  }

  @Override
  public JobEngine with(Durability durability) {
    JobEngine engine = new JobEngine(core().with(durability), loop, store, views, metrics);
    engine.visibility = visibility;
    engine.atShutdown = atShutdown;
    return engine;
  }

  @Override
  public Optional<String> seenAs() {
    return visibility.map(Visibility::name);
  }

  @Override
  public AutoCloseable beforeShutdown(Runnable work) {
    core().functions().check();
    return atShutdown.orElseThrow().before(Objects.requireNonNull(work, "work"));
  }

  @Override
  public JobQueue queue(QueueName name) {
    return new QueueHandle(core(), name);
  }

  @Override
  public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return new TableHandle<>(core(), new TableCodecs<>(name, keys, values));
  }

  @Override
  @CheckReturnValue
  public List<Lease> claim(List<QueueName> queues, ClaimOptions claim) {
    return core().claims().claim(queues, claim);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions claim) {
    return core().claims().claimAsync(queues, claim);
  }

  @Override
  @CheckReturnValue
  public List<Lease> claimAcrossTenants(List<String> queueNames, ClaimOptions claim) {
    return core().claims().claimAcrossTenants(queueNames, claim);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      List<String> queueNames, ClaimOptions claim) {
    return core().claims().claimAcrossTenantsAsync(queueNames, claim);
  }

  @Override
  public void endWait(CompletableFuture<List<Lease>> claim) {
    core().functions().check();
    core().claims().endWait(claim);
  }

  @Override
  public Lease lease(JobId job, long token) {
    return core().lease(job, token);
  }

  @Override
  @CheckReturnValue
  public QueueLeaseResult leaseQueue(QueueName queue, String worker, Duration duration) {
    return core().queueLeases().lease(queue, worker, duration);
  }

  @Override
  @CheckReturnValue
  public List<CompleteResult> completeAll(List<Lease> leases) {
    return core().bulkLeases().end(leases, Complete::new);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<CompleteResult>> completeAllAsync(List<Lease> leases) {
    return core().bulkLeases().endAsync(leases, Complete::new);
  }

  @Override
  @CheckReturnValue
  public List<CompleteResult> completeAllWithResults(List<Completion> completions) {
    return core().bulkLeases().complete(completions);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<CompleteResult>> completeAllWithResultsAsync(
      List<Completion> completions) {
    return core().bulkLeases().completeAsync(completions);
  }

  @Override
  @CheckReturnValue
  public List<FailResult> failAll(List<Lease> leases, String error, FailOptions how) {
    return core().bulkLeases().end(leases, BulkLeases.failing(error, how));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<FailResult>> failAllAsync(
      List<Lease> leases, String error, FailOptions how) {
    return core().bulkLeases().endAsync(leases, BulkLeases.failing(error, how));
  }

  @Override
  @CheckReturnValue
  public List<ReleaseResult> releaseAll(List<Lease> leases) {
    return core().bulkLeases().end(leases, Release::new);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<ReleaseResult>> releaseAllAsync(List<Lease> leases) {
    return core().bulkLeases().endAsync(leases, Release::new);
  }

  @Override
  @CheckReturnValue
  public List<ExtendResult> extendAll(List<Lease> leases, Duration duration) {
    return core().bulkLeases().keep(leases, BulkLeases.extending(duration));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<ExtendResult>> extendAllAsync(
      List<Lease> leases, Duration duration) {
    return core().bulkLeases().keepAsync(leases, BulkLeases.extending(duration));
  }

  @Override
  @CheckReturnValue
  public CancelResult cancel(JobId id) {
    Objects.requireNonNull(id, "id");
    return Acts.onJob("cancel", id, core().submitter().call(Cancel.orMark(id)));
  }

  @Override
  @CheckReturnValue
  public CancelResult cancelIfWaiting(JobId id) {
    Objects.requireNonNull(id, "id");
    return Acts.onJob("cancel if waiting", id, core().submitter().call(Cancel.ifWaiting(id)));
  }

  @Override
  @CheckReturnValue
  public RescheduleResult reschedule(JobId id, Instant visibleAt) {
    Objects.requireNonNull(id, "id");
    Reschedule change = new Reschedule(id, Checks.instant("visibleAt", visibleAt));
    return Acts.onJob("reschedule", id, core().submitter().call(change));
  }

  @Override
  @CheckReturnValue
  public UpdateResult update(JobId id, UpdateOptions changes) {
    Objects.requireNonNull(id, "id");
    Update change = new Update(id, Objects.requireNonNull(changes, "changes"));
    return Acts.onJob("update", id, core().submitter().call(change));
  }

  @Override
  public Batches batches() {
    return new EngineBatches(core(), this);
  }

  @Override
  public JobSignals signals() {
    return new Signals(core());
  }

  @Override
  public JobAdmin admin() {
    return new Administration(core());
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<JobEnd<byte[]>> await(JobId id) {
    return core().awaits().await(id);
  }

  @Override
  @CheckReturnValue
  public <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work) {
    return core().transact(work);
  }

  @Override
  public JobListening listen(JobListener listener) {
    core().functions().check();
    return core()
        .listenings()
        .listen(Optional.empty(), EnumSet.allOf(JobEvent.Kind.class), listener);
  }

  @Override
  public JobListening listen(QueueName queue, Set<JobEvent.Kind> kinds, JobListener listener) {
    core().functions().check();
    return core()
        .listenings()
        .listen(Optional.of(Objects.requireNonNull(queue, "queue")), kinds, listener);
  }

  /**
   * Returns the failure that made the engine refuse all changes, if there was one: an earlier write
   * or sync that failed.
   */
  public Optional<Throwable> poison() {
    return loop.poison();
  }

  /** Tells whether the store is full, so that only requests that free space are carried out. */
  public boolean isFull() {
    return loop.isFull();
  }

  /** Returns what the engine does and holds now. Never waits for the engine's own work. */
  public EngineMetrics metrics() {
    return metrics.metrics();
  }

  /** Returns the engine's health and the reason for it. Never waits for the engine's own work. */
  public EngineHealth health() {
    return loop.health();
  }

  /**
   * Opens the store again after a failure that poisoned the engine. All handles stay valid, and
   * leases on jobs and queues are honoured: each lasts its full duration from now. Does nothing to
   * an engine that is not poisoned.
   *
   * @throws io.millrace.spi.StoreException the store cannot be opened; the engine stays poisoned
   */
  public void reopen() {
    core().functions().check();
    loop.reopen();
  }

  /**
   * Writes a backup of everything acknowledged before this call, and of no half of a change, while
   * work goes on. It is a store of its own, of the same kind; {@link Stores#restore} makes of it
   * the store to go on with. Blocks for as long as it takes to copy the store, and slows others
   * down by that alone. Until it returns, no open and no restore takes what is in the folder for a
   * backup.
   *
   * @param folder absent or empty
   * @throws io.millrace.spi.StoreException the folder is not empty, cannot be written or has no
   *     room, and what was written is removed again; too many read; or the store is in memory
   * @throws EngineClosedException the engine was closed before the backup was whole; if it was
   *     reopened, {@link io.millrace.api.EnginePoisonedException}
   */
  public void backup(Path folder) {
    core().functions().check();
    Objects.requireNonNull(folder, "folder");
    try {
      views.during(() -> store.store().backupTo(folder));
    } catch (StoreClosedException e) {
      throw loop.storeClosed("there is no backup", e);
    }
    Acts.onStore("backed up", "folder=" + folder);
  }

  /** Returns the commit loop, for tests. */
  CommitLoop loop() {
    return loop;
  }

  /**
   * Takes no more requests, finishes those that wait, hands all leases back uncounted, makes
   * everything durable and closes the store. The leases of a store that several owners share stay
   * with their holders, who may be anywhere. Claims that wait for jobs, and backups, end with
   * {@link EngineClosedException}. Idempotent.
   *
   * @throws io.millrace.spi.StoreException the last commit failed, or an earlier one whose outcome
   *     is unknown; the store is closed all the same
   */
  @Override
  public void close() {
    try {
      atShutdown.ifPresent(AtShutdown::close);
      visibility.ifPresent(Visibility::close);
    } finally {
      try {
        loop.close();
      } finally {
        core().listenings().close();
        core().lostAttempts().close();
      }
    }
  }
}
