package io.millrace.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.RateLimit;
import io.millrace.cli.fixture.Told;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tables and details say of a job whose cancel was requested. */
final class JobTextsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final StringWriter text = new StringWriter();

  private static Job leased(boolean isCancelRequested) {
    return Told.job(
        Map.of(
            "state", JobState.LEASED, "lease", new Job.Running(41, "w1", NOON, isCancelRequested)));
  }

  @Test
  void printTable_leasedJobs_saysWhichAreToBeCancelled() {
    PrintWriter out = new PrintWriter(text);

    new JobListing(out, NOON.plusSeconds(5))
        .printTable(List.of(leased(true), leased(false)).iterator(), 10);
    out.flush();

    List<String> lines = text.toString().lines().toList();
    assertThat(lines.get(1)).contains("leased by w1, cancel requested");
    assertThat(lines.get(2)).contains("leased by w1").doesNotContain("cancel requested");
  }

  private void print(Job job) {
    PrintWriter out = new PrintWriter(text);
    new JobListing(out, NOON.plusSeconds(5)).printTable(List.of(job).iterator(), 10);
    new JobDetails(out).print(job);
    out.flush();
  }

  @Test
  void printTable_blockedJob_namesItsKey() {
    print(Told.job(Map.of("state", JobState.BLOCKED, "concurrencyKey", "ada")));

    assertThat(text.toString()).contains("blocked by key ada").doesNotContain("of the engine");
    assertThat(text.toString().lines()).contains("key         ada", "state       blocked");
  }

  @Test
  void printTable_jobBlockedByAKeyOfTheEngine_namesItAndSaysSo() {
    print(
        Told.job(
            Map.of(
                "state",
                JobState.BLOCKED,
                "engineConcurrencyKey",
                "host",
                "engineConcurrencyMost",
                1_000,
                "engineRateKey",
                "host",
                "engineRateLimit",
                new RateLimit(20, Duration.ofSeconds(1), 5))));

    assertThat(text.toString()).contains("blocked by key host of the engine");
    assertThat(text.toString().lines())
        .contains(
            "engine key  host, 1,000 at a time",
            "engine rate host, 20/PT1S burst 5",
            "state       blocked");
  }

  @Test
  void print_jobsOfABatchAndAfterOne_nameIt() {
    print(Told.job(Map.of("state", JobState.READY, "batch", new BatchId(10))));
    print(Told.job(Map.of("state", JobState.WAITING, "waitsForBatch", new BatchId(11))));

    assertThat(text.toString()).contains("waiting for batch 000000000000000b");
    assertThat(text.toString().lines())
        .contains("batch       000000000000000a", "waits for   batch 000000000000000b");
  }

  @Test
  void print_leasedJobThatIsToBeCancelled_saysSo() {
    PrintWriter out = new PrintWriter(text);

    new JobDetails(out).print(leased(true));
    out.flush();

    assertThat(text.toString().lines())
        .contains("lease       w1 since 2026-03-01T12:00:00Z, token 41, cancel requested");
  }
}
