package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All queues of a store, with the operations that change them. An engine in this process offers
 * them, and so can one elsewhere. Workers and tools are written against this interface. Any thread
 * may use it.
 *
 * <p>Every operation that changes something may throw the exceptions that those of {@link JobQueue}
 * throw.
 */
public interface JobQueues extends JobReader {

  /**
   * Returns the same queues with another durability. Every call through them and through their
   * leases waits for this level in place of the engine's. Closing either closes both.
   */
  JobQueues with(Durability durability);

  /** Returns the current time by the clock of these queues, which decides when a job is due. */
  Instant now();

  /**
   * Registers work to run when the JVM shuts down, before the queues are closed for that reason
   * ({@link EngineOptions#closeAtShutdown}). Closing the returned object takes the work back. If
   * several pieces of work are registered, they run at the same time.
   *
   * @throws IllegalStateException inside the function of a transaction
   */
  AutoCloseable beforeShutdown(Runnable work);

  /**
   * Returns the queue of this name that belongs to the default tenant. Nothing happens until it is
   * used.
   *
   * @throws IllegalArgumentException a name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8
   */
  default JobQueue queue(String name) {
    return queue(QueueName.of(name));
  }

  /**
   * Returns the queue of this name and tenant. Nothing happens until it is used.
   *
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or the tenant has more
   */
  default JobQueue queue(String name, String tenant) {
    return queue(new QueueName(name, tenant));
  }

  /** Returns the queue of this name. Nothing happens until it is used. */
  JobQueue queue(QueueName name);

  /**
   * Enqueues a job of the type into the type's queue, with the type's options; see {@link
   * JobQueue#enqueue(byte[], EnqueueOptions)}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; no job was enqueued
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default <T> Enqueued enqueue(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return queue(type.queueName()).enqueue(job.payload(), job.options());
  }

  /**
   * Enqueues a job of the type with the options that the function makes of the type's; see {@link
   * #enqueue(JobType, Object)}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; no job was enqueued
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default <T> Enqueued enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return offer(type, payload, options).orThrow();
  }

  /**
   * Enqueues a job of the type like {@link #enqueue(JobType, Object, UnaryOperator)}, but reports a
   * refusal in the result.
   *
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default <T> EnqueueResult offer(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return queue(type.queueName()).offer(job.payload(), job.options());
  }

  /**
   * Enqueues a job of the type and returns a future, which fails if the job is refused; see {@link
   * #enqueue(JobType, Object)}.
   *
   * @throws IllegalArgumentException as {@link #enqueue(JobType, Object)}, at once; for errors of
   *     the future see {@link JobQueue}
   */
  default <T> CompletableFuture<Enqueued> enqueueAsync(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return queue(type.queueName()).enqueueAsync(job.payload(), job.options());
  }

  /**
   * Enqueues a job of the type and returns a future, which fails if the job is refused; see {@link
   * #enqueue(JobType, Object, UnaryOperator)}.
   *
   * @throws IllegalArgumentException as {@link #enqueue(JobType, Object, UnaryOperator)}, at once;
   *     for errors of the future see {@link JobQueue}
   */
  default <T> CompletableFuture<Enqueued> enqueueAsync(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return queue(type.queueName()).enqueueAsync(job.payload(), job.options());
  }

