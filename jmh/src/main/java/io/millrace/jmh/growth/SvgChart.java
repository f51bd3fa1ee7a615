package io.millrace.jmh.growth;

import io.millrace.jmh.growth.Axis.Ends;
import io.millrace.jmh.growth.Axis.Tick;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * A chart of panels below each other over one logarithmic axis, written as SVG. It measures no text
 * and needs no fonts, as Java's own drawing does. The same content is the same text every time.
 */
final class SvgChart {

  static final int WIDTH = 860;
  static final int LEFT = 80;
  static final int RIGHT = 30;
  static final int PLOT_HEIGHT = 180;
  static final int HEADER_HEIGHT = 40;

  /** The height of a line of text. */
  static final int LINE_HEIGHT = 18;

  private static final int BELOW_PLOT = 56;
  private static final int LEGEND_COLUMNS = 3;
  private static final String INK = "#1c2733";
  private static final String FAINT = "#5a6772";
  private static final String GRID = "#d8dfe4";
  private static final String PAPER = "#ffffff";

  /** Colours that differ on white paper, also for the colour-blind. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#007a5a", "#a3478a", "#7a6200", "#333333");

  private final Content content;
  private final StringBuilder svg = new StringBuilder();

  /**
   * The content of a chart.
   *
   * @param title its title
   * @param notes lines below the title
   * @param axis the label of the axis that all panels have
   * @param amountLabel writes a value of that axis
   * @param panels the panels, each with at least one dot
   */
  record Content(
      String title,
      List<String> notes,
      String axis,
      DoubleFunction<String> amountLabel,
      List<Panel> panels) {}

  /** A panel: its title, which names the unit, and its lines. */
  record Panel(String title, List<Line> lines) {

    double[] amounts() {
      return lines.stream().flatMap(line -> line.dots.stream()).mapToDouble(Dot::amount).toArray();
    }

    double[] values() {
      return lines.stream().flatMap(line -> line.dots.stream()).mapToDouble(Dot::value).toArray();
    }

    int legendRowCount() {
      return (lines.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    }

    int height() {
      return LINE_HEIGHT * (1 + legendRowCount()) + PLOT_HEIGHT + BELOW_PLOT;
    }
  }

  /** A line of a panel, and its name in the legend. */
  record Line(String name, List<Dot> dots) {}

  /** A measured value at an amount. */
  record Dot(double amount, double value) {}

  private SvgChart(Content content) {
    this.content = content;
  }

  /** Returns the chart as an SVG document. */
  static String text(Content content) {
    return new SvgChart(content).draw();
  }

  private String draw() {
    int top = HEADER_HEIGHT + LINE_HEIGHT * content.notes.size();
    int height = top + content.panels.stream().mapToInt(Panel::height).sum();
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\""
            + " viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, height);
    add("<title>%s</title>", escaped(content.title));
    add("<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>", WIDTH, height, PAPER);
    add(
        "<text x=\"%d\" y=\"26\" font-size=\"16\" font-weight=\"bold\" fill=\"%s\">%s</text>",
        LINE_HEIGHT, INK, escaped(content.title));
    for (int i = 0; i < content.notes.size(); i++) {
      text(LINE_HEIGHT, HEADER_HEIGHT + LINE_HEIGHT * i + 6, "start", FAINT, content.notes.get(i));
    }
    for (Panel panel : content.panels) {
      add("<g class=\"panel\">");
      draw(panel, top);
      add("</g>");
      top += panel.height();
    }
    add("</svg>");
    return svg.toString();
  }

  private void draw(Panel panel, int top) {
    text(LINE_HEIGHT, top + LINE_HEIGHT, "start", INK, panel.title);
    int plotTop = top + LINE_HEIGHT * (1 + panel.legendRowCount()) + LINE_HEIGHT / 2;
    int plotBottom = plotTop + PLOT_HEIGHT;
    Axis across =
        Axis.ofAmounts(
            panel.amounts(), content.amountLabel, new Ends(LEFT, (double) WIDTH - RIGHT));
    Axis up = Axis.ofValues(panel.values(), new Ends(plotBottom, plotTop));
    for (Tick tick : across.ticks()) {
      double x = across.place(tick.value());
      grid(x, plotTop, x, plotBottom);
      text(x, plotBottom + LINE_HEIGHT, "middle", INK, tick.label());
    }
    for (Tick tick : up.ticks()) {
      double y = up.place(tick.value());
      grid(LEFT, y, (double) WIDTH - RIGHT, y);
      text(LEFT - 8.0, y + 4, "end", INK, tick.label());
    }
    text(
        (LEFT + WIDTH - RIGHT) / 2.0,
        plotBottom + 2.0 * LINE_HEIGHT,
        "middle",
        FAINT,
        content.axis);
    for (int i = 0; i < panel.lines.size(); i++) {
      legend(panel.lines.get(i).name, i, top + LINE_HEIGHT);
      draw(panel.lines.get(i), colour(i), across, up);
    }
  }

  private static String colour(int index) {
    return COLOURS.get(index % COLOURS.size());
  }

  private void legend(String name, int index, int top) {
    double x = LEFT + (double) (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS * (index % LEGEND_COLUMNS);
    double y = top + LINE_HEIGHT * (1 + index / LEGEND_COLUMNS);
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>",
        x, y - 6, colour(index));
    text(x + 20, y, "start", colour(index), name);
  }

  private void draw(Line line, String colour, Axis across, Axis up) {
    StringBuilder path = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    for (Dot dot : line.dots) {
      if (up.has(dot.value)) {
        String x = number(across.place(dot.amount));
        String y = number(up.place(dot.value));
        path.append(path.isEmpty() ? "" : " ").append(x).append(',').append(y);
        dots.append(
            "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\" fill=\"%s\"><title>%s: %s</title></circle>\n"
                .formatted(
                    x,
                    y,
                    colour,
                    escaped(content.amountLabel.apply(dot.amount)),
                    Axis.shortly(dot.value)));
      }
    }
    add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour);
    svg.append(dots);
  }

  private void grid(double x1, double y1, double x2, double y2) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1, y1, x2, y2, GRID);
  }

  private void text(double x, double y, String anchor, String colour, String words) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        x, y, anchor, colour, escaped(words));
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Returns the words as XML has them; what no XML may have is a space. */
  private static String escaped(String words) {
    return words
        .replaceAll("\\p{Cntrl}", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
