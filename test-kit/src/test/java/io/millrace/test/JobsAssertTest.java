package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.ResultJobType;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsAssertTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final ResultJobType<Long, String> COUNT =
      JobType.of("count", Codec.LONG).queue("mail").returning(Codec.TEXT);

  private final TestEngine engine = TestEngine.create();

  @AfterEach
  void close() {
    engine.close();
  }

  private Lease claim() {
    return engine.queue("mail").claim(ClaimOptions.by("w1")).get(0);
  }

  private static void assertFails(ThrowingCallable check, String message) {
    assertThatThrownBy(check).isExactlyInstanceOf(AssertionError.class).hasMessage(message);
  }

  @Test
  void states_asTheyAre_pass() {
    engine.enqueue(MAIL, "dead");
    claim().fail("no such address", FailOptions.PERMANENT).orThrow();
    engine.enqueue(MAIL, "waiting");
    claim().waitFor("paid", Duration.ofHours(2)).orThrow();
    engine.enqueue(MAIL, "leased");
    Lease leased = claim();
    engine.enqueue(MAIL, "delayed", o -> o.delay(Duration.ofHours(1)));
    engine.enqueue(MAIL, "key", o -> o.concurrencyKey("ada"));
    engine.enqueue(MAIL, "blocked", o -> o.concurrencyKey("ada"));
    engine.enqueue(COUNT, 7L);

    engine
        .assertJobs(MAIL)
        .ready(1)
        .delayed(1)
        .leased(1)
        .blocked(1)
        .waiting(1)
        .dead(1)
        .done(0)
        .nothingElse()
        .hasSize(6)
        .anyMatch("blocked"::equals)
        .allMatch(text -> !text.isEmpty())
        .noneMatch("lost"::equals)
        .anyError("such address")
        .nextIn(Duration.ZERO);
    assertThat(leased.release().isDone()).isTrue();
  }

  @Test
  void done_ofAJobThatIsKeptForItsResult_isCounted() {
    engine.enqueue(COUNT, 7L, o -> o.resultRetention(Duration.ofHours(1)));
    claim().complete(new byte[1]).orThrow();

    engine.assertJobs(COUNT).done(1).nothingElse();
  }

  @Test
  void ofAllTenants_isAskedTogether() {
    engine.enqueue(MAIL.tenant("acme"), "ada");
    engine.enqueue(MAIL, "bob");

    engine.assertJobs(MAIL).hasSize(2);
  }

  @Test
  void failing_ofEachKind_tellsWhatThereIs() {
    JobId ada = engine.enqueue(MAIL, "ada").jobId();
    claim().fail("smtp: no route\nat line 2").orThrow();
    String found =
        "\njobs of type mail at 2024-01-01T00:00:00Z: 1"
            + "\n  DELAYED ada, attempts=1/20, due in PT1S at 2024-01-01T00:00:01Z,"
            + " last error: smtp: no route, id="
            + ada;
    JobsAssert<String> jobs = engine.assertJobs(MAIL);

    assertFails(() -> jobs.ready(1), "expected 1 in state READY, found 0" + found);
    assertFails(() -> jobs.hasSize(0), "expected 0 jobs, and there are 1" + found);
    assertFails(
        () -> jobs.nextIn(Duration.ofSeconds(2)),
        "expected the next to be due in PT2S, and it is in PT1S" + found);
    assertFails(
        () -> jobs.anyMatch("bob"::equals), "expected at least one whose payload matches" + found);
    assertFails(
        () -> jobs.allMatch("bob"::equals), "expected only such whose payloads match" + found);
    assertFails(() -> jobs.noneMatch("ada"::equals), "expected none whose payload matches" + found);
    assertFails(
        () -> jobs.anyError("disk"),
        "expected at least one whose last error contains \"disk\"" + found);
    assertFails(
        () -> engine.assertJobs(MAIL).ready(0).nothingElse(),
        "expected no jobs but in the states [READY]" + found);
  }

  @Test
  void failing_withoutJobs_saysSo() {
    assertFails(
        () -> engine.assertJobs(MAIL).nextIn(Duration.ZERO),
        "expected the next to be due in PT0S, and none will ever be"
            + "\njobs of type mail at 2024-01-01T00:00:00Z: 0");
  }

  @Test
  void failing_leasedWaitingAndUnreadable_areTold() {
    JobId waiting = engine.enqueue(MAIL, "ada").jobId();
    claim().waitFor("paid", Duration.ofHours(2)).orThrow();
    JobId leased = engine.enqueue(MAIL, "x".repeat(300)).jobId();
    claim();

    assertThatThrownBy(() -> engine.assertJobs(MAIL).dead(1))
        .hasMessageContainingAll(
            "\n  WAITING ada, attempts=0/20, due in PT2H at 2024-01-01T02:00:00Z,"
                + " waits for signal paid, id="
                + waiting,
            "\n  LEASED " + "x".repeat(200) + "..., attempts=1/20, worker=w1, id=" + leased);
    assertThatThrownBy(() -> engine.assertJobs(JobType.of("mail", Codec.LONG)).dead(1))
        .hasMessageContaining("  WAITING payload that cannot be decoded (");
    assertThatThrownBy(() -> engine.assertJobs(JobType.of("mail", Codec.BYTES)).dead(1))
        .hasMessageContaining("  WAITING 3 bytes [61 64 61], ")
        .hasMessageContaining("  LEASED 300 bytes [78 78 ")
        .hasMessageContaining(" 78 ...], ");
  }

  @Test
  void failing_manyJobs_tellsFiftyAndHowManyMore() {
    for (int i = 0; i < 60; i++) {
      engine.enqueue(MAIL, "m" + i);
    }

    assertThatThrownBy(() -> engine.assertJobs(MAIL).state(JobState.DEAD, 1))
        .hasMessageContaining(": 60\n")
        .hasMessageEndingWith("\n  and 10 more");
  }

  @Test
  void failing_payloadThatCannotBeDecoded_isTold() {
    JobId id = engine.enqueue(MAIL, "ada").jobId();
    JobsAssert<Long> jobs = engine.assertJobs(JobType.of("mail", Codec.LONG));

    for (ThrowingCallable check :
        List.<ThrowingCallable>of(
            () -> jobs.anyMatch(n -> true),
            () -> jobs.allMatch(n -> true),
            () -> jobs.noneMatch(n -> false))) {
      assertThatThrownBy(check)
          .isExactlyInstanceOf(AssertionError.class)
          .hasMessageStartingWith(
              "expected only payloads that can be decoded\njobs of type mail at")
          .hasMessageContaining("  READY payload that cannot be decoded (")
          .hasMessageEndingWith("id=" + id)
          .hasCauseInstanceOf(CodecException.class);
    }
  }
}
