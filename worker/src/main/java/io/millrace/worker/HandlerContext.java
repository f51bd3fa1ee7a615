package io.millrace.worker;

import io.millrace.api.JobQueues;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Transaction;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The job that a {@link JobHandler} works on, which may complete it before it returns. Handlers
 * that answer something say what becomes of their jobs by that alone: see {@link Next#doneWith}.
 */
public interface HandlerContext extends JobContext {

  /**
   * Completes the job together with effects in the same store: in one commit, or not at all. When
   * this returns the job is done, and the handler has nothing more to do but to return. The job has
   * no result: what the function answers is for the handler.
   *
   * @param effects called as {@link JobQueues#transact} calls it, perhaps several times
   * @throws LeaseLostException the job is another's by now; nothing happened
   */
  <R extends @Nullable Object> R completeWith(Function<Transaction, R> effects);

  /** As {@link #completeWith}, with effects that have nothing to answer. */
  default void completeInTransaction(Consumer<Transaction> effects) {
    Objects.requireNonNull(effects, "effects");
    completeWith(
        transaction -> {
          effects.accept(transaction);
          return true;
        });
  }
}