  /**
   * Enqueues many jobs of the type into the type's queue in one commit; see {@link
   * JobQueue#enqueueAll}.
   *
   * @throws EnqueueRefusedException the queue has no room for all of the jobs, or is being drained;
   *     those for which there was room are in it
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default <T> List<Enqueued> enqueueAll(JobType<T> type, Collection<? extends T> payloads) {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    payloads.forEach(payload -> jobs.add(type.newJob(payload)));
    return queue(type.queueName()).enqueueAll(jobs);
  }

  /**
   * Enqueues many jobs of the type in one commit, each with options of its own, such as a unique
   * key. The function is given each payload with the type's options, and returns the options of its
   * job.
   *
   * @throws EnqueueRefusedException the queue has no room for all of the jobs, or is being drained;
   *     those for which there was room are in it
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
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

  /**
   * Enqueues a job of the type into the type's queue and waits for its end; see {@link
   * JobQueue#submit(byte[], EnqueueOptions)}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; no job was enqueued
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default <T, R> Submitted<R> submit(ResultJobType<T, R> type, T payload) {
    return submit(type, payload, UnaryOperator.identity());
  }

  /**
   * Submits a job of the type with the options that the function makes of the type's; see {@link
   * #submit(ResultJobType, Object)}. If the type's codec does not read the result, the future fails
   * with {@link CodecException}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; no job was enqueued
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
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
   * became ready, across all of them. It takes nothing from a queue that is leased as a whole
   * ({@link #leaseQueue}).
   *
   * @throws IllegalArgumentException there are not 1 to {@value Limits#CLAIM_QUEUE_COUNT_MAX}
   *     queues
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<Lease> claim(List<QueueName> queues, ClaimOptions claim);

  /**
   * Claims jobs of several queues and returns a future; see {@link #claim}. Cancelling the future
   * ends the claim: a job granted meanwhile is released at once, and its attempt does not count.
   * {@link #endWait} ends the claim, too, but the future still delivers such a job.
   *
   * @throws IllegalArgumentException as {@link #claim}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions claim);

  /**
   * Takes leases on the next jobs of all tenants of a name, round robin: each tenant with ready
   * jobs has a turn of one job, or of as many as its {@link QueueSettings#share share}. So a tenant
   * with one job is served within as many jobs as all tenants with ready jobs have shares together,
   * however many jobs the others have waiting. Priorities order the jobs of one tenant only.
   *
   * <p>A tenant that comes to have ready jobs has its turn after those that already have some, even
   * if it had some before. A tenant whose jobs this claim cannot take, because they are too heavy
   * for it or a rate limit has no token, is passed over and keeps its place. Paused queues, and
   * queues leased as a whole, are left out. A waiting claim is served in the commit that makes a
   * job of any tenant ready, even of a tenant that did not exist before.
   *
   * <p>The order of turns is kept in memory. It begins anew when the engine is opened, or when
   * there was no such claim for {@link EngineOptions#queueIdle}. The first claim then looks which
   * tenants have ready jobs, and is answered when that is known.
   *
   * @param queueName 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8; no tenant of it need exist
   * @throws IllegalArgumentException the name is shorter or longer, or {@code maxPerQueue} names a
   *     tenant
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default List<Lease> claimAcrossTenants(String queueName, ClaimOptions claim) {
    return claimAcrossTenants(List.of(Objects.requireNonNull(queueName, "queueName")), claim);
  }

  /**
   * Takes leases on the next jobs of all tenants of several names; see {@link
   * #claimAcrossTenants(String, ClaimOptions)}. The names take turns as well: each has a job in
   * turn, first the name from which such a claim took a job longest ago.
   *
   * @param queueNames 1 to {@value Limits#CLAIM_QUEUE_COUNT_MAX}
   * @throws IllegalArgumentException there are fewer or more, a name has not 1 to {@value
   *     Limits#NAME_BYTES_MAX} bytes of UTF-8, or {@code maxPerQueue} names a tenant
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<Lease> claimAcrossTenants(List<String> queueNames, ClaimOptions claim);

  /**
   * Claims jobs of all tenants of a name and returns a future; see {@link
   * #claimAcrossTenants(String, ClaimOptions)}. Cancelling the future ends the claim: a job granted
   * meanwhile is released at once, and its attempt does not count.
   *
   * @throws IllegalArgumentException as {@link #claimAcrossTenants(String, ClaimOptions)}, at once;
   *     for errors of the future see {@link JobQueue}
   */
  @CheckReturnValue
  default CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      String queueName, ClaimOptions claim) {
    return claimAcrossTenantsAsync(List.of(Objects.requireNonNull(queueName, "queueName")), claim);
  }

  /**
   * Claims jobs of all tenants of several names and returns a future; see {@link
   * #claimAcrossTenants(List, ClaimOptions)} and {@link #claimAcrossTenantsAsync(String,
   * ClaimOptions)}.
   *
   * @throws IllegalArgumentException as {@link #claimAcrossTenants(List, ClaimOptions)}, at once;
   *     for errors of the future see {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      List<String> queueNames, ClaimOptions claim);

  /**
   * Ends the wait of a claim that was made by {@link #claimAsync} or {@link
   * #claimAcrossTenantsAsync}. Its future is completed with the leases that it was granted before,
   * or with none. The call has no effect if the future is completed already. A future that other
   * queues returned is cancelled, and so is any future if these queues have no better way.
   *
   * @throws IllegalStateException inside the function of a transaction
   */
  default void endWait(CompletableFuture<List<Lease>> claim) {
    claim.cancel(false);
  }

  /**
   * Returns the lease of this job and token, which is held elsewhere: in another process, or in one
   * that ended. Nothing happens until the lease is used. Its operations have the same results as
   * the holder's own, and {@code close} ends the lease as well. Its facts about the job are read at
   * the first access and then stay as they were, except {@link Lease#remaining} and {@link
   * Lease#cancelRequested}. If the lease is not the job's current one at that moment, the access
   * throws {@link LeaseLostException}.
   *
   * @throws IllegalArgumentException no job can have this id, or no lease this token
   */
  Lease lease(JobId job, long token);

  /**
   * Takes the sole right to claim from a queue, which need not exist yet, or reports who has it.
   * Many workers on many small queues no longer hinder each other if each leases the queue that it
   * works on. {@link #activeQueues} lists queues to choose from, including leased ones.
   *
   * <p>Only this engine knows of the lease. Where several owners share a store, that is enough,
   * because only the current owner serves claims.
   *
   * @param worker the name that others are told; 1 to {@value Limits#WORKER_BYTES_MAX} bytes of
   *     UTF-8
   * @param duration 100 ms to 7 days, from the moment of the answer
   * @throws EngineOverloadedException as many queues are leased as may be at a time, {@value
   *     Limits#QUEUE_LEASE_COUNT_MAX}; nothing happened
   * @throws IllegalArgumentException the worker's name or the duration is out of range
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  QueueLeaseResult leaseQueue(QueueName queue, String worker, Duration duration);

  /**
   * Takes the sole right to claim from a queue for 5 s; see {@link #leaseQueue(QueueName, String,
   * Duration)}.
   *
   * @throws IllegalArgumentException the worker's name is out of range
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default QueueLeaseResult leaseQueue(QueueName queue, String worker) {
    return leaseQueue(queue, worker, QueueLease.DURATION_DEFAULT);
  }

  /**
   * Completes many jobs in one commit, and returns a result for each, in order.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX} leases,
   *     or one was not granted by this engine; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<CompleteResult> completeAll(List<Lease> leases);

  /**
   * Completes many jobs and returns a future of the results; see {@link #completeAll}.
   *
   * @throws IllegalArgumentException as {@link #completeAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<CompleteResult>> completeAllAsync(List<Lease> leases);

  /**
   * Completes many jobs in one commit, each with its own result, and returns the outcome for each,
   * in order.
   *
   * @param completions the jobs with their results, which have at most {@value
   *     Limits#CALL_BYTES_MAX} bytes together
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX}
   *     completions, their results have more bytes, or a lease was not granted by this engine;
   *     nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<CompleteResult> completeAllWithResults(List<Completion> completions);

  /**
   * Completes many jobs with results and returns a future; see {@link #completeAllWithResults}.
   *
   * @throws IllegalArgumentException as {@link #completeAllWithResults}, at once; for errors of the
   *     future see {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<CompleteResult>> completeAllWithResultsAsync(List<Completion> completions);

  /**
   * Fails the attempts of many jobs in one commit, and returns a result for each, in order.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX} leases,
   *     or one was not granted by this engine; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<FailResult> failAll(List<Lease> leases, String error, FailOptions how);

  /**
   * Fails the attempts of many jobs and returns a future of the results; see {@link #failAll}.
   *
   * @throws IllegalArgumentException as {@link #failAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<FailResult>> failAllAsync(
      List<Lease> leases, String error, FailOptions how);

  /**
   * Hands many jobs back in one commit, and returns a result for each, in order.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX} leases,
   *     or one was not granted by this engine; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<ReleaseResult> releaseAll(List<Lease> leases);

  /**
   * Hands many jobs back and returns a future of the results; see {@link #releaseAll}.
   *
   * @throws IllegalArgumentException as {@link #releaseAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<ReleaseResult>> releaseAllAsync(List<Lease> leases);

  /**
   * Extends many leases at once, and returns a result for each, in order.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX} leases,
   *     one was not granted by this engine, or the duration is not 100 ms to 7 days; nothing
   *     happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<ExtendResult> extendAll(List<Lease> leases, Duration duration);

  /**
   * Extends many leases and returns a future of the results; see {@link #extendAll}.
   *
   * @throws IllegalArgumentException as {@link #extendAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<ExtendResult>> extendAllAsync(List<Lease> leases, Duration duration);

  /**
   * Removes a job, or marks it to be removed when its lease ends. The holder of a leased job learns
   * of the request by {@link Lease#cancelRequested()} and its next extend or checkpoint. Its lease
   * may still end in a completion. Any other end removes the job in place of a retry, a release or
   * a dead letter. The request survives restarts.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  CancelResult cancel(JobId id);

  /**
   * Removes a job that nobody works on and that is not done, whatever its state.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  CancelResult cancelIfWaiting(JobId id);

  /**
   * Changes the time of a waiting job: it waits until the given instant. If that has passed, the
   * job is ready at once, at the back of its priority.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  RescheduleResult reschedule(JobId id, Instant visibleAt);

  /**
   * Changes a job that nobody works on, dead letters included. It keeps its place and its times,
   * but a ready job whose priority changes goes to the back of the new one.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  UpdateResult update(JobId id, UpdateOptions changes);

  /**
   * Changes a job as the function says, which adds its changes to {@link UpdateOptions#NOTHING};
   * see {@link #update(JobId, UpdateOptions)}.
   *
   * @throws IllegalArgumentException a change is out of its range
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default UpdateResult update(JobId id, UnaryOperator<UpdateOptions> changes) {
    return update(id, UpdateOptions.NOTHING.changed(changes));
  }

  /** Returns the batches of the store: many jobs as one, and what comes after all of them. */
  @Override
  Batches batches();

  /** Returns the operations on signals, which jobs of this store wait for. */
  JobSignals signals();

  /** Returns the operations of those who look after the work, and do none of it. */
  JobAdmin admin();

  /**
   * Sends a signal with a payload to a job; see {@link JobSignals#signal(JobId, String, byte[])}.
   *
   * @throws IllegalArgumentException the name or the payload is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default SignalResult signal(JobId job, String signal, byte[] payload) {
    return signals().signal(job, signal, payload);
  }

  /**
   * Sends a signal without a payload to a job; see {@link JobSignals#signal(JobId, String,
   * byte[])}.
   *
   * @throws IllegalArgumentException the name is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default SignalResult signal(JobId job, String signal) {
    return signal(job, signal, new byte[0]);
  }

  /**
   * Sends a signal whose payload the codec encodes to a job; see {@link JobSignals#signal(JobId,
   * String, byte[])}.
   *
   * @throws IllegalArgumentException the name or the payload is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default <T> SignalResult signal(JobId job, String signal, Codec<T> codec, T payload) {
    return signal(job, signal, codec.encode(payload));
  }

  /**
   * Returns a future of the job's end. It is completed when the end is as durable as was asked by
   * the call that ended the job, never before. If the job has ended already, and is dead or kept
   * with its result, the future is completed at once. Any number of waits for one job is possible,
   * and they outlast a {@code reopen}. {@link EngineOptions#awaitCountMax} limits the number of
   * waits in all. Cancelling the future ends the wait.
   *
   * <p>The future fails with {@link EngineClosedException} if the engine is closed before; with
   * {@link OutcomeUnknownException} if the store was reopened and nobody can tell what became of
   * the job; with {@link CorruptDataException} if the job's record turned out to be damaged; and
   * with {@link EngineOverloadedException} if there are too many waits.
   *
   * @throws IllegalStateException at once, inside the function of a transaction
   */
  @CheckReturnValue
  CompletableFuture<JobEnd<byte[]>> await(JobId id);

  /**
   * Returns the table of this name. Nothing happens until it is used.
   *
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or begins with {@code millrace.}
   */
  @Override
  <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values);

  /**
   * Carries out the operations that the function asks of the {@link Transaction} that it is given:
   * all of them in one commit, or none. Blocks until the commit is as durable as operations of this
   * handle are.
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
   * <p>The function runs on this thread, before anything happens. It is called again if something
   * that it was told, such as a row that it read, is no longer true when its turn to commit comes.
   * Other transactions then wait for it at its rows, so that each succeeds in the end; changes of
   * tables outside of any transaction are not held up. It is called at most {@value
   * Limits#TRANSACTION_TRIES_MAX} times; then the answer is {@link TransactionResult.Conflict}. So
   * it must have no effects except through the transaction: any other effect happens with each
   * call, even if the transaction never commits. If the function throws, nothing happens, and its
   * exception is thrown here.
   *
   * <p>On the function's thread, all other calls of the engine, of its queues, tables and leases
   * that have an effect or read a table throw {@link IllegalStateException}, as do calls that
   * return futures. The message names the operation of the transaction to use instead; nothing of
   * the refused call happened. Calls that only tell something are allowed: {@link #now}, names,
   * handles, the facts of a lease about its job, and reads of jobs and queues. Such reads are not
   * guarded: by the commit, they may be out of date. {@link #close} is allowed, too.
   *
   * @param work the function, whose result is passed on to the caller and may be null
   * @throws IllegalStateException this was called by the function of a transaction of the same
   *     engine, or on the thread where the engine completes futures; nothing happened
   * @throws EngineOverloadedException nothing happened: too much was waiting, or the engine could
   *     not tell the id of a new job in time, or before the thread was interrupted
   * @throws OutcomeUnknownException it is unknown whether the transaction happened: the thread was
   *     interrupted, or the store failed
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work);

  /**
   * Carries out a transaction whose function has no result; see {@link #transact}.
   *
   * @throws MillraceException as {@link #transact} does, and what the function throws
   */
  @CheckReturnValue
  default TransactionResult<Boolean> inTransaction(Consumer<Transaction> work) {
    return transact(
        transaction -> {
          work.accept(transaction);
          return true;
        });
  }

  /**
   * Tells the listener whatever happens to the jobs of all queues; see {@link #listen(QueueName,
   * Set, JobListener)}.
   *
   * @throws EngineOverloadedException there are {@value Limits#LISTENER_COUNT_MAX} listeners
   *     already
   * @throws EngineClosedException the queues are closed
   * @throws IllegalStateException inside the function of a transaction
   */
  JobListening listen(JobListener listener);

  /**
   * Tells the listener what happens to the jobs of the queue from now on, once an event is as
   * durable as the call that caused it asked: of each queue in the order of the commits, on a
   * thread of the listener's own, until the answer or the engine is closed. At most {@value
   * Limits#LISTENER_EVENT_COUNT_MAX} events wait for a listener; if it is slower, it misses some
   * and is told how many.
   *
   * @param kinds the kinds of events that it is told of; not empty
   * @throws EngineOverloadedException there are {@value Limits#LISTENER_COUNT_MAX} listeners
   *     already
   * @throws IllegalArgumentException {@code kinds} is empty
   * @throws EngineClosedException the queues are closed
   * @throws IllegalStateException inside the function of a transaction
   */
  JobListening listen(QueueName queue, Set<JobEvent.Kind> kinds, JobListener listener);
}
