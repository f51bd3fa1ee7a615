package io.millrace.outbox.jdbc;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.outbox.jdbc.OutboxRow.Readable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The enqueues of rows that were read in one look at the table: what the engine commits together,
 * and what becomes of rows that it does not take. Belongs to one thread.
 *
 * <p>A commit has all of its rows or none. If a queue takes none of them, half of its rows are left
 * out, then half of the rest: a queue with a little room gets about as many as it has room for, and
 * one with none holds nobody up. If a row cannot be carried out at all, the batch is halved until
 * that one is alone.
 */
final class Relaying {

  private final JobQueues queues;
  private final Notes notes;
  private final long generation;
  private final BooleanSupplier isClosed;

  /** The ids of rows that have a note in the engine now. */
  final List<String> noted = new ArrayList<>();

  /** The reasons by the ids of rows that can never be enqueued as they are. */
  final Map<String, String> failed = new LinkedHashMap<>();

  /** The queues that took nothing. */
  final Set<QueueName> refusing = new LinkedHashSet<>();

  /** The queues that took something. */
  final Set<QueueName> taking = new LinkedHashSet<>();

  int relayedCount;
  int knownCount;
  int batchCount;

  /**
   * The answer whether rows were left out that may be relayed as soon as the table is looked at
   * again.
   */
  boolean hasMore;

  /** The result of a transaction. */
  private record Batch(boolean isCurrent, int relayedCount) {}

  /**
   * Creates the enqueues.
   *
   * @param generation the number of removals of notes, as it was before the rows were read
   * @param isClosed whether the relay is to have no effect any more
   */
  Relaying(JobQueues queues, Notes notes, long generation, BooleanSupplier isClosed) {
    this.queues = queues;
    this.notes = notes;
    this.generation = generation;
    this.isClosed = isClosed;
  }

  /** Enqueues rows. What the engine throws stops it; what was noted before stays noted. */
  void all(List<Readable> rows) {
    List<Readable> left = rows;
    while (!left.isEmpty()) {
      List<Readable> batch = left;
      TransactionResult<Batch> result;
      try {
        result = queues.transact(transaction -> enqueue(transaction, batch));
      } catch (IllegalArgumentException | CorruptDataException e) {
        apart(batch, e);
        return;
      }
      if (result instanceof TransactionResult.Committed<Batch> committed) {
        committed(batch, committed.value());
        return;
      }
      if (!(result instanceof TransactionResult.Refused<Batch> refused)) {
        hasMore = true; // others changed what it relied on, each time
        return;
      }
      left = fewer(batch, refused.why().queue());
    }
  }

  private Batch enqueue(Transaction transaction, List<Readable> rows) {
    // Also for one who was held up on the way here, and whose relay was closed and replaced.
    if (isClosed.getAsBoolean() || notes.generation(transaction) != generation) {
      return new Batch(false, 0);
    }
    long nowMs = queues.now().toEpochMilli();
    int count = 0;
    for (Readable row : rows) {
      if (!notes.has(transaction, row.id())) {
        JobId job = transaction.enqueue(row.queue(), row.job().payload(), row.job().options());
        notes.put(transaction, new Notes.Note(row.id(), nowMs, job));
        count++;
      }
    }
    return new Batch(true, count);
  }

  private void committed(List<Readable> rows, Batch batch) {
    if (!batch.isCurrent) {
      hasMore = true;
      return;
    }
    for (Readable row : rows) {
      noted.add(row.text());
      taking.add(row.queue());
    }
    relayedCount += batch.relayedCount;
    knownCount += rows.size() - batch.relayedCount;
    batchCount++;
  }

  private void apart(List<Readable> rows, RuntimeException e) {
    if (rows.size() > 1) {
      int half = rows.size() / 2;
      all(rows.subList(0, half));
      all(rows.subList(half, rows.size()));
      return;
    }
    Readable row = rows.get(0);
    if (e instanceof CorruptDataException) {
      // Something that the row needs is damaged. Whether it was relayed may be among that.
      refusing.add(row.queue());
    } else {
      failed.put(row.text(), String.valueOf(e.getMessage()));
    }
  }

  private List<Readable> fewer(List<Readable> rows, QueueName refusingQueue) {
    long count = rows.stream().filter(row -> row.queue().equals(refusingQueue)).count();
    long keep = count / 2;
    if (keep == 0) {
      refusing.add(refusingQueue);
    } else {
      hasMore = true;
    }
    List<Readable> fewer = new ArrayList<>(rows.size());
    for (Readable row : rows) {
      if (!row.queue().equals(refusingQueue) || keep-- > 0) {
        fewer.add(row);
      }
    }
    return fewer;
  }
}
