package io.millrace.engine;

import io.millrace.api.Limits;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.calls.TransactionRows;
import io.millrace.internal.state.EngineTotals;
import io.millrace.internal.transition.transact.Guard;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.TransactionPart;
import io.millrace.internal.transition.transact.Verdict;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of callers: calls their functions, has the operations that they ask for carried out,
 * and calls them anew if what they went by was not true by then. Any thread.
 */
final class Transactions {

  private final TransactionIds ids = new TransactionIds();
  private final RowTurns rowTurns = new RowTurns();
  private final EngineTotals totals;
  private final FunctionThreads functions;

  Transactions(EngineTotals totals, FunctionThreads functions) {
    this.totals = totals;
    this.functions = functions;
  }

  /** A transaction, until it has ended. */
  private record Running<R extends @Nullable Object>(
      Submitter submitter,
      TransactionRows.Store store,
      TransactionTold told,
      RowTurns.Taken turns,
      Function<Transaction, R> work) {

    TransactionHandle begin() {
      told.begin();
      return new TransactionHandle(submitter, told, new TransactionRows(store, turns));
    }
  }

  <R extends @Nullable Object> TransactionResult<R> transact(
      Submitter submitter, TransactionRows.Store store, Function<Transaction, R> work) {
    Objects.requireNonNull(work, "work");
    functions.check("the calls");
    TransactionTold told = new TransactionTold(ids);
    RowTurns.Taken turns = rowTurns.taken();
    try {
      return ended(new Running<>(submitter, store, told, turns, work));
    } finally {
      turns.end();
    }
  }

  private <R extends @Nullable Object> TransactionResult<R> ended(Running<R> running) {
    String changed = "";
    for (int tries = 1; tries <= Limits.TRANSACTION_TRIES_MAX; tries++) {
      running.turns().begin();
      Tried<R> tried = attempt(running, tries);
      TransactionResult<R> result = tried.result();
      if (result != null) {
        return result;
      }
      changed = tried.changed();
    }
    return new TransactionResult.Conflict<>(changed, Limits.TRANSACTION_TRIES_MAX);
  }

  /**
   * The outcome of calling the function once.
   *
   * @param result the end of the transaction; null if the function is to be called anew
   * @param changed the reason to call it anew, for people
   */
  private record Tried<R extends @Nullable Object>(
      @Nullable TransactionResult<R> result, String changed) {

    static <R extends @Nullable Object> Tried<R> ended(TransactionResult<R> result) {
      return new Tried<>(result, "");
    }

    static <R extends @Nullable Object> Tried<R> again(String changed) {
      return new Tried<>(null, changed);
    }
  }

  private <R extends @Nullable Object> Tried<R> attempt(Running<R> running, int tries) {
    TransactionHandle transaction = running.begin();
    R value;
    try {
      value = call(running.work(), transaction);
    } catch (RuntimeException e) {
      // It may have thrown for seeing what never was, or never was at one moment.
      running.turns().awaitGonesBy();
      if (tries == Limits.TRANSACTION_TRIES_MAX || isCurrent(transaction.rows(), e)) {
        throw e;
      }
      lost(running);
      return Tried.again("a row that the function read before it threw");
    }
    return judged(running, transaction, value);
  }

  /**
   * Tells whether the rows that the function read are still the same. If they cannot be read, it
   * says so, and what the function threw is thrown.
   */
  private static boolean isCurrent(TransactionRows rows, RuntimeException thrown) {
    try {
      return rows.isCurrent();
    } catch (RuntimeException e) {
      if (e != thrown) {
        thrown.addSuppressed(e);
      }
      return true;
    }
  }

  private <R extends @Nullable Object> Tried<R> judged(
      Running<R> running, TransactionHandle transaction, R value) {
    Verdict verdict = carryOut(running, transaction);
    if (verdict instanceof Verdict.Done done) {
      transaction.committed(done.answers());
      return Tried.ended(new TransactionResult.Committed<>(value));
    } else if (verdict instanceof Verdict.StaleLease stale) {
      return Tried.ended(new TransactionResult.StaleLease<>(stale.job()));
    } else if (verdict instanceof Verdict.Refused refused) {
      return Tried.ended(new TransactionResult.Refused<>(refused.why()));
    } else if (verdict instanceof Verdict.RowChanged row) {
      lost(running);
      return Tried.again(text(row.guard()));
    } else if (verdict instanceof Verdict.KeysHeld held) {
      running.told().learn(held.holders());
      return Tried.again("who holds unique keys of new jobs: jobs=" + held.holders().size());
    }
    running.told().forgetIds();
    return Tried.again("a queue was deleted, or the store opened again");
  }

  private void lost(Running<?> running) {
    running.turns().lost();
    totals.countTransactionConflict();
  }

  private static String text(Guard guard) {
    return "row of a table: table="
        + guard.table()
        + ", key="
        + HexFormat.of().formatHex(guard.key());
  }

  private <R extends @Nullable Object> R call(
      Function<Transaction, R> work, TransactionHandle transaction) {
    totals.countTransactionCall();
    try {
      return functions.during(() -> work.apply(transaction));
    } finally {
      transaction.end();
    }
  }

  private static Verdict carryOut(Running<?> running, TransactionHandle transaction) {
    List<TransactionPart> parts = transaction.parts();
    List<Guard> guards =
        transaction.rows().seen().stream()
            .map(row -> new Guard(row.table(), row.key(), row.value().orElse(null)))
            .toList();
    if (parts.isEmpty() && guards.isEmpty()) {
      return new Verdict.Done(List.of());
    }
    RowTurns.Taken turns = running.turns();
    boolean isDone = false;
    try {
      transaction.rows().leave();
      Verdict verdict =
          running.submitter().call(new Transact(List.copyOf(parts), guards), turns::end);
      isDone = verdict instanceof Verdict.Done;
      return verdict;
    } finally {
      turns.answered(isDone);
    }
  }
}
