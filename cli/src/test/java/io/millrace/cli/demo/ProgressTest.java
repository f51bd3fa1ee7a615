package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @Test
  void facts_halfWay_sayHowMuchOfHowMuch() {
    assertThat(Progress.facts(moment(500, 1_000, true, 10)))
        .isEqualTo(" 50 %  500/1,000 files  12.0 MB  50 jobs/s");
  }

  @Test
  void facts_whileScanning_sayThatThereMayBeMore() {
    assertThat(Progress.facts(moment(0, 0, false, 1)))
        .isEqualTo("  0 %  0/0+ files  12.0 MB  0 jobs/s");
  }

  @Test
  void show_shorterLine_coversTheOneBefore() {
    Progress progress = new Progress(Progress.Style.DRAWN_OVER, out);

    progress.show(moment(1_000, 1_000, false, 10));
    progress.show(moment(1_000, 1_000, true, 10));
    progress.end();

    assertThat(text.toString().split("\r"))
        .containsExactly(
            "",
            padded("100 %  1,000/1,000+ files  12.0 MB  100 jobs/s"),
            padded("100 %  1,000/1,000 files  12.0 MB  100 jobs/s"),
            padded(""));
  }

  private static String padded(String facts) {
    return facts + " ".repeat(78 - facts.length());
  }

  @Test
  void show_lines_onlyEveryFewSeconds() {
    Progress progress = new Progress(Progress.Style.LINES, out);

    for (int second = 0; second <= 11; second++) {
      progress.show(moment(second, 100, true, second));
    }
    progress.end();

    assertThat(text.toString().lines())
        .containsExactly(
            "  5 %  5/100 files  12.0 MB  1 jobs/s", " 10 %  10/100 files  12.0 MB  1 jobs/s");
  }

  private static Progress.Moment moment(long done, long known, boolean isScanned, int seconds) {
    return new Progress.Moment(
        done, known, isScanned, done, 12_000_000, Duration.ofSeconds(seconds));
  }
}
