package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All queues of a store, to be worked with: what an engine in this process is, and what one
 * elsewhere can be. Workers and tools are written against this. Any thread.
 *
 * <p>Every operation that changes something throws what those of {@link JobQueue} throw.
 */
public interface JobQueues extends JobReader {

  /**
   * The same queues, but every call through them and through their leases waits for this level in
   * place of what the options say. Closing either closes both.
   */
  JobQueues with(Durability durability);

  /** What time it is for these queues: by this clock they tell when a job is due. */
  Instant now();

  /**
   * Does this when the JVM shuts down, before the queues are closed because of that ({@link
   * EngineOptions#closeAtShutdown}); closing the answer takes it back. Several are done at the same
   * time.
   */
  AutoCloseable beforeShutdown(Runnable work);

  /**
   * The queue of this name that belongs to the default tenant. Nothing happens until it is used.
   */
  default JobQueue queue(String name) {
    return queue(QueueName.of(name));
  }

  /** The queue of this name and tenant. Nothing happens until it is used. */
  default JobQueue queue(String name, String tenant) {
    return queue(new QueueName(name, tenant));
  }

  /** The queue of this name. Nothing happens until it is used. */
  JobQueue queue(QueueName name);

  /**
   * Changes what holds for the queues of this name, of all tenants, those to come included, as far
   * as they say nothing themselves. Creates no queue.
   *
   * @param change is given what is said for the name, and answers what is to be said; called on
   *     this thread, and again if another changed the settings meanwhile
   */
  void configure(String queueName, UnaryOperator<QueueSettings> change);

  /**
   * Adds a job of the type to its queue, with the type's options, as {@link JobQueue#enqueue} does.
   */
  default <T> Enqueued enqueue(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return queue(type.queueName()).enqueue(job.payload(), job.options());
  }

