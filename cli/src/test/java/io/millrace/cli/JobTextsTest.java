package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.cli.place.ToldJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What tables and details say of a job whose cancel was requested. */
final class JobTextsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final StringWriter text = new StringWriter();

  private static Job leased(boolean isCancelRequested) {
    return new ToldJob(
        new JobId(1, 2),
        QueueName.of("mail"),
        JobState.LEASED,
        "mail",
        Optional.empty(),
        0,
        1,
        new byte[0],
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        1,
        3,
        Backoff.DEFAULT,
        NOON,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new Job.Running(41, "w1", NOON, isCancelRequested)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
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

  private static Job blocked(Optional<String> key, Optional<String> engineKey) {
    Job held = leased(false);
    return new ToldJob(
        held.id(),
        held.queue(),
        JobState.BLOCKED,
        held.type(),
        held.uniqueKey(),
        held.priority(),
        held.weight(),
        held.payload(),
        held.checkpointed(),
        held.headers(),
        key,
        engineKey,
        engineKey.isPresent() ? OptionalInt.of(1_000) : OptionalInt.empty(),
        engineKey,
        engineKey.map(it -> new RateLimit(20, Duration.ofSeconds(1), 5)),
        held.attempts(),
        held.maxAttempts(),
        held.backoff(),
        held.enqueuedAt(),
        held.visibleAt(),
        held.lastError(),
        held.diedAt(),
        Optional.empty(),
        held.completedAt(),
        held.result(),
        held.expiresAt(),
        held.history(),
        held.signalWait());
  }

  private void print(Job job) {
    PrintWriter out = new PrintWriter(text);
    new JobListing(out, NOON.plusSeconds(5)).printTable(List.of(job).iterator(), 10);
    new JobDetails(out).print(job);
    out.flush();
  }

  @Test
  void printTable_blockedJob_namesItsKey() {
    print(blocked(Optional.of("ada"), Optional.empty()));

    assertThat(text.toString()).contains("blocked by key ada").doesNotContain("of the engine");
    assertThat(text.toString().lines()).contains("key         ada", "state       blocked");
  }

  @Test
  void printTable_jobBlockedByAKeyOfTheEngine_namesItAndSaysSo() {
    print(blocked(Optional.empty(), Optional.of("host")));

    assertThat(text.toString()).contains("blocked by key host of the engine");
    assertThat(text.toString().lines())
        .contains("engine key  host, 1,000 at a time", "state       blocked");
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
