package io.millrace.jmh.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jmh.growth.SvgChart.Content;
import io.millrace.jmh.growth.SvgChart.Dot;
import io.millrace.jmh.growth.SvgChart.Line;
import io.millrace.jmh.growth.SvgChart.Panel;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgChartTest {

  private static final Panel RATES =
      new Panel(
          "jobs/s",
          List.of(
              new Line("engine", List.of(new Dot(10, 50), new Dot(100, 100), new Dot(1_000, 25))),
              new Line("log", List.of(new Dot(10, 100)))));

  @Test
  void text_ofValues_putsDotsWhereTheyBelong() throws Exception {
    Document svg = parsed(SvgChart.text(content("title", RATES)));

    List<Element> dots = elements(svg, "circle");
    double right = SvgChart.WIDTH - SvgChart.RIGHT;
    assertThat(dots).hasSize(4);
    assertThat(dots.subList(0, 3))
        .extracting(dot -> number(dot, "cx"))
        .containsExactly((double) SvgChart.LEFT, (SvgChart.LEFT + right) / 2, right);
    double top = number(dots.get(1), "cy");
    assertThat(number(dots.get(0), "cy")).isEqualTo(top + SvgChart.PLOT_HEIGHT / 2.0);
    assertThat(number(dots.get(2), "cy")).isEqualTo(top + SvgChart.PLOT_HEIGHT * 0.75);
    assertThat(number(dots.get(3), "cy")).isEqualTo(top);
    assertThat(elements(svg, "polyline").get(0).getAttribute("points").split(" "))
        .containsExactly(
            dots.subList(0, 3).stream()
                .map(dot -> dot.getAttribute("cx") + "," + dot.getAttribute("cy"))
                .toArray(String[]::new));
  }

  @Test
  void text_ofAValue_putsItOnTheGridLineOfItsTick() throws Exception {
    Document svg = parsed(SvgChart.text(content("title", RATES)));

    double hundred =
        elements(svg, "text").stream()
            .filter(text -> text.getAttribute("text-anchor").equals("end"))
            .filter(text -> text.getTextContent().equals("100"))
            .mapToDouble(text -> number(text, "y") - 4)
            .findFirst()
            .orElseThrow();
    assertThat(number(elements(svg, "circle").get(1), "cy")).isEqualTo(hundred);
    assertThat(elements(svg, "line")).anyMatch(line -> number(line, "y1") == hundred);
  }

  @Test
  void text_ofPanels_keepsThemApartAndInsideThePaper() throws Exception {
    Panel times =
        new Panel("ms", List.of(new Line("open", List.of(new Dot(10, 1), new Dot(90, 2)))));

    Document svg = parsed(SvgChart.text(content("title", RATES, times)));

    double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
    List<Element> panels = elements(svg, "g");
    assertThat(panels).hasSize(2);
    assertThat(lowest(panels.get(0))).isLessThan(highest(panels.get(1)));
    assertThat(lowest(panels.get(1))).isLessThan(height);
    assertThat(elements(svg, "rect").get(0).getAttribute("fill")).isEqualTo("#ffffff");
  }

  @Test
  void text_ofWordsThatXmlForbids_isXmlWithTheSameWords() throws Exception {
    String title = "a < b & \"c\" > d";

    Document svg = parsed(SvgChart.text(content(title + "\u0000", RATES)));

    assertThat(elements(svg, "title").get(0).getTextContent()).isEqualTo(title + " ");
  }

  @Test
  void text_ofTheSameContent_isTheSame() {
    assertThat(SvgChart.text(content("title", RATES)))
        .isEqualTo(SvgChart.text(content("title", RATES)));
  }

  private static Content content(String title, Panel... panels) {
    return new Content(title, List.of("a note"), "amount", Axis::shortly, List.of(panels));
  }

  private static double lowest(Element panel) {
    return texts(panel).stream().mapToDouble(text -> number(text, "y")).max().orElseThrow();
  }

  private static double highest(Element panel) {
    return texts(panel).stream().mapToDouble(text -> number(text, "y")).min().orElseThrow();
  }

  private static List<Element> texts(Element panel) {
    return list(panel.getElementsByTagName("text"));
  }

  private static List<Element> elements(Document svg, String name) {
    return list(svg.getElementsByTagName(name));
  }

  private static List<Element> list(NodeList nodes) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
