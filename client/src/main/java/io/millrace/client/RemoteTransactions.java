package io.millrace.client;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Limits;
import io.millrace.api.TableReader;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.calls.TableCodecs;
import io.millrace.calls.TransactionRows;
import io.millrace.protocol.TransactionCalls.SeenRow;
import io.millrace.protocol.TransactionCalls.Transact;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a caller: calls its function here, has the server carry out what it asked for,
 * and calls it anew if what it went by was not true by then. Belongs to one thread.
 */
final class RemoteTransactions<R extends @Nullable Object> {

  private final Caller caller;

  /** The way to the server for what the transaction itself asks while the function runs. */
  private final Caller inside;

  private final Function<Transaction, R> work;
  private final KnownRows known = new KnownRows();
  private final ToldIds ids;
  private String changed = "";

  private RemoteTransactions(Caller caller, Function<Transaction, R> work) {
    this.caller = caller;
    this.work = work;
    this.inside = caller.forFunctions();
    this.ids = new ToldIds(inside);
  }

  /** Carries out the transaction of a function. */
  static <R extends @Nullable Object> TransactionResult<R> transact(
      Caller caller, Function<Transaction, R> work) {
    Objects.requireNonNull(work, "work");
    caller.functions().check("the calls");
    return new RemoteTransactions<>(caller, work).ended();
  }

  private TransactionResult<R> ended() {
    for (int tries = 1; tries <= Limits.TRANSACTION_TRIES_MAX; tries++) {
      TransactionResult<R> result = attempt(tries == Limits.TRANSACTION_TRIES_MAX);
      if (result != null) {
        return result;
      }
    }
    return new TransactionResult.Conflict<>(changed, Limits.TRANSACTION_TRIES_MAX);
  }

  /** Calls the function once. Returns null if it is to be called anew. */
  private @Nullable TransactionResult<R> attempt(boolean isLast) {
    TransactionRows rows = new TransactionRows(this::read, known);
    RemoteTransaction transaction = new RemoteTransaction(caller, ids, rows);
    R value;
    try {
      value = caller.functions().during(() -> work.apply(transaction));
    } catch (RuntimeException e) {
      // It may have thrown for seeing what never was at one moment.
      transaction.end();
      if (isLast || isCurrent(rows, e)) {
        throw e;
      }
      known.forget();
      changed = "a row that the function read before it threw";
      return null;
    }
    transaction.end();
    return carriedOut(transaction, value);
  }

  private <T> T read(String table, Function<TableReader<byte[], byte[]>, T> question) {
    return question.apply(
        new RemoteTable<>(inside, new TableCodecs<>(table, Codec.BYTES, Codec.BYTES)));
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

  private @Nullable TransactionResult<R> carriedOut(RemoteTransaction transaction, R value) {
    List<TransactionRows.Seen> seen = transaction.rows().seen();
    if (transaction.steps().isEmpty() && seen.isEmpty()) {
      transaction.committed(List.of());
      return new TransactionResult.Committed<>(value);
    }
    Transact.Answer answer =
        caller.ask(
            new Transact(
                seen.stream().map(row -> new SeenRow(row.table(), row.key(), row.value())).toList(),
                List.copyOf(transaction.steps()),
                caller.durability()));
    if (answer instanceof Transact.Committed committed) {
      transaction.committed(committed.answers());
      return new TransactionResult.Committed<>(value);
    } else if (answer instanceof Transact.StaleLease stale) {
      return new TransactionResult.StaleLease<>(stale.jobId());
    } else if (answer instanceof Transact.Refused refused) {
      return new TransactionResult.Refused<>((EnqueueResult.Refused) refused.why());
    }
    learn((Transact.Changed) answer, seen);
    return null;
  }

  private void learn(Transact.Changed told, List<TransactionRows.Seen> seen) {
    changed = told.what();
    if (told.rows().isEmpty() && told.holders().isEmpty()) {
      known.forget();
    } else {
      known.learn(seen);
    }
    known.learn(
        told.rows().stream()
            .map(row -> new TransactionRows.Seen(row.table(), row.key(), row.value()))
            .toList());
    told.holders().forEach(holder -> ids.learn(holder.step(), holder.jobId()));
    if (told.areIdsGone()) {
      ids.forget();
    }
  }
}
