package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A collection of operations to be carried out together: in one commit, or not at all. Nothing
 * happens until the function that was given the transaction has returned. The function must use
 * these operations in place of the engine's own: {@link JobQueues#transact} says which of those are
 * refused.
 *
 * <p>It may be used by that function alone, on its thread and until it returns. Operations are
 * carried out in the order in which they are requested, each as if those before it had been carried
 * out. Arguments are copied.
 *
 * <p>A transaction has at most {@value Limits#TRANSACTION_OPERATION_COUNT_MAX} operations with
 * {@value Limits#CALL_BYTES_MAX} bytes of payloads, headers, results, states and rows together. A
 * transaction that is larger than the store takes in one commit is refused when the function has
 * returned.
 *
 * <p><b>Errors.</b> Every method throws {@link IllegalStateException} when the function has
 * returned, and on another thread; and {@link IllegalArgumentException} if a value is out of its
 * range, the transaction would be larger than is allowed, or a table or a lease is not of this
 * engine. An operation that throws is not part of the transaction. If the function passes the
 * exception on, nothing of the transaction happens; if it goes on, the others may be committed.
 */
public interface Transaction {

  /**
   * Returns the value of a row: the one that this function has put, else the one that is stored, or
   * the one that another transaction will leave there, which is about to be committed. The read is
   * remembered. If others put, change or delete the row before the commit, nothing of the
   * transaction happens and the function is called again. Further reads of the row return the same.
   *
   * <p>If other transactions that lost the row before are waiting for it, the function waits here
   * for its turn. One call of the function waits for others about a second at most, at all rows
   * together.
   *
   * @throws IllegalArgumentException the key has more than {@value Limits#KEY_BYTES_MAX} bytes, or
   *     the transaction has read more than {@value Limits#CALL_ROW_COUNT_MAX} rows or {@value
   *     Limits#CALL_BYTES_MAX} bytes; a change of the row that the function has asked for, such as
   *     {@link #add}, cannot be made; or as every method, see {@link Transaction}
   * @throws MillraceException as every read of a table; see {@link TableReader}
   */
  <K, V> Optional<V> get(Table<K, V> table, K key);

  /**
   * Returns the values of the rows with these keys, in the order of the keys, each as {@link #get}
   * does. For many rows this is faster than one {@link #get} after the other. They need not be as
   * of one moment, but the transaction is committed only if all are what they were here.
   *
   * @param keys at most {@value Limits#CALL_ROW_COUNT_MAX}; one may be given several times
   * @throws IllegalArgumentException there are more keys, their values have more than {@value
   *     Limits#CALL_BYTES_MAX} bytes, or as {@link #get}
   * @throws MillraceException as every read of a table; see {@link TableReader}
   */
  <K, V> List<Optional<V>> getAll(Table<K, V> table, List<K> keys);

  /**
   * Puts a row, and replaces the row with this key if there is one. The old row is not read. Here
   * and in {@link #delete} the function may wait for other transactions as in {@link #get}.
   *
   * @throws IllegalArgumentException the key has more than {@value Limits#KEY_BYTES_MAX} bytes, or
   *     the value more than {@value Limits#TABLE_VALUE_BYTES_MAX}; or as every method, see {@link
   *     Transaction}
   */
  <K, V> void put(Table<K, V> table, K key, V value);

  /**
   * Deletes a row. The result, known after the commit, tells whether there was one.
   *
   * @throws IllegalArgumentException the key has more than {@value Limits#KEY_BYTES_MAX} bytes; or
   *     as every method, see {@link Transaction}
   */
  <K, V> AfterCommit<Boolean> delete(Table<K, V> table, K key);

  /**
   * Adds to the number in a row, without reading it: others may add to the row meanwhile, and no
   * function is called again because of that. A row that does not exist counts as zero. If the same
   * transaction reads the row with {@link #get}, before or after, it depends on the row's value as
   * always.
   *
   * @param table a table whose values are of {@link Codec#LONG}
   * @return the number in the row after this addition, known after the commit
   * @throws IllegalArgumentException the table has another codec; or this function knows the row's
   *     value, and it is not a number, or the sum is too great. If the function does not know the
   *     value, the caller of the transaction gets the same exception at the commit, and nothing has
   *     happened; or as every method, see {@link Transaction}
   */
  <K> AfterCommit<Long> add(Table<K, Long> table, K key, long delta);

  /**
   * Sets the number in a row to the given one if that is greater, without reading it; see {@link
   * #add}.
   *
   * @throws IllegalArgumentException as {@link #add}
   */
  <K> AfterCommit<Long> max(Table<K, Long> table, K key, long value);

  /**
   * Appends to the value of a row, without reading it; see {@link #add}. It suits rows with few
   * values: each time the whole row is written, which has at most {@value
   * Limits#APPENDED_BYTES_MAX} bytes.
   *
   * @param table a table whose values are of {@link Codec#TEXT} or {@link Codec#BYTES}
   * @throws IllegalArgumentException the table has another codec; or the row would have more than
   *     {@value Limits#APPENDED_BYTES_MAX} bytes: this is found here if the function knows the
   *     row's value, else at the commit as for {@link #add}; or as every method, see {@link
   *     Transaction}
   */
  <K, V> AfterCommit<V> append(Table<K, V> table, K key, V value);

  /**
   * Returns the first rows of a range, including the changes that this function has made itself.
   * The read is <em>not</em> remembered: if others put, change or delete rows of the range before
   * the commit, the transaction does not fail for that reason, unless it has added to those rows.
   * Many or long rows are read in several steps, between which others may have changed some: they
   * are not as of one moment. Use {@link #get} for rows that must not change.
   *
   * @param limit 1 to {@value Limits#PAGE_SIZE_MAX}
   * @throws IllegalArgumentException that many rows have more than {@value Limits#CALL_BYTES_MAX}
   *     bytes: ask for fewer; or as every method, see {@link Transaction}
   * @throws MillraceException as every read of a table; see {@link TableReader}
   */
  <K, V> List<TableRow<K, V>> scan(Table<K, V> table, TableRange<K> range, int limit);

  /**
   * Enqueues a job: at the end of its priority, or delayed until it is due.
   *
   * <p>If another job holds its {@link UniqueKey}, no new job is enqueued, and the id of that job
   * is returned; the transaction commits all the same. In this case the function is called again,
   * because it had been told another id before.
   *
   * <p>If the queue is full, or being drained, nothing of the transaction happens: {@link
   * TransactionResult.Refused}.
   *
   * @return the job's id, which is final: it may be written into a payload or kept by an operation
   *     of the same transaction. The job does not exist until the commit
   * @throws IllegalArgumentException the payload has more than {@value Limits#PAYLOAD_BYTES_MAX}
   *     bytes; or as every method, see {@link Transaction}
   * @throws MillraceException the engine, which is asked for ids now and then, gives none: it is
   *     closed, takes no changes, or too much is waiting
   */
  JobId enqueue(QueueName queue, byte[] payload, EnqueueOptions options);

  /**
   * Enqueues a job with the default options; see {@link #enqueue(QueueName, byte[],
   * EnqueueOptions)}.
   *
   * @throws IllegalArgumentException as {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   * @throws MillraceException as {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   */
  default JobId enqueue(QueueName queue, byte[] payload) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT);
  }

  /**
   * Enqueues a job of the type with the type's options; see {@link #enqueue(QueueName, byte[],
   * EnqueueOptions)}.
   *
   * @throws IllegalArgumentException as {@link JobType#newJob(Object)}, and as {@link
   *     #enqueue(QueueName, byte[], EnqueueOptions)}
   * @throws MillraceException as {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   */
  default <T> JobId enqueue(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return enqueue(type.queueName(), job.payload(), job.options());
  }

  /**
   * Enqueues a job of the type with the options that the function makes of the type's; see {@link
   * #enqueue(QueueName, byte[], EnqueueOptions)}.
   *
   * @throws IllegalArgumentException as {@link JobType#newJob(Object, UnaryOperator)}, and as
   *     {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   * @throws MillraceException as {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   */
  default <T> JobId enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return enqueue(type.queueName(), job.payload(), job.options());
  }

  /**
   * Starts a batch, as {@link Batches#start} does. Each of its jobs, each that comes after it, the
   * batch itself and its seal count as an operation.
   *
   * @return the batch's id, which is final: jobs that this transaction enqueues may join the batch
   * @throws NoSuchBatchException there is no such outer batch. This is found at the commit, and the
   *     caller of the transaction gets it, as what follows; nothing has happened
   * @throws BatchOverException the outer batch takes no more
   * @throws IllegalArgumentException batches are within each other too deep; or as every method,
   *     see {@link Transaction}
   * @throws MillraceException as {@link #enqueue(QueueName, byte[], EnqueueOptions)}
   */
  BatchId start(Batch batch);

  /**
   * Begins a batch without its seal, as {@link Batches#open} does; see {@link #start}.
   *
   * @throws NoSuchBatchException as {@link #start}
   * @throws BatchOverException as {@link #start}
   * @throws IllegalArgumentException as {@link #start}
   * @throws MillraceException as {@link #start}
   */
  BatchId open(Batch batch);

  /**
   * Seals a batch, as {@link Batches#seal} does. Whether it is over is looked at when all of the
   * transaction is carried out. The result, known after the commit, tells whether there is such a
   * batch; whatever it is, the rest of the transaction happens.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<Boolean> seal(BatchId batch);

  /**
   * Completes the job of a lease. Here and for the other operations on leases: if the lease is not
   * the job's current one, nothing of the transaction happens ({@link
   * TransactionResult.StaleLease}). A job's lease may be ended only once in a transaction.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before; or as
   *     every method, see {@link Transaction}
   */
  void complete(Lease lease);

  /**
   * Completes the job of a lease with a result of at most {@value Limits#RESULT_BYTES_MAX} bytes;
   * see {@link #complete(Lease)}.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     result is longer; or as every method, see {@link Transaction}
   */
  void complete(Lease lease, byte[] result);

  /**
   * Fails the attempt: the job backs off and is tried again, or is dead.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before; or as
   *     every method, see {@link Transaction}
   */
  AfterCommit<FailResult> fail(Lease lease, String error, FailOptions options);

  /**
   * Fails the attempt, with a retry by the job's own backoff; see {@link #fail(Lease, String,
   * FailOptions)}.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before; or as
   *     every method, see {@link Transaction}
   */
  default AfterCommit<FailResult> fail(Lease lease, String error) {
    return fail(lease, error, FailOptions.RETRY);
  }

  /**
   * Hands the job back to its old place; the attempt does not count.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before; or as
   *     every method, see {@link Transaction}
   */
  AfterCommit<ReleaseResult> release(Lease lease);

  /**
   * Hands the job back until the instant; the attempt does not count.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     instant is not from 1970 to 9999; or as every method, see {@link Transaction}
   */
  AfterCommit<ReleaseResult> snooze(Lease lease, Instant until);

  /**
   * Hands the job back for this long from now; the attempt does not count.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     time is not from zero to {@link Limits#DELAY_MAX}; or as every method, see {@link
   *     Transaction}
   */
  AfterCommit<ReleaseResult> snooze(Lease lease, Duration delay);

  /**
   * Hands the job back until it receives the signal, as {@link Lease#waitFor(String)} does. If this
   * transaction has sent it the signal before, the signal counts as come before the wait.
   *
   * @param signal the signal's name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     name is out of its range or not valid Unicode; or as every method, see {@link Transaction}
   */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal);

  /**
   * Hands the job back until it receives the signal, but for no longer than this time. After that
   * the job is ready, and its next lease gives the reason; see {@link Lease#waitFor(String,
   * Duration)}.
   *
   * @param most up to 10 years; with zero the job does not wait, but takes a signal that has come
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     name or the time is out of its range, or the name is not valid Unicode; or as every method,
   *     see {@link Transaction}
   */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal, Duration most);

  /**
   * Hands the job back until it receives the signal, or until the deadline at the latest; see
   * {@link #waitFor(Lease, String, Duration)}.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, the name
   *     is out of its range or not valid Unicode, or the instant is not from 1970 to 9999; or as
   *     every method, see {@link Transaction}
   */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal, Instant deadline);

  /**
   * Hands the job back until the batch is over, as {@link Lease#waitFor(BatchId)} does. The batch
   * may be one that this transaction starts; one that it brings to its end lets the job go on with
   * this very commit, and the result is {@link WaitResult#WAITING}.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before; or as
   *     every method, see {@link Transaction}
   */
  AfterCommit<WaitResult> waitFor(Lease lease, BatchId batch);

  /**
   * Extends the lease, as {@link Lease#extend} does, without ending it. So the whole transaction
   * happens only if no other worker has the job by then. This is for work in several steps, each a
   * transaction of its own.
   *
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     duration is not from {@link Limits#LEASE_LEAST} to {@link Limits#LEASE_MAX}; or as every
   *     method, see {@link Transaction}
   */
  AfterCommit<ExtendResult.Extended> extend(Lease lease, Duration duration);

  /**
   * Keeps a state that the next attempt can go on from, as {@link Lease#checkpoint} does, without
   * ending the lease. So a state, and the effects that it describes, are kept together or not at
   * all. The lease may be ended after it in the same transaction. If there are several states of
   * one job, the last is kept.
   *
   * @param state at most {@value Limits#CHECKPOINT_BYTES_MAX} bytes
   * @throws IllegalArgumentException the job's lease was ended in this transaction before, or the
   *     state is longer; or as every method, see {@link Transaction}
   */
  AfterCommit<ExtendResult.Extended> checkpoint(Lease lease, byte[] state);

  /**
   * Cancels a job; see {@link JobQueues#cancel}. Here and for the other operations on jobs by their
   * ids: whatever the result, the rest of the transaction happens.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<CancelResult> cancel(JobId id);

  /**
   * Cancels a job that nobody works on; see {@link JobQueues#cancelIfWaiting}.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<CancelResult> cancelIfWaiting(JobId id);

  /**
   * Takes the lease on a job away from its holder, whoever that is; see {@link JobAdmin#release}. A
   * lease that this transaction itself has ended before does not exist any more.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<JobReleaseResult> release(JobId id);

  /**
   * Changes the time of a waiting job; see {@link JobQueues#reschedule}.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999; or as every method, see
   *     {@link Transaction}
   */
  AfterCommit<RescheduleResult> reschedule(JobId id, Instant visibleAt);

  /**
   * Changes a job that nobody works on; see {@link JobQueues#update(JobId, UpdateOptions)}.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<UpdateResult> update(JobId id, UpdateOptions changes);

  /**
   * Sends a signal to a job; see {@link JobQueues#signal(JobId, String, byte[])}. The job may be
   * one that this transaction enqueues, or hands back to wait for the signal.
   *
   * @param signal the signal's name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   * @throws IllegalArgumentException the name or the payload is out of its range, or the name is
   *     not valid Unicode; or as every method, see {@link Transaction}
   */
  AfterCommit<SignalResult> signal(JobId id, String signal, byte[] payload);

  /**
   * Sends a signal whose payload the codec encodes; see {@link #signal(JobId, String, byte[])}.
   *
   * @throws IllegalArgumentException the codec cannot encode the payload; and as {@link
   *     #signal(JobId, String, byte[])}
   */
  default <T> AfterCommit<SignalResult> signal(JobId id, String signal, Codec<T> codec, T payload) {
    return signal(id, signal, codec.encode(payload));
  }

  /**
   * Makes a dead job of any queue ready again; see {@link DeadLetters#redrive(JobId,
   * DeadLetters.Checkpointed)}.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  AfterCommit<RedriveResult> redrive(JobId id, DeadLetters.Checkpointed checkpointed);

  /**
   * Makes a dead job of any queue ready again, and keeps its checkpoint; see {@link #redrive(JobId,
   * DeadLetters.Checkpointed)}.
   *
   * @throws IllegalArgumentException as every method; see {@link Transaction}
   */
  default AfterCommit<RedriveResult> redrive(JobId id) {
    return redrive(id, DeadLetters.Checkpointed.KEEP);
  }
}
