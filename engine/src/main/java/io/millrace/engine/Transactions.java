package io.millrace.engine;

import io.millrace.api.Limits;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.internal.transition.transact.Part;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls the functions of transactions, has what they ask for carried out, and calls them anew if
 * what they went by was not true by then. Any thread.
 */
final class Transactions {

  private final TransactionIds ids = new TransactionIds();

  /** Set on a thread while a function runs on it. */
  private final ThreadLocal<Boolean> isInside = new ThreadLocal<>();

  <R extends @Nullable Object> TransactionResult<R> transact(
      Submitter submitter, Function<Transaction, R> work) {
    Objects.requireNonNull(work, "work");
    if (isInside.get() != null) {
      throw new IllegalStateException(
          "transact was called inside a transaction of the same engine: nothing of the inner one"
              + " happened, use the transaction that the function was given");
    }
    TransactionTold told = new TransactionTold(ids);
    String changed = "";
    for (int tries = 1; tries <= Limits.TRANSACTION_TRIES_MAX; tries++) {
      TransactionHandle transaction = new TransactionHandle(submitter, told);
      R value = call(work, transaction);
      Verdict verdict = carryOut(submitter, transaction);
      if (verdict instanceof Verdict.Done done) {
        transaction.committed(done.answers());
        return new TransactionResult.Committed<>(value);
      } else if (verdict instanceof Verdict.StaleLease stale) {
        return new TransactionResult.StaleLease<>(stale.job());
      } else if (verdict instanceof Verdict.Refused refused) {
        return new TransactionResult.Refused<>(refused.why());
      } else if (verdict instanceof Verdict.KeyHeld held) {
        told.learn(held.part(), held.holder());
        changed = "who holds a unique key: job=" + held.holder();
      } else {
        told.forgetIds();
        changed = "a queue was deleted, or the store opened again";
      }
    }
    return new TransactionResult.Conflict<>(changed, Limits.TRANSACTION_TRIES_MAX);
  }

  private <R extends @Nullable Object> R call(
      Function<Transaction, R> work, TransactionHandle transaction) {
    isInside.set(true);
    try {
      return work.apply(transaction);
    } finally {
      isInside.remove();
      transaction.end();
    }
  }

  private static Verdict carryOut(Submitter submitter, TransactionHandle transaction) {
    List<Part> parts = transaction.parts();
    return parts.isEmpty()
        ? new Verdict.Done(List.of())
        : submitter.call(new Transact(List.copyOf(parts)));
  }
}
