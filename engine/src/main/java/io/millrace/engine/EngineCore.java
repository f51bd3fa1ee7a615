package io.millrace.engine;

import io.millrace.api.Durability;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.engine.noted.Troubles;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.JobLives;
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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an engine and its handles share: how they have changes made, how they claim, and how they
 * read. A handle needs this and what it is a handle of. Any thread.
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
   * What is in memory alone: who has queues, who is told what happens to single jobs, what holds
   * them, the ids of jobs to come, what others could not do, which queues they serve, and which
   * attempts ended with their leases.
   */
  private record Remembered(
      QueueLeaseTable queueLeases,
      AwaitedEnds awaited,
      Listenings listenings,
      Explains explains,
      Transactions transactions,
      Troubles troubles,
      ServedQueues served,
      LostAttemptLog lostAttempts) {}

  /** One whose calls wait for what the engine promises. */
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
            state.queueLeases(),
            lives.awaited(),
            new Listenings(lives.listened()),
            new Explains(loop, store, state, submitter, options.overloadWait()),
            new Transactions(state.totals(), functions),
            new Troubles(options.clock()::monotonicNs),
            state.unserved().served(),
            new LostAttemptLog(lives.lost())));
  }

  /** The same engine's, but calls wait for this level. */
  EngineCore with(Durability level) {
    return new EngineCore(loop, reader, delivery, submitter.with(level), remembered);
  }

  Submitter submitter() {
    return submitter;
  }

  boolean isClosed() {
    return loop.health().status() == EngineHealth.Status.CLOSED;
  }

  /** Answers on which threads functions of transactions run. */
  FunctionThreads functions() {
    return submitter.functions();
  }

  Claims claims() {
    return claims;
  }

  QueueLeases queueLeases() {
    return queueLeases;
  }

  /** What there is in a queue, and who has it. */
  Optional<QueueStats> stats(QueueName queue) {
    return read(reader -> reader.stats(queue)).map(queueLeases::shown);
  }

  /** Has what the function asks for carried out as one. */
  <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work) {
    return remembered.transactions().transact(submitter, this::read, work);
  }

  /** Why a job is not running. */
  Optional<Explanation> explain(JobId id) {
    return remembered
        .explains()
        .explain(id, this::read)
        .map(told -> ToldTroubles.explained(told, troubles(), it -> read(look -> look.get(it))));
  }

  /** Answers what tells the log of attempts that ended with their leases. */
  LostAttemptLog lostAttempts() {
    return remembered.lostAttempts();
  }

  /** Answers what others could not do, as they tell. */
  Troubles troubles() {
    return remembered.troubles();
  }

  /** Answers which queues others say they serve. */
  ServedQueues served() {
    return remembered.served();
  }

  /** How leases of one call are ended together. */
  BulkLeases bulkLeases() {
    return bulkLeases;
  }

  Listenings listenings() {
    return remembered.listenings();
  }

  Awaits awaits() {
    return new Awaits(loop, submitter, remembered.awaited());
  }

  /**
   * Changes settings, anew as often as another has changed them since they were looked at.
   *
   * @param known what the store says of them
   * @param change what a user wants of them
   * @param transition answers what they are if they are not what it expects; else it has made the
   *     change
   * @return what was made of them
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

  /** The lease of which somebody tells the job and the token. */
  Lease lease(JobId job, long token) {
    JobAddress address =
        JobAddress.of(job)
            .orElseThrow(() -> new IllegalArgumentException("id is of no job: value=" + job));
    Limits.inRange("token", token, 1, Long.MAX_VALUE);
    return LeaseHandle.told(submitter, delivery, address, token);
  }

  /** Changes what is said for a name, from what it says now. */
  void configureName(QueueSettings held, String queueName, UnaryOperator<QueueSettings> change) {
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

  /** About what engine time is now. */
  long latestMs() {
    return loop.latestMs();
  }
}
