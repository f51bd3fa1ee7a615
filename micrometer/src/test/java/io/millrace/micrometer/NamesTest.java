package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.test.TestEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names that are written elsewhere are those of meters, and of what Prometheus scrapes. */
@Timeout(60)
class NamesTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern METER = Pattern.compile("`(millrace\\.[a-z.]+)`");
  private static final Pattern SAMPLE = Pattern.compile("\\bmillrace_[a-z_]+");
  private static final Pattern ALERT = Pattern.compile("(?m)^ *- alert: (\\w+)$");
  private static final Pattern ALERT_ROW = Pattern.compile("(?m)^\\| (Millrace\\w+) \\|");

  private final EngineRig rig = new EngineRig();
  private final TestEngine workers = TestEngine.create();

  /** Has each kind of meter: a worker, and a job that was worked on. */
  @BeforeEach
  void bind() {
    JobType<String> mail = JobType.of("mail", Codec.TEXT);
    WorkerMetrics.of(workers.worker().handle(mail, (text, job) -> {}).start(), "orders")
        .bindTo(rig.prometheus);
    rig.bind();
    rig.work(rig.queue("mail"), "letter");
    rig.pass();
    rig.engine.close(); // whereupon the job's times have been told
  }

  @AfterEach
  void close() {
    workers.close();
    rig.close();
  }

  private static String text(String file) throws IOException {
    return Files.readString(DOCS.resolve(file));
  }

  private static Set<String> found(Pattern pattern, Stream<String> in) {
    return in.flatMap(text -> pattern.matcher(text).results())
        .map(match -> match.group(match.groupCount()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void table_ofThePage_hasEveryMeterAndNoOther() throws IOException {
    Stream<String> firstColumns =
        text("operating.md").lines().filter(line -> line.startsWith("| `millrace"));

    Set<String> told =
        found(METER, firstColumns.map(line -> line.substring(0, line.indexOf('|', 1))));

    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(
            rig.prometheus.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"operating.md", "operating/alerts.yml", "operating/grafana.json"})
  void samples_thatAreNamed_areInAScrape(String file) throws IOException {
    Set<String> scraped =
        rig.prometheus
            .scrape()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("[ {]", 2)[0])
            .collect(Collectors.toSet());

    assertThat(found(SAMPLE, Stream.of(text(file)))).isNotEmpty().isSubsetOf(scraped);
  }

  @Test
  void alerts_ofTheRules_areThoseOfThePage() throws IOException {
    List<String> rules =
        ALERT.matcher(text("operating/alerts.yml")).results().map(NamesTest::name).toList();

    assertThat(ALERT_ROW.matcher(text("operating.md")).results().map(NamesTest::name))
        .isNotEmpty()
        .containsExactlyElementsOf(rules);
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }
}
