package io.millrace.model.history;

import io.millrace.model.Coverage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The rows of docs/STATES.md. */
final class StatesTable {

  private static final int COLUMN_COUNT = 13;

  /** Which rows are meant. */
  enum Since {
    NOW,
    FAULT,
    LATER
  }

  private record Row(String state, String event, Since since) {}

  private final List<Row> rows = new ArrayList<>();

  private StatesTable() {}

  static StatesTable read() throws IOException {
    StatesTable table = new StatesTable();
    for (String line : Files.readAllLines(Path.of("..", "docs", "STATES.md"))) {
      if (line.startsWith("| ") && !line.startsWith("| State |")) {
        table.add(line);
      }
    }
    return table;
  }

  private void add(String line) {
    String[] cells = line.substring(1).split("\\|");
    if (cells.length != COLUMN_COUNT) {
      throw new IllegalStateException(
          "row has " + cells.length + " columns, not " + COLUMN_COUNT + ": " + line);
    }
    Since since = Since.valueOf(cells[COLUMN_COUNT - 1].strip().toUpperCase(java.util.Locale.ROOT));
    for (String state : cells[0].strip().split(" / ")) {
      for (String event : cells[1].strip().split(" / ")) {
        rows.add(new Row(state, event, since));
      }
    }
  }

  /** The rows as {@link Coverage#row} names them. */
  Set<String> rows(Since since) {
    Set<String> names = new TreeSet<>();
    rows.stream()
        .filter(row -> row.since() == since)
        .forEach(row -> names.add(Coverage.row(row.state(), row.event())));
    return names;
  }

  int size() {
    return rows.size();
  }
}
