package io.millrace.worker;

import io.millrace.MillraceException;
import io.millrace.api.JobQueues;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Transaction;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The job that a {@link JobHandler} works on, which may complete the job before it returns.
 * Handlers with an answer say by that alone what becomes of their jobs: see {@link Next#doneWith}.
 */
public interface HandlerContext extends JobContext {

  /**
   * Completes the job together with effects in the same store: in one commit, or not at all. When
   * this returns the job is done, and the handler only has to return. The job has no result: the
   * function's answer is for the handler.
   *
   * @param effects called as {@link JobQueues#transact} calls it, perhaps several times
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws MillraceException as {@link JobQueues#transact}, and as {@code orThrow()} of its
   *     result; whatever the function throws is thrown, too, and nothing happened then
   */
  <R extends @Nullable Object> R completeWith(Function<Transaction, R> effects);

  /**
   * Completes the job together with effects that have no answer; see {@link #completeWith}.
   *
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws MillraceException as {@link JobQueues#transact}, and as {@code orThrow()} of its
   *     result; whatever the function throws is thrown, too, and nothing happened then
   */
  default void completeInTransaction(Consumer<Transaction> effects) {
    Objects.requireNonNull(effects, "effects");
    completeWith(
        transaction -> {
          effects.accept(transaction);
          return true;
        });
  }
}
