package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.UniqueKey;
import io.millrace.api.WaitResult;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever lasts for a length of time lasts for that, wherever the wall clock is set meanwhile. */
@InProcess("how much the engine reads or writes, whoever calls")
class SteadyLengthTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final Duration HOUR = ofHours(1);
  private static final EnqueueOptions KEYED =
      EnqueueOptions.DEFAULT.unique(UniqueKey.of("key").within(HOUR));

  private EngineHarness harness;
  private JobId keyed;
  private List<JobId> kept;

  @ParameterizedTest
  @ValueSource(longs = {-3650, -1, 1, 3650})
  void leap_thatIsBelieved_lengthsLastForWhatTheyWereToLast(long days) {
    begin();

    leap(days);
    advance(harness, HOUR.minusSeconds(31));
    assertKept();
    advance(harness, ofSeconds(2));
    assertOver();
  }

  @ParameterizedTest
  @ValueSource(longs = {-3650, -1, 1, 3650})
  void leap_andThenADeath_lengthsLastForWhatTheyWereToLast(long days) {
    begin();

    leap(days);
    harness.crash();
    advance(harness, HOUR.minusSeconds(31));
    assertKept();
    harness.crash();
    advance(harness, ofSeconds(2));
    assertOver();
  }

  @ParameterizedTest
  @ValueSource(longs = {-3650, -1, 1, 3650})
  void leap_thatIsBelieved_showsWhatIsLeftOfALength(long days) {
    begin();

    leap(days);

    List<Instant> ends = kept.stream().map(this::expiresAt).toList();
    Instant now = job(harness.queues(), enqueue(mail(harness), "now")).enqueuedAt();
    assertThat(ends).containsOnly(now.plus(HOUR).minusSeconds(30));
  }

  /** Everything that is to last for an hour, begun when the wall clock had been set before. */
  private void begin() {
    harness = start(StoreKind.FAULTY);
    leap(2);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(HOUR));
    JobId dead = enqueue(mail, "dead");
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    JobId done = enqueue(mail, "done", EnqueueOptions.DEFAULT.resultRetention(HOUR));
    claim(mail).complete("result".getBytes(UTF_8)).orThrow();
    keyed = mail.enqueue("keyed".getBytes(UTF_8), KEYED).jobId();
    claim(mail).complete().orThrow();
    for (String signal : List.of("early", "late")) {
      harness.queues().signals().broadcast(MAIL, signal, new byte[0], HOUR);
    }
    JobId unstarted = enqueue(mail, "unstarted", EnqueueOptions.DEFAULT.timeToLive(HOUR));
    kept = List.of(dead, done, unstarted);
    assertThat(kept.stream().map(id -> state(harness.queues(), id)))
        .containsExactly(JobState.DEAD, JobState.DONE, JobState.READY);
  }

  private void leap(long days) {
    harness.clock().stepWallMs(ofDays(days).toMillis());
    harness.awaitNothingDue();
    advance(harness, ofSeconds(30));
    harness.awaitNothingDue();
  }

  private Instant expiresAt(JobId id) {
    return job(harness.queues(), id).expiresAt().orElseThrow();
  }

  private void assertKept() {
    harness.awaitNothingDue();
    assertThat(kept).allMatch(id -> harness.queues().get(id).isPresent());
    assertThat(again()).isEqualTo(Enqueued.duplicateOf(keyed));
    assertThat(waitFor("early")).isEqualTo(WaitResult.SIGNALLED);
    assertClean(harness);
  }

  private void assertOver() {
    harness.awaitNothingDue();
    assertThat(kept).noneMatch(id -> harness.queues().get(id).isPresent());
    assertThat(again().kind()).isEqualTo(Enqueued.Kind.NEW);
    assertThat(waitFor("late")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
  }

  private Enqueued again() {
    return mail(harness).enqueue("again".getBytes(UTF_8), KEYED);
  }

  private WaitResult waitFor(String signal) {
    enqueue(mail(harness), "waits", EnqueueOptions.DEFAULT.priority(9));
    return claim(mail(harness)).waitFor(signal);
  }
}
