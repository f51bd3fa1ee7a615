package io.millrace.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class GrowthCommandTest {

  private static final String[] FIELDS = {
    "store",
    "durability",
    "batch",
    "payload",
    "threads",
    "jobs_per_s",
    "spread",
    "enqueue_p50_us",
    "enqueue_p99_us",
    "claim_p50_us",
    "claim_p99_us",
    "complete_p50_us",
    "complete_p99_us",
    "ratio_to_strict_floor",
    "allocated_bytes_per_job",
    "heap_bytes",
    "open_ms",
    "first_claim_ms",
    "opened_heap_bytes",
    "disk_bytes"
  };

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void growth_withJson_printsAnObjectForEachPointAndTellsWhatIsLeftOut() throws IOException {
    int exit = run("--rows", "queues|children", "--most", "10", "--seconds", "0.1", "--json");

    assertThat(exit).as(err.toString()).isZero();
    List<Map<String, String>> points = points();
    assertThat(points).hasSize(7 + 6);
    List<Map<String, String>> measured =
        points.stream().filter(point -> !point.containsKey("left_out")).toList();
    assertThat(measured)
        .extracting(point -> point.get("row") + " " + point.get("amount"))
        .containsExactly("queues 1", "queues 10", "children 10");
    assertThat(measured)
        .allSatisfy(
            point -> {
              assertThat(point).containsKeys(FIELDS).containsEntry("exactly_once", "true");
              assertThat(Double.parseDouble(point.get("jobs_per_s"))).isPositive();
              assertThat(Double.parseDouble(point.get("disk_bytes"))).isPositive();
            });
    assertThat(points.get(2))
        .containsEntry("row", "queues")
        .containsEntry("amount", "100")
        .containsEntry("left_out", "beyond --most 10");
  }

  @Test
  void growth_withCharts_writesAFileForEachCurve() {
    Path charts = folder.resolve("charts");

    int exit =
        run(
            "--store=memory",
            "--rows=callers|payload",
            "--most=16",
            "--seconds=0.03",
            "--charts=" + charts);

    assertThat(exit).as(err.toString()).isZero();
    assertThat(charts.resolve("callers.svg")).content().contains("<svg", "left out: 32; 64; 128");
    assertThat(charts.resolve("payload.svg")).content().contains("bytes of a payload");
    assertThat(out.toString())
        .contains("| callers | 16 |", "| callers | 32 | left out: beyond --most 16 |")
        .contains("| payload | 16 |", "Charts: " + charts)
        .doesNotContain("NaN", "\r");
    assertThat(folder.resolve("bench")).isEmptyDirectory();
  }

  private int run(String... arguments) {
    return Main.commandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.of(
                    Stream.of("bench", "growth", "--rounds", "1", "--warm-up", "0.05"),
                    Stream.of("--dir", folder.resolve("bench").toString()),
                    Stream.of(arguments))
                .flatMap(words -> words)
                .toArray(String[]::new));
  }

  private List<Map<String, String>> points() throws IOException {
    List<Map<String, String>> points = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(out.toString())) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> point = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          if (json.nextToken() == JsonToken.START_ARRAY) {
            json.skipChildren();
          } else {
            point.put(name, json.getText());
          }
        }
        points.add(point);
      }
    }
    return points;
  }
}
