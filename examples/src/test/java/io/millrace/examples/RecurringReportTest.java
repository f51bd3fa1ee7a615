package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/recurring.md does what the page says of it. */
@Timeout(60)
class RecurringReportTest {

  @TempDir private Path folder;

  @Test
  void run_twice_declaresOnceAndMakesTheReport() throws InterruptedException {
    List<String> log = Collections.synchronizedList(new ArrayList<>());

    for (int i = 0; i < 2; i++) {
      try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
        RecurringReport.run(engine, log::add);
      }
    }

    assertThat(log)
        .contains(
            "nightly report: cron \"0 3 * * *\" in Europe/Berlin",
            "pulse: every PT1S",
            "stock check: every PT5M",
            "check of pulse");
    assertThat(log).filteredOn(line -> line.startsWith("report of all shops up to ")).isNotEmpty();
  }

  @Test
  void nights_whereClocksAreSet_areThoseOfThePage() {
    assertThat(RecurringReport.nights(Instant.parse("2026-03-28T12:00:00Z")))
        .containsExactly(
            Instant.parse("2026-03-29T01:00:00Z"),
            Instant.parse("2026-03-30T00:30:00Z"),
            Instant.parse("2026-03-31T00:30:00Z"));
  }
}
