package io.millrace.memtable.log;

import io.millrace.spi.WriteBatch;

/**
 * Batches in the order of their numbers, durable once they are synced, and kept until they are
 * released.
 *
 * <p>A batch that {@code append} has returned from survives the death of the process; one that
 * {@code syncedNumber} covers survives power loss. What survives is always a prefix of the batches,
 * each whole.
 *
 * <p>The log is made of <em>parts</em>, each of which is released as a whole: batches go into the
 * newest one, until {@link #turn} begins the next.
 *
 * <p><b>Threads.</b> {@code append}, {@code sync} and {@code turn} belong to one thread at a time.
 * Everything else may be called from any thread.
 */
public interface BatchLog extends AutoCloseable {

  /** Returns the number of the newest batch in the log, or of the one that the log began after. */
  long lastNumber();

  /**
   * Returns the number of the newest batch known to be on stable storage; never above {@code
   * lastNumber}.
   */
  long syncedNumber();

  /** Returns the length of all records of the newest part, in bytes. */
  long partBytes();

  /**
   * Puts a batch behind the others.
   *
   * @throws IllegalArgumentException it does not follow {@code lastNumber}; nothing happened
   * @throws io.millrace.spi.StoreFullException there is no room for it in this part; nothing
   *     happened, and a smaller batch, or the same in another part, may still succeed
   * @throws io.millrace.spi.StoreFailedException whether the batch is in the log is unknown; the
   *     log refuses every later one
   */
  void append(WriteBatch batch);

  /**
   * Makes durable all that was appended before this call.
   *
   * @throws io.millrace.spi.StoreFailedException what is durable is unknown; the log refuses every
   *     later batch
   */
  void sync();

  /**
   * Begins another part, in room that was released or is new. Makes the one before durable first.
   *
   * @throws io.millrace.spi.StoreFullException there is no room for another part; nothing happened
   * @throws io.millrace.spi.StoreFailedException what is durable is unknown; the log refuses every
   *     later batch
   */
  void turn();

  /**
   * Lets go of the parts all of whose batches have a number of at most {@code number}: the caller
   * has them elsewhere, durably. The newest part stays.
   */
  void release(long number);

  /**
   * Makes everything durable, and frees the files. Idempotent.
   *
   * @throws io.millrace.spi.StoreFailedException something failed, now or before, and not all is
   *     durable; the files are freed all the same
   */
  @Override
  void close();
}