  /** As the other; the function is given the type's options, and answers those of the job. */
  default <T> Enqueued enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return offer(type, payload, options).orThrow();
  }

  /** As {@link #enqueue(JobType, Object, UnaryOperator)}, but answers if the job is refused. */
  @CheckReturnValue
  default <T> EnqueueResult offer(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return queue(type.queueName()).offer(job.payload(), job.options());
  }

  /** As {@link #enqueue(JobType, Object)}, by future, which fails if the job is refused. */
  default <T> CompletableFuture<Enqueued> enqueueAsync(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return queue(type.queueName()).enqueueAsync(job.payload(), job.options());
  }

  /**
   * As {@link #enqueue(JobType, Object, UnaryOperator)}, by future, which fails if it is refused.
   */
  default <T> CompletableFuture<Enqueued> enqueueAsync(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return queue(type.queueName()).enqueueAsync(job.payload(), job.options());
  }

  /** Adds many jobs of the type to its queue in one commit, as {@link JobQueue#enqueueAll} does. */
  default <T> List<Enqueued> enqueueAll(JobType<T> type, Collection<? extends T> payloads) {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    payloads.forEach(payload -> jobs.add(type.newJob(payload)));
    return queue(type.queueName()).enqueueAll(jobs);
  }

  /**
   * As the other; the function is given each payload with the type's options, and answers those of
   * its job: a unique key of its own, say.
   */
  default <T> List<Enqueued> enqueueAll(
      JobType<T> type,
      Collection<? extends T> payloads,
      BiFunction<? super T, EnqueueOptions, EnqueueOptions> options) {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    payloads.forEach(
        payload -> jobs.add(type.newJob(payload, given -> options.apply(payload, given))));
    return queue(type.queueName()).enqueueAll(jobs);
  }

  /** Adds a job of the type to its queue and waits for its end, as {@link JobQueue#submit} does. */
  @CheckReturnValue
  default <T, R> Submitted<R> submit(ResultJobType<T, R> type, T payload) {
    return submit(type, payload, UnaryOperator.identity());
  }

  /**
   * As the other; the function is given the type's options, and answers those of the job. If the
   * result is none of the type's, the future fails with {@link CodecException}.
   */
  @CheckReturnValue
  default <T, R> Submitted<R> submit(
      ResultJobType<T, R> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    JobQueue queue = queue(type.queueName());
    return Submitted.of(queue.submit(job.payload(), job.options()), type.results());
  }

  /**
   * Takes leases on the next jobs of several queues: by priority, then in the order in which they
   * became ready, across all of them. Of a queue that somebody has leased as a whole ({@link
   * #leaseQueue}) it takes nothing.
   */
  @CheckReturnValue
  List<Lease> claim(List<QueueName> queues, ClaimOptions claim);

  /**
   * As {@link #claim}; cancelling the future gives up, and a job granted meanwhile is released at
   * once, uncounted. {@link #endWait} lets no job be granted in vain.
   */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions claim);

  /**
   * Takes leases on the next jobs of all tenants of a name, round robin: of each tenant that has
   * ready jobs one in turn, or as many as its {@link QueueSettings#share share} says. So a tenant
   * with one job is served within as many jobs as the tenants with ready jobs have shares together,
   * whatever the others have waiting. Priorities order the jobs of one tenant and no others.
   *
   * <p>A tenant that comes to have ready jobs has its turn after those that have some by then, also
   * if it had some before. One whose jobs are not for this claim, since they are too heavy for it
   * or a rate limit has no token, is passed over and keeps its place. Paused queues, and those that
   * somebody has leased as a whole, are left out. A claim that waits is served in the commit that
   * makes a job of any tenant ready, also of one that never was before.
   *
   * <p>Whose turn it is, is kept in memory, and begins anew when the engine is opened, or when
   * nobody has claimed so for {@link EngineOptions#queueIdle}. The first claim then looks which
   * tenants have ready jobs, and is answered when that is known.
   *
   * @param queueName 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8; no tenant of it need exist
   */
  @CheckReturnValue
  default List<Lease> claimAcrossTenants(String queueName, ClaimOptions claim) {
    return claimAcrossTenants(List.of(Objects.requireNonNull(queueName, "queueName")), claim);
  }

  /**
   * As {@link #claimAcrossTenants(String, ClaimOptions)}, of all tenants of several names: of each
   * name a job in turn, first of the one that such a claim has taken a job of longest ago.
   *
   * @param queueNames 1 to {@value Limits#CLAIM_QUEUE_COUNT_MAX}
   */
  @CheckReturnValue
  List<Lease> claimAcrossTenants(List<String> queueNames, ClaimOptions claim);

  /**
   * As {@link #claimAcrossTenants(String, ClaimOptions)}; cancelling the future gives up, and a job
   * granted meanwhile is released at once, uncounted.
   */
  @CheckReturnValue
  default CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      String queueName, ClaimOptions claim) {
    return claimAcrossTenantsAsync(List.of(Objects.requireNonNull(queueName, "queueName")), claim);
  }

  /** As the other, of all tenants of several names. */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      List<String> queueNames, ClaimOptions claim);

  /**
   * Ends the wait of a claim that was made by {@link #claimAsync} or {@link
   * #claimAcrossTenantsAsync}: its future is completed with the leases that it was granted before,
   * or with none. Does nothing if it is completed already; a future of other queues is cancelled,
   * and so is any unless these queues know better.
   */
  default void endWait(CompletableFuture<List<Lease>> claim) {
    claim.cancel(false);
  }

  /**
   * The lease of this job and token, which somebody holds elsewhere: in another process, or in one
   * that ended. Nothing happens until it is used. Its operations answer as the holder's own do, and
   * {@code close} of it ends the lease as well. What it tells of the job is asked for at the first
   * look and stays as it was then, but for {@link Lease#remaining} and {@link
   * Lease#cancelRequested}; if the lease is not the job's current one by then, the look ends in
   * {@link LeaseLostException}.
   *
   * @throws IllegalArgumentException the id or the token is one that is never given
   */
  Lease lease(JobId job, long token);

  /**
   * Takes the sole right to claim from a queue, which need not exist yet; or answers who has it.
   * Many workers for many small queues get in each other's way no more when each leases the queue
   * that it works at: see {@link #activeQueues}, which lists queues to choose from, leased ones
   * included.
   *
   * <p>It is known to this engine alone. Where several owners share a store, that is enough, for
   * only the one who has it serves claims.
   *
   * @param worker who is told to others; 1 to {@value Limits#WORKER_BYTES_MAX} bytes of UTF-8
   * @param duration 100 ms to 7 days, from the moment of the answer
   * @throws EngineOverloadedException as many queues are leased as may be at a time, {@value
   *     Limits#QUEUE_LEASE_COUNT_MAX}; nothing happened
   */
  @CheckReturnValue
  QueueLeaseResult leaseQueue(QueueName queue, String worker, Duration duration);

  /** As the other, for 5 s. */
  @CheckReturnValue
  default QueueLeaseResult leaseQueue(QueueName queue, String worker) {
    return leaseQueue(queue, worker, QueueLease.DURATION_DEFAULT);
  }

  /** The queues that are leased now, by name. Never waits for the engine's own work. */
  List<LeasedQueue> queueLeases();

  /**
   * Ends the lease on a queue, whoever has it, as {@link QueueLease#close} does; for operators.
   * Answers whether there was one.
   */
  boolean endQueueLease(QueueName queue);

  /** Finishes many jobs in one commit, and answers for each in order. */
  @CheckReturnValue
  List<CompleteResult> completeAll(List<Lease> leases);

  /** As {@link #completeAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<CompleteResult>> completeAllAsync(List<Lease> leases);

  /**
   * Finishes many jobs in one commit, each with its result, and answers for each in order.
   *
   * @param completions their results have {@value Limits#CALL_BYTES_MAX} bytes at most together
   */
  @CheckReturnValue
  List<CompleteResult> completeAllWithResults(List<Completion> completions);

  /** As {@link #completeAllWithResults}, by future. */
  @CheckReturnValue
  CompletableFuture<List<CompleteResult>> completeAllWithResultsAsync(List<Completion> completions);

  /** Says of many jobs that their attempts failed, in one commit, and answers for each in order. */
  @CheckReturnValue
  List<FailResult> failAll(List<Lease> leases, String error, FailOptions how);

  /** As {@link #failAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<FailResult>> failAllAsync(
      List<Lease> leases, String error, FailOptions how);

  /** Hands many jobs back in one commit, and answers for each in order. */
  @CheckReturnValue
  List<ReleaseResult> releaseAll(List<Lease> leases);

  /** As {@link #releaseAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<ReleaseResult>> releaseAllAsync(List<Lease> leases);

  /** Lengthens many leases at once, and answers for each in order. */
  @CheckReturnValue
  List<ExtendResult> extendAll(List<Lease> leases, Duration duration);

  /** As {@link #extendAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<ExtendResult>> extendAllAsync(List<Lease> leases, Duration duration);

  /**
   * Removes a job, or sees to it that it goes when its worker lets go of it. The holder of a leased
   * one learns of it by {@link Lease#cancelRequested()} and its next extend or checkpoint; its
   * lease may still end in a completion, and any other end removes the job in place of a retry, a
   * release or a dead letter. Holds over restarts.
   */
  @CheckReturnValue
  CancelResult cancel(JobId id);

  /** Removes a job that nobody works on and that is not done, whatever its state. */
  @CheckReturnValue
  CancelResult cancelIfWaiting(JobId id);

  /**
   * Takes the lease on a job away from whoever holds it, as if that one had {@link Lease#release
   * released} it: for a worker that hangs, or whose host is gone, so that nobody waits until the
   * lease runs out. The job is ready at its old place, or removed if a cancel was requested. The
   * holder's token is stale from then on, and each operation on that lease is refused. Nothing
   * stops the holder, though: what it does beside the queue goes on until it learns of that, while
   * another may have the job already.
   *
   * <p>The attempt does not count, however long it was. A job that hangs whoever works on it would
   * never die so: {@link #cancel} it, or leave it until its lease runs out, which counts.
   */
  @CheckReturnValue
  JobReleaseResult release(JobId id);

  /**
   * Makes a job that waits wait until the given instant. If that has passed, the job is ready at
   * once, at the back of its priority.
   */
  @CheckReturnValue
  RescheduleResult reschedule(JobId id, Instant visibleAt);

  /**
   * Changes a job that nobody works on, dead letters included. It keeps its place and its times,
   * but a ready one whose priority changes goes to the back of the new one.
   */
  @CheckReturnValue
  UpdateResult update(JobId id, UpdateOptions changes);

  /** As {@link #update(JobId, UpdateOptions)}, of the changes that are made to no change. */
  @CheckReturnValue
  default UpdateResult update(JobId id, UnaryOperator<UpdateOptions> changes) {
    return update(id, UpdateOptions.NOTHING.changed(changes));
  }

  /** The signals that jobs of this store wait for. */
  JobSignals signals();

  /** As {@link JobSignals#signal(JobId, String, byte[])}. */
  @CheckReturnValue
  default SignalResult signal(JobId job, String signal, byte[] payload) {
    return signals().signal(job, signal, payload);
  }

  /** As {@link JobSignals#signal(JobId, String, byte[])}, without a payload. */
  @CheckReturnValue
  default SignalResult signal(JobId job, String signal) {
    return signal(job, signal, new byte[0]);
  }

  /** As {@link JobSignals#signal(JobId, String, byte[])}, with a payload that the codec writes. */
  @CheckReturnValue
  default <T> SignalResult signal(JobId job, String signal, Codec<T> codec, T payload) {
    return signal(job, signal, codec.encode(payload));
  }

  /** As {@link JobSignals#broadcast(QueueName, String, byte[])}. */
  default BroadcastReport broadcast(QueueName queue, String signal, byte[] payload) {
    return signals().broadcast(queue, signal, payload);
  }

  /**
   * How the job ends, once it does: a future that is completed when the end is as durable as
   * whoever ended it asked, never before. One that has ended already, and is dead or kept with its
   * result, answers at once. Any number may wait for a job, also over {@code reopen}; {@link
   * EngineOptions#awaitCountMax} limits how many wait in all. Whoever cancels the future waits no
   * more.
   *
   * <p>The future fails with {@link EngineClosedException} if the engine is closed before; with
   * {@link OutcomeUnknownException} if the store was opened again and nobody can tell what became
   * of the job; with {@link CorruptDataException} if the job's record turned out to be damaged; and
   * with {@link EngineOverloadedException} if too many wait.
   */
  @CheckReturnValue
  CompletableFuture<JobEnd<byte[]>> await(JobId id);

  /** The table of this name. Nothing happens until it is used. */
  @Override
  <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values);

  /**
   * Carries out what the function asks of the {@link Transaction} that it is given: all of it in
   * one commit, or nothing. Blocks until that is as durable as operations of this handle are.
   *
   * <pre>{@code
   * engine.transact(tx -> {
   *   long left = tx.get(stock, "boots").orElse(0L) - 1;
   *   tx.put(stock, "boots", left);
   *   tx.complete(lease);
   *   return tx.enqueue(ship, order);
   * }).orThrow();
   * }</pre>
   *
   * <p>The function runs on this thread, before anything happens. It is called anew if what it was
   * told is not true any more when its turn to commit comes, such as a row that it read. Other
   * transactions then wait for it at its rows, so that each gets there in the end; changes of
   * tables outside of any transaction are not held up. It is called at most {@value
   * Limits#TRANSACTION_TRIES_MAX} times; then the answer is {@link TransactionResult.Conflict}. So
   * it must have no other effects than through the transaction: what it does elsewhere is done each
   * time it is called, also if the transaction never commits. If it throws, nothing happens, and
   * what it threw is thrown here.
   *
   * <p>This engine takes nothing else from the function: on its thread, calls of the engine, of its
   * queues, tables and leases that have an effect or read a table throw {@link
   * IllegalStateException}, which names what the transaction has in place of them; nothing of the
   * call happened. So do calls by future. What only tells is allowed: {@link #now}, names, handles,
   * what a lease says of its job, and looks at jobs and queues, which are not looked after: another
   * may have changed what they told by the commit. {@link #close} is allowed, too.
   *
   * @param work answers whatever the caller wants to have of it, null included
   * @throws IllegalStateException this was called by the function of a transaction of the same
   *     engine, or on the thread where the engine completes futures; nothing happened
   * @throws EngineOverloadedException nothing happened: too much was waiting, or the engine could
   *     not tell the id of a new job in time, or until the thread was interrupted
   * @throws OutcomeUnknownException whether it happened is unknown: the thread was interrupted, or
   *     the store failed
   */
  @CheckReturnValue
  <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work);

  /** As {@link #transact}, of a function that has nothing to answer. */
  @CheckReturnValue
  default TransactionResult<Boolean> inTransaction(Consumer<Transaction> work) {
    return transact(
        transaction -> {
          work.accept(transaction);
          return true;
        });
  }
}
