package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Operations that are being gathered, to be carried out together: in one commit, or not at all.
 * Nothing happens until the function that was given this has returned. In place of these operations
 * it cannot use those of the engine: {@link JobQueues#transact} says which are refused.
 *
 * <p>For the thread and for the time of that function alone: afterwards every method throws {@link
 * IllegalStateException}. Operations are carried out in the order in which they are asked for, each
 * as if those before it had been carried out. What is handed in is copied.
 *
 * <p>A transaction has at most {@value Limits#TRANSACTION_OPERATION_COUNT_MAX} operations with
 * {@value Limits#CALL_BYTES_MAX} bytes of payloads, headers, results, states and rows together; an
 * operation beyond that throws {@link IllegalArgumentException}, and so does a parameter that is
 * out of range. A transaction that is more than the store takes in one commit is refused when the
 * function has returned.
 */
public interface Transaction {

  /**
   * Answers what a row of a table holds: what this function has put itself, else what is stored, or
   * what another transaction, which is about to be committed, will leave there. It is remembered,
   * and if another has changed, put or deleted the row until the commit, nothing of the transaction
   * happens and the function is called anew. Asking again answers the same.
   *
   * <p>If others are at the row, having lost it before, the function waits here for its turn. One
   * call of it waits for others about a second at most, at all rows together.
   *
   * @throws IllegalArgumentException the table is not of this engine; the key is too long; or the
   *     transaction has read more than {@value Limits#CALL_ROW_COUNT_MAX} rows or {@value
   *     Limits#CALL_BYTES_MAX} bytes
   */
  <K, V> Optional<V> get(Table<K, V> table, K key);

  /**
   * Puts a row, in place of one that has the key. Nothing is asked of what is there. Here and in
   * {@link #delete} the function may wait for others as in {@link #get}.
   */
  <K, V> void put(Table<K, V> table, K key, V value);

  /** Deletes a row; answers after the commit whether there was one. */
  <K, V> AfterCommit<Boolean> delete(Table<K, V> table, K key);

  /**
   * Adds to a row's number, of which nobody need know what it is: others may add to it meanwhile,
   * and none is called anew for that. A row that is not there is zero. Who reads the row by {@link
   * #get} in the same transaction, before or after, goes by what it holds, as always.
   *
   * @param table one whose values are of {@link Codec#LONG}
   * @return after the commit, what the row held then
   * @throws IllegalArgumentException the table has another codec; or this function knows what the
   *     row holds, and that is no number, or one that is too great. If it does not know, whoever
   *     called for the transaction is told the same at the commit, and nothing has happened
   */
  <K> AfterCommit<Long> add(Table<K, Long> table, K key, long delta);

  /** As {@link #add}, but the row holds the greater of its number and this one. */
  <K> AfterCommit<Long> max(Table<K, Long> table, K key, long value);

  /**
   * As {@link #add}, but the value is put behind what the row holds. For rows of few values: each
   * time the whole row is written, which has {@value Limits#APPENDED_BYTES_MAX} bytes at most.
   *
   * @param table one whose values are of {@link Codec#TEXT} or {@link Codec#BYTES}
   */
  <K, V> AfterCommit<V> append(Table<K, V> table, K key, V value);

  /**
   * The first rows of a range, with what this function has put and deleted itself. They are
   * <em>not</em> remembered: rows of the range that others put, change or delete until the commit
   * are no reason for it to fail, unless it has added to them. Many or long rows are read in
   * several steps, and others may have changed some in between: they are not of one moment. Read
   * with {@link #get} what must stay as it is.
   *
   * @param limit 1 to {@value Limits#PAGE_SIZE_MAX}
   * @throws IllegalArgumentException so many rows have more than {@value Limits#CALL_BYTES_MAX}
   *     bytes: ask for fewer
   */
  <K, V> List<TableRow<K, V>> scan(Table<K, V> table, TableRange<K> range, int limit);

  /**
   * Puts a job at the end of its priority, or aside until it is due.
   *
   * <p>If another job holds its {@link UniqueKey}, there is no new one, and the answer is the id of
   * that job; the transaction commits all the same. The function is then called anew, for it had
   * been told another id before.
   *
   * <p>If the queue is full, or being drained, nothing of the transaction happens: {@link
   * TransactionResult.Refused}.
   *
   * @return the job's id, which is final: it may be written into a payload or kept by an operation
   *     of the same transaction. Until the commit there is no such job
   */
  JobId enqueue(QueueName queue, byte[] payload, EnqueueOptions options);

  /** As the other; the function changes the default options. */
  default JobId enqueue(QueueName queue, byte[] payload, UnaryOperator<EnqueueOptions> options) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT.changed(options));
  }

  /** As {@link #enqueue(QueueName, byte[], EnqueueOptions)}, with the default options. */
  default JobId enqueue(QueueName queue, byte[] payload) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT);
  }

  /** As {@link #enqueue(QueueName, byte[], EnqueueOptions)}, of a job of the type. */
  default <T> JobId enqueue(JobType<T> type, T payload) {
    NewJob job = type.newJob(payload);
    return enqueue(type.queueName(), job.payload(), job.options());
  }

  /** As the other; the function is given the type's options, and answers those of the job. */
  default <T> JobId enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    NewJob job = type.newJob(payload, options);
    return enqueue(type.queueName(), job.payload(), job.options());
  }

  /** As {@link #enqueue(QueueName, byte[], EnqueueOptions)}, into the queue of this handle. */
  default JobId enqueue(JobQueue queue, byte[] payload, EnqueueOptions options) {
    return enqueue(queue.name(), payload, options);
  }

  /** As the other; the function changes the default options. */
  default JobId enqueue(JobQueue queue, byte[] payload, UnaryOperator<EnqueueOptions> options) {
    return enqueue(queue.name(), payload, options);
  }

  /** As {@link #enqueue(JobQueue, byte[], EnqueueOptions)}, with the default options. */
  default JobId enqueue(JobQueue queue, byte[] payload) {
    return enqueue(queue.name(), payload);
  }

  /**
   * Finishes the job of a lease. Here and for the other operations on leases: if the lease is not
   * the job's current one, nothing of the transaction happens ({@link
   * TransactionResult.StaleLease}). A job's lease may be ended once in a transaction.
   */
  void complete(Lease lease);

  /** As the other, with a result of at most {@value Limits#RESULT_BYTES_MAX} bytes. */
  void complete(Lease lease, byte[] result);

  /** The attempt failed: the job backs off and is tried again, or is dead. */
  AfterCommit<FailResult> fail(Lease lease, String error, FailOptions options);

  /** As the other, with retry as the job says. */
  default AfterCommit<FailResult> fail(Lease lease, String error) {
    return fail(lease, error, FailOptions.RETRY);
  }

  /** Hands the job back to its old place; the attempt does not count. */
  AfterCommit<ReleaseResult> release(Lease lease);

  /** Hands the job back until the instant; the attempt does not count. */
  AfterCommit<ReleaseResult> snooze(Lease lease, Instant until);

  /** As the other, for this long from now. */
  AfterCommit<ReleaseResult> snooze(Lease lease, Duration delay);

  /**
   * Hands the job back until somebody sends it the signal, as {@link Lease#waitFor(String)}. A
   * signal that this transaction has sent it before has come before.
   *
   * @param signal its name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal);

  /**
   * As the other, but no longer than this: then the job is ready, and its next lease is told so.
   *
   * @param most up to 10 years; with zero the job does not wait, but takes a signal that has come
   */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal, Duration most);

  /** As {@link #waitFor(Lease, String, Duration)}, until the instant at the latest. */
  AfterCommit<WaitResult> waitFor(Lease lease, String signal, Instant deadline);

  /**
   * Lengthens the lease, as {@link Lease#extend} does, and does not end it: so all of the
   * transaction happens only if nobody else has the job by now. For work in several steps, each a
   * transaction of its own.
   *
   * @throws IllegalArgumentException the lease was ended in this transaction before
   */
  AfterCommit<ExtendResult.Extended> extend(Lease lease, Duration duration);

  /**
   * Keeps a state that the next attempt can go on from, as {@link Lease#checkpoint} does, and does
   * not end the lease: so a state, and the effects that it tells of, are kept together or not at
   * all. The lease may be ended after it in the same transaction. Of several states of one job the
   * last is kept.
   *
   * @param state at most {@value Limits#STATE_BYTES_MAX} bytes
   * @throws IllegalArgumentException the lease was ended in this transaction before
   */
  AfterCommit<ExtendResult.Extended> checkpoint(Lease lease, byte[] state);

  /**
   * As {@link JobQueues#cancel}. Here and for the other operations on jobs that are named by their
   * ids: however it ends, the rest of the transaction happens.
   */
  AfterCommit<CancelResult> cancel(JobId id);

  /** As {@link JobQueues#cancelIfWaiting}. */
  AfterCommit<CancelResult> cancelIfWaiting(JobId id);

  /**
   * As {@link JobQueues#release}: of a job that somebody works on, whoever that is. A lease that
   * this transaction itself has ended before is not there any more.
   */
  AfterCommit<JobReleaseResult> release(JobId id);

  /** As {@link JobQueues#reschedule}. */
  AfterCommit<RescheduleResult> reschedule(JobId id, Instant visibleAt);

  /** As {@link JobQueues#update}. */
  AfterCommit<UpdateResult> update(JobId id, UpdateOptions changes);

  /**
   * As {@link JobQueues#signal}. The job may be one that this transaction enqueues, or hands back
   * to wait for the signal.
   *
   * @param signal its name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   */
  AfterCommit<SignalResult> signal(JobId id, String signal, byte[] payload);

  /** As the other, with a payload that the codec writes. */
  default <T> AfterCommit<SignalResult> signal(JobId id, String signal, Codec<T> codec, T payload) {
    return signal(id, signal, codec.encode(payload));
  }

  /** As {@link DeadLetters#redrive}, of a job of whatever queue. */
  AfterCommit<RedriveResult> redrive(JobId id, DeadLetters.Checkpointed checkpointed);

  /** As the other; what the last checkpoint kept stays. */
  default AfterCommit<RedriveResult> redrive(JobId id) {
    return redrive(id, DeadLetters.Checkpointed.KEEP);
  }
}
