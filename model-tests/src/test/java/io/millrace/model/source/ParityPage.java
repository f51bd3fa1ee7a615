package io.millrace.model.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The tables of docs/record/parity.md, which say for all that other systems do where it is here, by
 * which test, or why it is different. A row whose first cell is empty goes on with the one above
 * it, cell by cell.
 */
final class ParityPage {

  static final String HEADING = "| there | here | shown by | different on purpose |";
  static final String HEADING_OF_WORDS = "| there | here |";

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");
  private static final Pattern LIST_OF_CODE = Pattern.compile("`[^`]+`(, `[^`]+`)*");
  private static final String NOTHING = "–";
  private static final String GOES_ON = "|  |";

  private final Path folder;
  private final TestSources tests;
  private final PublicNames names;

  /**
   * Knows what pages may name.
   *
   * @param folder where the page is, for its links
   */
  ParityPage(Path folder, TestSources tests, PublicNames names) {
    this.folder = folder;
    this.tests = tests;
    this.names = names;
  }

  /** A row of a table, and the number of its line. */
  private record Row(int number, String there, String here, String shownBy, String purpose) {

    static Optional<Row> of(int number, String line) {
      String[] cells = line.replaceAll("^\\| | \\|$", "").split(" \\| ", -1);
      return cells.length == 4
          ? Optional.of(new Row(number, cells[0], cells[1], cells[2], cells[3]))
          : Optional.empty();
    }

    Row and(Row next) {
      return new Row(
          number,
          there,
          joined(here, next.here),
          joined(shownBy, next.shownBy),
          joined(purpose, next.purpose));
    }

    private static String joined(String begin, String end) {
      return (begin + " " + end).strip();
    }
  }

  /** The titles of the systems, in their order. */
  static List<String> systems(List<String> page) {
    return page.stream()
        .filter(line -> line.startsWith("## "))
        .map(line -> line.substring(3))
        .toList();
  }

  /** What is wrong with the page, each with the number of its line. */
  List<String> flaws(List<String> page) {
    List<String> flaws = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    String heading = "";
    int rowCount = 0;
    for (int i = 0; i < page.size(); i++) {
      String line = page.get(i);
      int number = i + 1;
      addLinks(flaws, number, line);
      if (line.startsWith("## ")) {
        seen.clear();
      } else if (!line.startsWith("|")) {
        heading = "";
      } else if (heading.isEmpty()) {
        heading = line;
        if (!heading.equals(HEADING) && !heading.equals(HEADING_OF_WORDS)) {
          flaws.add(number + ": is no heading of a table of this page");
        }
      } else if (heading.equals(HEADING) && !line.startsWith("|--")) {
        if (!line.startsWith(GOES_ON)) {
          rowCount++;
          addRow(flaws, seen, row(page, i), number);
        } else if (page.get(i - 1).startsWith("|--")) {
          flaws.add(number + ": goes on with no row");
        }
      }
    }
    if (rowCount == 0) {
      flaws.add("0: there are no rows");
    }
    return flaws;
  }

  /** The row that begins there, with all that goes on with it; empty if one has not four cells. */
  private static Optional<Row> row(List<String> page, int first) {
    Optional<Row> row = Row.of(first + 1, page.get(first));
    for (int i = first + 1; i < page.size() && page.get(i).startsWith(GOES_ON); i++) {
      Optional<Row> next = Row.of(i + 1, page.get(i));
      row = row.flatMap(begin -> next.map(begin::and));
    }
    return row;
  }

  private void addRow(List<String> flaws, Set<String> seen, Optional<Row> row, int number) {
    if (row.isEmpty()) {
      flaws.add(number + ": has not four cells");
      return;
    }
    add(flaws, row.get());
    if (!seen.add(row.get().there())) {
      flaws.add(number + ": is there twice: " + row.get().there());
    }
  }

  private void addLinks(List<String> flaws, int number, String line) {
    LINK.matcher(line)
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.contains("://") && !Files.exists(folder.resolve(link)))
        .forEach(link -> flaws.add(number + ": leads nowhere: " + link));
  }

  private void add(List<String> flaws, Row row) {
    if (isNothing(row.there())) {
      flaws.add(row.number() + ": says of nothing");
    }
    if (isNothing(row.purpose())) {
      if (isNothing(row.here())) {
        flaws.add(row.number() + ": is nowhere here, and nobody says why");
      }
      if (isNothing(row.shownBy())) {
        flaws.add(row.number() + ": neither a test shows it nor a reason is given");
      }
    }
    for (String cell : List.of(row.here(), row.purpose())) {
      CODE.matcher(cell)
          .results()
          .map(code -> code.group(1))
          .filter(code -> !names.has(code))
          .forEach(code -> flaws.add(row.number() + ": is not of the API: " + code));
    }
    if (!isNothing(row.shownBy())) {
      addTests(flaws, row);
    }
  }

  private void addTests(List<String> flaws, Row row) {
    if (!LIST_OF_CODE.matcher(row.shownBy()).matches()) {
      flaws.add(row.number() + ": is no list of tests: " + row.shownBy());
    }
    for (MatchResult code : CODE.matcher(row.shownBy()).results().toList()) {
      String test = code.group(1);
      tests.flaw(test).ifPresent(flaw -> flaws.add(row.number() + ": " + flaw + ": " + test));
    }
  }

  private static boolean isNothing(String cell) {
    return cell.isBlank() || cell.equals(NOTHING);
  }
}
