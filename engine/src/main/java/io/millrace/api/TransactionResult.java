package io.millrace.api;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The possible outcomes of a transaction. If it is not {@link Committed}, nothing of it happened.
 *
 * @param <R> the type of the function's result
 */
public sealed interface TransactionResult<R extends @Nullable Object> extends Result<R> {

  /** Tells whether the whole transaction happened. */
  @Override
  default boolean isDone() {
    return this instanceof Committed;
  }

  /**
   * Returns the result of the transaction's function.
   *
   * @throws LeaseLostException a lease was not current; nothing was changed
   * @throws EnqueueRefusedException a queue did not take a job; nothing was changed
   * @throws TransactionConflictException others were faster each time that the transaction was
   *     tried; nothing was changed
   */
  @Override
  R orThrow();

  /**
   * The whole transaction happened.
   *
   * @param value the result of the function's last call
   */
  record Committed<R extends @Nullable Object>(R value) implements TransactionResult<R> {

    @Override
    public R orThrow() {
      return value;
    }
  }

  /**
   * A lease was not its job's current one: its time had passed, it had ended before, or the job no
   * longer exists.
   *
   * @param jobId the job that the lease was on
   */
  record StaleLease<R extends @Nullable Object>(JobId jobId) implements TransactionResult<R> {

    public StaleLease {
      Objects.requireNonNull(jobId, "jobId");
    }

    @Override
    public R orThrow() {
      throw new LeaseLostException(
          "transaction was not carried out: the lease is no longer the job's current one, stop"
              + " working on it: job="
              + jobId);
    }
  }

  /**
   * A queue did not take a job.
   *
   * @param why the refusal, with the queue and the reason
   */
  record Refused<R extends @Nullable Object>(EnqueueResult.Refused why)
      implements TransactionResult<R> {

    public Refused {
      Objects.requireNonNull(why, "why");
    }

    @Override
    public R orThrow() {
      throw new EnqueueRefusedException(why, List.of(why));
    }
  }

  /**
   * Something that the transaction relied on was changed by others, each time that it was tried.
   *
   * @param what a description, for people, of the last thing that was changed
   * @param tries how often the function was called
   */
  record Conflict<R extends @Nullable Object>(String what, int tries)
      implements TransactionResult<R> {

    public Conflict {
      Objects.requireNonNull(what, "what");
    }

    @Override
    public R orThrow() {
      throw new TransactionConflictException(
          "transaction was not carried out: others were faster each time, try it again: tries="
              + tries
              + ", changed last: "
              + what);
    }
  }
}
