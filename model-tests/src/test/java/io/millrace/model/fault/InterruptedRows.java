package io.millrace.model.fault;

import static java.util.stream.Collectors.toMap;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Every call on a table of rows, one at a time, by a thread that somebody interrupts meanwhile: a
 * change is made whole or not at all, and is there if the call was answered. For that thread.
 */
final class InterruptedRows {

  private static final Map<String, String> BEFORE = Map.of("a", "old");
  private static final TableRow<String, String> NEW_A = new TableRow<>("a", "new");
  private static final TableRow<String, String> NEW_B = new TableRow<>("b", "new");

  private static final List<Change> CHANGES =
      List.of(
          new Change("put", rows -> rows.put("a", "new"), Map.of("a", "new")),
          new Change(
              "putAll", rows -> rows.putAll(List.of(NEW_A, NEW_B)), Map.of("a", "new", "b", "new")),
          new Change("delete of a row", rows -> rows.delete("a"), Map.of()),
          new Change("deleteAll of rows", rows -> rows.deleteAll(List.of("a", "b")), Map.of()),
          new Change(
              "putIfAbsent",
              rows -> rows.putIfAbsent("b", "new").orThrow(),
              Map.of("a", "old", "b", "new")),
          new Change(
              "replace", rows -> rows.replace("a", "old", "new").orThrow(), Map.of("a", "new")),
          new Change("deleteIf", rows -> rows.deleteIf("a", "old").orThrow(), Map.of()),
          new Change("drop", Table::drop, Map.of()));

  private static final List<Look> LOOKS =
      List.of(
          new Look("get of a row", rows -> rows.get("a"), Optional.of("old")),
          new Look(
              "getAll of rows",
              rows -> rows.getAll(List.of("a", "b")),
              List.of(Optional.of("old"), Optional.empty())),
          new Look("scan", InterruptedRows::content, BEFORE),
          new Look("count of rows", Table::count, 1L));

  private final Table<String, String> rows;
  private final Ledger ledger;
  private final Disturbances calls;

  /** A call that leaves these rows of those that are there before. */
  private record Change(
      String name, Consumer<Table<String, String>> call, Map<String, String> after) {}

  /** A call that answers this of the rows that are there before. */
  private record Look(String name, Function<Table<String, String>, Object> call, Object answer) {}

  InterruptedRows(JobQueues queues, Ledger ledger, Disturbances calls) {
    this.rows = queues.table("interrupted", Codec.TEXT, Codec.TEXT);
    this.ledger = ledger;
    this.calls = calls;
  }

  /** Makes the next call; returns what it is called. */
  String call(Random random) {
    rows.deleteAllAsync(List.of("a", "b")).join();
    rows.putAsync("a", "old").join();
    return random.nextInt(3) == 0
        ? look(LOOKS.get(random.nextInt(LOOKS.size())))
        : change(CHANGES.get(random.nextInt(CHANGES.size())));
  }

  private String look(Look look) {
    Object answer = calls.told(look.name, () -> look.call.apply(rows)).answer();
    if (!answer.equals(look.answer)) {
      ledger.wrong(look.name + " answered " + answer);
    }
    return look.name;
  }

  private String change(Change change) {
    CallOutcome.Kind told = calls.done(change.name, () -> change.call.accept(rows));
    rows.deleteAsync("none").join(); // when it is done, so is whatever was asked before
    Map<String, String> after = content(rows);
    boolean isMade = after.equals(change.after);
    boolean isRight =
        switch (told) {
          case ANSWER -> isMade;
          case NOTHING_HAPPENED -> after.equals(BEFORE);
          case UNKNOWN -> isMade || after.equals(BEFORE);
        };
    if (!isRight) {
      ledger.wrong(change.name + ", of which was told " + told + ", left " + after);
    }
    return change.name;
  }

  private static Map<String, String> content(Table<String, String> rows) {
    return rows.scan(TableRange.all(), PageRequest.first(10)).items().stream()
        .collect(toMap(TableRow::key, TableRow::value));
  }
}
