package io.millrace.engine;

import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.TableReader;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.calls.CallLimits;
import io.millrace.engine.noted.Troubles;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.JobLives;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.state.ServedQueues;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.ConfigureName;
import io.millrace.spi.StoreClosedException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The parts that an engine and its handles share: they make changes, claim and read. A handle adds
 * to them what it is a handle of, such as the name of a queue. Any thread.
 */
final class EngineCore {

  private final CommitLoop loop;
  private final StoreReader reader;
  private final LeaseDelivery delivery;
  private final Submitter submitter;
  private final Claims claims;
  private final QueueLeases queueLeases;
  private final Remembered remembered;
  private final BulkLeases bulkLeases;

  private EngineCore(
      CommitLoop loop,
      StoreReader reader,
      LeaseDelivery delivery,
      Submitter submitter,
      Remembered remembered) {
    this.loop = loop;
    this.reader = reader;
    this.delivery = delivery;
    this.submitter = submitter;
    this.remembered = remembered;
    this.bulkLeases = new BulkLeases(submitter);
    this.claims = new Claims(loop, submitter, delivery);
    this.queueLeases = new QueueLeases(loop, remembered.queueLeases(), submitter, claims);
  }

  /**
   * The parts whose state is in memory alone: leases on jobs and queues, awaited ends of jobs,
   * listeners, explanations, ids for jobs of transactions to come, troubles of other parts, queues
   * that workers serve, and attempts that ended with their leases.
   */
  private record Remembered(
      LeaseTable leases,
      QueueLeaseTable queueLeases,
      AwaitedEnds awaited,
      Listenings listenings,
      Explains explains,
      Transactions transactions,
      Troubles troubles,
      ServedQueues served,
      LostAttemptLog lostAttempts) {}

  /** Creates the core of an engine; its calls wait for the durability of the options. */
  static EngineCore of(
      EngineOptions options,
      CommitLoop loop,
      ReopenableStore store,
      OpenViews views,
      WorkingSet state) {
    JobLives lives = state.totals().lives();
    FunctionThreads functions = new FunctionThreads();
    Submitter submitter =
        new Submitter(
            options.clock(), loop, functions, options.durability(), options.callTimeout());
    return new EngineCore(
        loop,
        new StoreReader(store::store, loop::latestMs, submitter::quarantine, () -> {}, views),
        new LeaseDelivery(loop, store, views, submitter::quarantine),
        submitter,
        new Remembered(
            state.leases(),
            state.queueLeases(),
            lives.awaited(),
            new Listenings(lives.listened()),
            new Explains(loop, store, state, submitter, options.overloadWait()),
            new Transactions(state.totals(), functions),
            new Troubles(options.clock()::monotonicNs),
            state.unserved().served(),
            new LostAttemptLog(lives.lost())));
  }

  /** Returns a core of the same engine whose calls wait for this durability. */
  EngineCore with(Durability level) {
    return new EngineCore(loop, reader, delivery, submitter.with(level), remembered);
  }

  Submitter submitter() {
    return submitter;
  }

  boolean isClosed() {
    return loop.health().status() == EngineHealth.Status.CLOSED;
  }

  /** Returns the threads on which functions of transactions run. */
  FunctionThreads functions() {
    return submitter.functions();
  }

  Claims claims() {
    return claims;
  }

  QueueLeases queueLeases() {
    return queueLeases;
  }

  /** Returns the figures of a queue, and the lease on it as a whole. */
  Optional<QueueStats> stats(QueueName queue) {
    return read(reader -> reader.stats(queue)).map(queueLeases::shown);
  }

  /** Returns the figures of a page of queues, and the leases on them as wholes. */
  Page<QueueStats> stats(PageRequest page) {
    Page<QueueStats> stored = read(reader -> reader.stats(page));
    return new Page<>(stored.items().stream().map(queueLeases::shown).toList(), stored.next());
  }

  /** Carries out as one whatever the function asks for. */
  <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work) {
    return remembered.transactions().transact(submitter, this::readRows, work);
  }

  private <R> R readRows(String table, Function<TableReader<byte[], byte[]>, R> question) {
    return read(reader -> question.apply(reader.table(table, Codec.BYTES, Codec.BYTES)));
  }

  /**
   * Explains why a job is not running; empty if it no longer exists.
   *
   * @param isTold tells whether jobs of a queue may be named
   */
  Optional<Explanation> explain(JobId id, Predicate<QueueName> isTold) {
    return remembered
        .explains()
        .explain(id, isTold, this::read)
        .map(told -> ToldTroubles.explained(told, troubles(), it -> read(look -> look.get(it))));
  }

  /** Returns the log of attempts that ended with their leases. */
  LostAttemptLog lostAttempts() {
    return remembered.lostAttempts();
  }

  /** Returns the troubles that workers report. */
  Troubles troubles() {
    return remembered.troubles();
  }

  /** Returns the queues that workers say they serve. */
  ServedQueues served() {
    return remembered.served();
  }

  /** Returns the operations on several leases of one call. */
  BulkLeases bulkLeases() {
    return bulkLeases;
  }

  Listenings listenings() {
    return remembered.listenings();
  }

  /** Returns the leases on jobs. */
  LeaseTable leases() {
    return remembered.leases();
  }

  Awaits awaits() {
    return new Awaits(loop, submitter, remembered.awaited());
  }

  /**
   * Changes settings; begins anew as often as others have changed them meanwhile.
   *
   * @param known the settings as the store has them
   * @param change turns the settings into those that the user wants
   * @param transition makes the change if the settings are still those it expects; else answers
   *     with the present ones
   * @return the new settings
   */
  QueueSettings change(
      QueueSettings known,
      UnaryOperator<QueueSettings> change,
      BiFunction<QueueSettings, QueueSettings, Transition<Optional<QueueSettings>>> transition) {
    Objects.requireNonNull(change, "change");
    QueueSettings held = known;
    while (true) {
      QueueSettings changed = held.changed(change);
      Optional<QueueSettings> other = submitter.call(transition.apply(held, changed));
      if (other.isEmpty()) {
        return changed;
      }
      held = other.get();
    }
  }

  /** Returns a handle of the lease that the caller names by job and token. */
  Lease lease(JobId job, long token) {
    CallLimits.lease(job, token);
    return LeaseHandle.told(submitter, delivery, JobAddress.of(job).orElseThrow(), token);
  }

  /** Changes the settings for all queues of a name, beginning with those held now. */
  void configureName(String queueName, UnaryOperator<QueueSettings> change) {
    QueueSettings held = read(reader -> reader.settings(queueName));
    QueueSettings changed =
        change(held, change, (from, to) -> new ConfigureName(queueName, from, to));
    Acts.onQueue("name configured", queueName, changed);
  }

  /**
   * Puts a question to the store.
   *
   * @throws io.millrace.api.EngineClosedException the engine was closed meanwhile
   * @throws io.millrace.api.EnginePoisonedException the engine is being reopened
   */
  <R> R read(Function<StoreReader, R> question) {
    try {
      return question.apply(reader);
    } catch (StoreClosedException e) {
      throw loop.storeClosed("nothing was read", e);
    }
  }

  /** Returns engine time as the loop knew it last, in epoch milliseconds. */
  long latestMs() {
    return loop.latestMs();
  }
}
