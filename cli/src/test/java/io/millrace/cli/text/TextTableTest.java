package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.text.TextTable.Align;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {

  @Test
  void print_rows_alignsColumnsAndEscapesCells() {
    TextTable table = new TextTable().column("NAME", Align.LEFT).column("N", Align.RIGHT);
    table.row(List.of("a\nb", "1")).row(List.of("longer", "1,000"));

    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text));

    assertThat(text.toString().lines())
        .containsExactly("NAME        N", "a\\nb        1", "longer  1,000");
  }

  @Test
  void print_lastColumnLeft_leavesNoTrailingSpaces() {
    TextTable table = new TextTable().column("N", Align.RIGHT).column("NAME", Align.LEFT);
    table.row(List.of("10", "x"));

    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text));

    assertThat(text.toString().lines()).containsExactly(" N  NAME", "10  x");
  }

  @Test
  void row_withWrongNumberOfCells_isRefused() {
    TextTable table = new TextTable().column("N", Align.RIGHT);

    assertThatThrownBy(() -> table.row(List.of("1", "2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a row has one cell for each column: cells=2, columns=1");
  }

  @Test
  void column_afterARow_isRefused() {
    TextTable table = new TextTable().column("N", Align.RIGHT).row(List.of("1"));

    assertThatThrownBy(() -> table.column("M", Align.LEFT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a column comes before the first row: heading=M");
  }
}
