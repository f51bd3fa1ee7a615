package io.millrace.jmh.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.GrowthRun;
import io.millrace.jmh.load.GrowthRun.Kept;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadResult.Latency;
import io.millrace.jmh.load.LoadResult.Percentiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {

  private static final List<Curve> ALL =
      Curves.all(
          new Curves.Setting(
              "lmdb",
              Durability.SYNCED,
              new LoadOptions.Timing(Duration.ofSeconds(2), 3, 0),
              Path.of(".")));
  private static final Curve WAITING = ALL.get(0);
  private static final Curve VIRTUAL = ALL.get(8);
  private static final Curve PLATFORM = ALL.get(9);

  @TempDir private Path folder;

  @Test
  void content_ofACurveThatIsStored_showsWhatTheStoreCosts() {
    SvgChart.Content content =
        Charts.content(WAITING, List.of(measured(WAITING, 0), measured(WAITING, 1)), List.of());

    assertThat(content.title()).isEqualTo("Jobs that wait in front: lmdb, synced, payload 256 B");
    assertThat(content.panels())
        .extracting(SvgChart.Panel::title)
        .containsExactly(
            "jobs/s, median of the rounds",
            "p99 of calls, µs",
            "opening the store again, ms",
            "heap of the engine, MB",
            "files of the store, MB");
    assertThat(content.panels().get(3).lines())
        .containsExactly(
            new SvgChart.Line(
                "after the load", List.of(new SvgChart.Dot(1_000, 2), new SvgChart.Dot(10_000, 2))),
            new SvgChart.Line(
                "after opening", List.of(new SvgChart.Dot(1_000, 1), new SvgChart.Dot(10_000, 1))));
  }

  @Test
  void write_ofCurvesThatShareAChart_drawsBothAndTellsWhatIsLeftOut() throws IOException {
    Charts charts = Charts.in(folder.resolve("new"));
    charts.add(measured(VIRTUAL, 0));
    charts.write(VIRTUAL);
    charts.add(measured(PLATFORM, 0));
    charts.add(new LeftOut(PLATFORM, 10_000, "too many"));
    charts.write(PLATFORM);

    assertThat(folder.resolve("new")).isDirectoryContaining(file -> file.endsWith("threads.svg"));
    assertThat(Files.readString(folder.resolve("new/threads.svg")))
        .contains("virtual: engine", "platform: engine", "left out: 10,000: too many");
  }

  @Test
  void write_ofACurveWithoutPoints_writesNothing() throws IOException {
    Charts charts = Charts.in(folder);
    charts.add(new LeftOut(WAITING, 1_000, "too many"));

    charts.write(WAITING);

    assertThat(folder).isEmptyDirectory();
  }

  private static Measured measured(Curve curve, int step) {
    Percentiles percentiles = new Percentiles(100, 400, 900);
    return new Measured(
        curve,
        curve.steps().get(step).amount(),
        new GrowthRun.Result(
            curve.steps().get(step).options(),
            1_000,
            0.1,
            2_000,
            0.5,
            new Latency(percentiles, percentiles, percentiles, percentiles),
            500,
            2_000_000,
            Optional.of(new Kept(5, 6, 1_000_000, 3_000_000)),
            List.of()));
  }
}
