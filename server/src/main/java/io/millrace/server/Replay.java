package io.millrace.server;

import io.millrace.api.AfterCommit;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.calls.TransactionWithIds;
import io.millrace.protocol.TransactionCalls.SeenRow;
import io.millrace.protocol.TransactionCalls.Step;
import io.millrace.protocol.TransactionCalls.StepAnswer;
import io.millrace.protocol.TransactionCalls.Transact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A caller's transaction as it is carried out here. Belongs to one thread. */
final class Replay {

  private final JobQueues queues;
  private final Transact asked;

  /** An end of a transaction because what it goes by is not true. */
  static final class ChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Transact.Changed answer;

    ChangedException(Transact.Changed answer) {
      super(answer.what(), null, false, false);
      this.answer = answer;
    }

    Transact.Changed answer() {
      return answer;
    }
  }

  /** Creates the replay of a transaction in one of these queues. */
  Replay(JobQueues queues, Transact asked) {
    this.queues = queues;
    this.asked = asked;
  }

  /**
   * Asks the transaction for all that the caller asked for.
   *
   * @return the answers, once the transaction has committed
   * @throws ChangedException rows, or holders of unique keys, are others than the caller thought
   */
  List<Supplier<StepAnswer>> run(Transaction tx) {
    refuseChangedRows(tx);
    List<Supplier<StepAnswer>> answers = new ArrayList<>(asked.steps().size());
    List<Transact.Holder> holders = new ArrayList<>(0);
    for (Step step : asked.steps()) {
      answers.add(
          step instanceof Step.Enqueue job
              ? enqueue(tx, job, answers.size(), holders)
              : carryOut(tx, step));
    }
    if (!holders.isEmpty()) {
      throw new ChangedException(
          new Transact.Changed(
              "who holds unique keys of new jobs: jobs=" + holders.size(),
              List.of(),
              holders,
              false));
    }
    return answers;
  }

  private void refuseChangedRows(Transaction tx) {
    Map<String, List<SeenRow>> byTable = new LinkedHashMap<>();
    asked
        .reads()
        .forEach(row -> byTable.computeIfAbsent(row.table(), name -> new ArrayList<>()).add(row));
    List<SeenRow> changed = new ArrayList<>(0);
    byTable.forEach(
        (table, rows) -> {
          List<Optional<byte[]>> now =
              tx.getAll(table(table), rows.stream().map(SeenRow::key).toList());
          for (int i = 0; i < rows.size(); i++) {
            SeenRow seen = rows.get(i);
            if (!Arrays.equals(seen.value().orElse(null), now.get(i).orElse(null))) {
              changed.add(new SeenRow(table, seen.key(), now.get(i)));
            }
          }
        });
    if (!changed.isEmpty()) {
      SeenRow first = changed.get(0);
      throw new ChangedException(
          new Transact.Changed(
              "row of a table: table="
                  + first.table()
                  + ", key="
                  + HexFormat.of().formatHex(first.key()),
              changed,
              List.of(),
              false));
    }
  }

  private Supplier<StepAnswer> enqueue(
      Transaction tx, Step.Enqueue step, int place, List<Transact.Holder> holders) {
    if (step.id().isEmpty()) {
      JobId id = tx.enqueue(step.queue(), step.job().payload(), step.job().options());
      return () -> new StepAnswer.Enqueued(id);
    }
    JobId id = step.id().get();
    JobId told = withIds(tx).enqueue(step.queue(), step.job(), id, step.holder());
    if (!told.equals(step.holder().orElse(id))) {
      holders.add(
          new Transact.Holder(place, Optional.of(told).filter(holder -> !holder.equals(id))));
    }
    return () -> new StepAnswer.Enqueued(told);
  }

  private Supplier<StepAnswer> begin(Transaction tx, Step.Begin step) {
    if (step.id().isPresent()) {
      withIds(tx).begin(step.batch(), step.isOpen(), step.id().get());
      return () -> new StepAnswer.Begun(step.id().get());
    }
    BatchId id = step.isOpen() ? tx.open(step.batch()) : tx.start(step.batch());
    return () -> new StepAnswer.Begun(id);
  }

  private static TransactionWithIds withIds(Transaction tx) {
    if (!(tx instanceof TransactionWithIds known)) {
      throw new IllegalArgumentException(
          "the queues of this server take no ids of new jobs: leave them out");
    }
    if (known.areIdsGone()) {
      throw new ChangedException(
          new Transact.Changed("ids of new jobs or batches", List.of(), List.of(), true));
    }
    return known;
  }

  private Supplier<StepAnswer> carryOut(Transaction tx, Step step) {
    if (step instanceof Step.Put put) {
      tx.put(table(put.table()), put.key(), put.value());
      return StepAnswer.Done::new;
    } else if (step instanceof Step.Delete delete) {
      return after(tx.delete(table(delete.table()), delete.key()), StepAnswer.Found::new);
    } else if (step instanceof Step.Add add) {
      return after(tx.add(numbers(add.table()), add.key(), add.delta()), StepAnswer.Total::new);
    } else if (step instanceof Step.Max max) {
      return after(tx.max(numbers(max.table()), max.key(), max.value()), StepAnswer.Total::new);
    } else if (step instanceof Step.Append append) {
      return after(
          tx.append(table(append.table()), append.key(), append.value()), StepAnswer.Content::new);
    } else if (step instanceof Step.Begin begin) {
      return begin(tx, begin);
    } else if (step instanceof Step.Seal seal) {
      return after(tx.seal(seal.batch()), StepAnswer.Found::new);
    }
    return JobSteps.carryOut(queues, tx, step);
  }

  static <T> Supplier<StepAnswer> after(AfterCommit<T> answer, Function<T, StepAnswer> told) {
    return () -> told.apply(answer.get());
  }

  private Table<byte[], byte[]> table(String name) {
    return queues.table(name, Codec.BYTES, Codec.BYTES);
  }

  private Table<byte[], Long> numbers(String name) {
    return queues.table(name, Codec.BYTES, Codec.LONG);
  }
}
