package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.console.PicturedConsole;
import io.millrace.test.TestEngine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * The pictures of the console that the documents show. They are made anew into the module's target
 * folder, and into {@code docs/images} with {@code -Dmillrace.docs=write}.
 */
class PicturesTest extends BrowserTest {

  private static final Path IMAGES = Path.of("..", "docs", "images");
  private static final Path MADE = Path.of("target", "images");
  private static final String POINTS = "Chart.getChart('rates')?.data.labels.length ?? 0";
  private static final int BYTES_MAX = 150_000;

  @Test
  void pictures_ofTheMainPages_areMade() throws IOException {
    TestEngine engine = closing(TestEngine.create(Instant.now().minus(HalfAnHour.LENGTH)));
    PicturedConsole pictured = closing(new PicturedConsole(engine));
    JobId job = new HalfAnHour(engine, pictured).pass();
    URI uri = pictured.console().uri();

    chrome.open(pictured.console().link());
    chrome.await("the charts", () -> chrome.number(POINTS) > 300);
    take("console-overview");
    chrome.open(uri.resolve("/jobs/" + job));
    assertThat(chrome.text()).contains("Connection refused", "Why it is where it is");
    take("console-job");
    chrome.open(uri.resolve("/dead"));
    assertThat(chrome.texts("tbody tr")).hasSizeGreaterThan(3);
    take("console-dead-letters");
    chrome.dark(true);
    chrome.open(uri.resolve("/"));
    chrome.await("the charts", () -> chrome.number(POINTS) > 300);
    take("console-dark");
  }

  /** Takes a picture of the whole page. */
  private void take(String name) throws IOException {
    chrome.size(Chrome.WIDTH, 300);
    chrome.size(Chrome.WIDTH, (int) chrome.number("document.documentElement.scrollHeight"));
    byte[] picture = SmallPng.of(chrome.picture());
    assertThat(picture.length).as(name).isBetween(10_000, BYTES_MAX);
    write(MADE.resolve(name + ".png"), picture);
    if ("write".equals(System.getProperty("millrace.docs"))) {
      write(IMAGES.resolve(name + ".png"), picture);
    }
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
