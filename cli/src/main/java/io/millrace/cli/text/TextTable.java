package io.millrace.cli.text;

import io.millrace.console.text.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows under headings, in columns as wide as their widest cell. Cells are made {@link Printable}.
 */
public final class TextTable {

  /** The side on which the cells of a column stand. */
  public enum Align {
    LEFT,
    RIGHT
  }

  private static final String GAP = "  ";

  private final List<String> headings = new ArrayList<>();
  private final List<Align> aligns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a column; all columns come before the first row. */
  public TextTable column(String heading, Align align) {
    if (!rows.isEmpty()) {
      throw new IllegalStateException("a column comes before the first row: heading=" + heading);
    }
    headings.add(heading);
    aligns.add(align);
    return this;
  }

  /** Adds a row with one cell for each column. */
  public TextTable row(List<String> cells) {
    if (cells.size() != headings.size()) {
      throw new IllegalArgumentException(
          "a row has one cell for each column: cells="
              + cells.size()
              + ", columns="
              + headings.size());
    }
    rows.add(cells.stream().map(Printable::text).toList());
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Writes the headings and the rows. */
  public void print(PrintWriter out) {
    int[] widths = new int[headings.size()];
    measure(headings, widths);
    rows.forEach(row -> measure(row, widths));
    printRow(headings, widths, out);
    rows.forEach(row -> printRow(row, widths, out));
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(cells.get(i)));
    }
  }

  private void printRow(List<String> cells, int[] widths, PrintWriter out) {
    List<String> padded = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String padding = String.join("", Collections.nCopies(widths[i] - width(cell), " "));
      padded.add(aligns.get(i) == Align.RIGHT ? padding + cell : cell + padding);
    }
    out.println(String.join(GAP, padded).stripTrailing());
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
