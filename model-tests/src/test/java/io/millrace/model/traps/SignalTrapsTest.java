package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.SignalResult;
import io.millrace.api.SignalWait;
import io.millrace.api.StuckResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Signals that get lost, come twice or out of order, and waits that never end. */
@Tag("calls")
class SignalTrapsTest extends SignalTrapTest {

  @ParameterizedTest
  @EachStoreKind
  void signal_jobWaits_isToldAndNoAttemptCounts(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = waiting(harness, "go");
    assertThat(job(harness.queues(), id).attempts()).isZero();
    assertThat(job(harness.queues(), id).signalWait().map(SignalWait::signal)).contains("go");
    assertThat(claim(mail(harness), 5)).isEmpty();
    harness.crash();

    assertThat(send(harness, id, "go", "yes")).isEqualTo(SignalResult.WOKEN);
    harness.crash();
    Lease lease = claim(mail(harness));

    assertThat(lease.wake()).isEqualTo(signalled("go", "yes"));
    assertThat(lease.signalled("other")).isEmpty();
    assertThat(lease.hasTimedOut("go")).isFalse();
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(lease.fail("no").isDone()).isTrue();
    advance(harness, ofSeconds(5));
    Lease again = claim(mail(harness));
    assertThat(again.wake()).isEqualTo(new Wake.Retry(Optional.of(signalled("go", "yes"))));
    assertThat(again.signalled("go"))
        .hasValueSatisfying(payload -> assertThat(payload).isEqualTo(bytes("yes")));
    assertThat(again.attempt()).isEqualTo(2);
    again.snooze(ofSeconds(1)).orThrow();
    advance(harness, ofSeconds(2));
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.Slept());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_beforeTheWait_isKeptInOrderAndEachWaitTakesOne(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "job");
    assertThat(send(harness, id, "go", "1")).isEqualTo(SignalResult.KEPT);
    assertThat(send(harness, id, "other", "x")).isEqualTo(SignalResult.KEPT);
    Lease first = claim(mail(harness));
    assertThat(first.wake()).isEqualTo(new Wake.First());
    assertThat(send(harness, id, "go", "2")).isEqualTo(SignalResult.KEPT);

    assertThat(first.waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    harness.crash();
    Lease second = claim(mail(harness));
    assertThat(second.wake()).isEqualTo(signalled("go", "1"));
    assertThat(second.waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    Lease third = claim(mail(harness));
    assertThat(third.wake()).isEqualTo(signalled("go", "2"));
    assertThat(third.waitFor("go")).isEqualTo(WaitResult.WAITING);

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.WAITING);
    assertThat(signalRows(harness)).isEqualTo(1);
    send(harness, id, "go", "3");
    Lease last = claim(mail(harness));
    assertThat(last.attempt()).isEqualTo(1);
    last.complete().orThrow();
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void signal_jobThatDoesNotWait_isKeptWhateverItsState() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(QueueSettings::noDepthMax);
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("ada");
    JobId holder = enqueue(mail(harness), "holder", keyed);
    JobId blocked = enqueue(mail(harness), "blocked", keyed);
    JobId delayed = enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofDays(1)));
    assertThat(send(harness, holder, "go", "x")).isEqualTo(SignalResult.KEPT);
    assertThat(send(harness, blocked, "go", "x")).isEqualTo(SignalResult.KEPT);
    assertThat(send(harness, delayed, "go", "x")).isEqualTo(SignalResult.KEPT);
    assertClean(harness);

    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(state(harness.queues(), holder)).as("queued for again").isEqualTo(JobState.BLOCKED);
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    Lease again = claim(mail(harness));
    assertThat(again.jobId()).isEqualTo(holder);
    assertThat(again.waitFor("go")).isEqualTo(WaitResult.WAITING);
    assertThat(claim(mail(harness)).jobId()).as("the slot is handed on").isEqualTo(blocked);
    assertThat(send(harness, holder, "go", "x")).isEqualTo(SignalResult.WOKEN);
    assertThat(state(harness.queues(), holder)).as("no slot is free").isEqualTo(JobState.BLOCKED);
    assertThat(send(harness, new JobId(1, 2), "go", "x")).isEqualTo(SignalResult.GONE);
    assertClean(harness);
  }

  @Test
  void redrive_deadLetterThatWasSignalled_findsItsSignal() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = waiting(harness, "go");
    assertThat(harness.queues().admin().failStuck(id, "nobody answers"))
        .isEqualTo(StuckResult.FAILED);
    assertThat(job(harness.queues(), id).lastError()).contains("nobody answers");
    assertThat(send(harness, id, "go", "late")).isEqualTo(SignalResult.KEPT);

    mail(harness).deadLetters().redrive(id).orThrow();
    Lease lease = claim(mail(harness));

    assertThat(lease.wake()).isEqualTo(new Wake.First());
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(lease.waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("go", "late"));
    assertThat(mail(harness).stats().orElseThrow().total(Total.DIED)).isEqualTo(1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void redrive_jobThatWasToldASignalAndDied_isToldItOnceMore(StoreKind kind) {
    EngineHarness harness = start(kind);
    mail(harness).configure(settings -> settings.retry(2, Backoff.fixed(ofMillis(0))));
    JobId id = waiting(harness, "paid");
    send(harness, id, "paid", "invoice 17");
    claim(mail(harness)).fail("cannot ship").orThrow();
    claim(mail(harness)).fail("cannot ship").orThrow();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
    harness.crash();

    mail(harness).deadLetters().redrive(id, Checkpointed.CLEAR).orThrow();
    harness.crash();
    Lease lease = claim(mail(harness));

    assertThat(lease.wake()).isEqualTo(signalled("paid", "invoice 17"));
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(lease.waitFor("paid")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
  }

  @Test
  void redrive_jobThatWasToldThatNoSignalCame_mayWaitAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    claim(mail(harness)).waitFor("paid", ofSeconds(0)).orThrow();
    claim(mail(harness)).fail("nobody paid", FailOptions.PERMANENT).orThrow();
    send(harness, id, "paid", "late");

    mail(harness).deadLetters().redrive(id).orThrow();
    Lease lease = claim(mail(harness));

    assertThat(lease.wake()).isEqualTo(new Wake.First());
    assertThat(lease.waitFor("paid")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("paid", "late"));
    assertClean(harness);
  }

  @Test
  void signal_moreThanAreKept_isRefusedAndOthersStay() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    byte[] longest = new byte[Limits.SIGNAL_BYTES_MAX];
    for (int i = 0; i < Limits.INBOX_COUNT_MAX - 1; i++) {
      assertThat(harness.queues().signal(id, "go", longest)).isEqualTo(SignalResult.KEPT);
    }

    assertThat(harness.queues().signals().signalAll(List.of(id, id), "go", longest))
        .containsExactly(SignalResult.KEPT, SignalResult.INBOX_FULL);

    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(harness.queues().signal(id, "go", longest)).isEqualTo(SignalResult.KEPT);
    assertThat(harness.queues().signal(id, "go", longest)).isEqualTo(SignalResult.INBOX_FULL);
    assertClean(harness);
  }

  @Test
  void signalAll_sameJobTwice_wakesItAndKeepsTheSecond() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = waiting(harness, "go");

    assertThat(harness.queues().signals().signalAll(List.of(id, id, id), "go", bytes("x")))
        .containsExactly(SignalResult.WOKEN, SignalResult.KEPT, SignalResult.KEPT);

    for (int i = 0; i < 2; i++) {
      assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    }
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void deadline_passes_jobIsToldSoAlsoOverACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "job");
    assertThat(claim(mail(harness)).waitFor("go", ofSeconds(10))).isEqualTo(WaitResult.WAITING);
    harness.crash();
    advance(harness, ofMillis(9_990));
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.WAITING);
    harness.crash();

    advance(harness, ofSeconds(1));
    harness.awaitNothingDue();
    Lease lease = claim(mail(harness));

    assertThat(lease.wake()).isEqualTo(new Wake.TimedOut("go"));
    assertThat(lease.hasTimedOut("go")).isTrue();
    assertThat(lease.hasTimedOut("other")).isFalse();
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(timerCount(harness)).isZero();
    assertThat(lease.waitFor("go", Instant.EPOCH)).isEqualTo(WaitResult.TIMED_OUT);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.TimedOut("go"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void deadline_passesWhileTheSignalIsOnItsWay_jobHasTheSignal(StoreKind kind)
      throws InterruptedException {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "job");
    claim(mail(harness)).waitFor("go", ofSeconds(10)).orThrow();
    harness.store().holdNextWrite();
    var slow = mail(harness).enqueueAsync(bytes("slow"), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    harness.clock().advanceMs(9_990);
    var sent = harness.queues().signals().signalAsync(id, "go", bytes("in time"));
    harness.clock().advanceMs(1_000);

    harness.store().letGo();

    assertThat(join(sent)).isEqualTo(SignalResult.WOKEN);
    assertThat(join(slow).isDone()).isTrue();
    assertThat(signalRows(harness)).as("none is kept for another wait").isZero();
    assertThat(job(harness.queues(), id).state()).isEqualTo(JobState.READY);
    assertThat(claim(mail(harness), 2))
        .extracting(Lease::wake)
        .contains(signalled("go", "in time"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void deadline_wallClockIsSetForward_endsNoWaitOfALengthEarly(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId hour = enqueue(mail(harness), "for an hour");
    JobId month = enqueue(mail(harness), "for a month");
    JobId instant = enqueue(mail(harness), "until then");
    Instant then = Instant.ofEpochMilli(harness.clock().epochMs()).plus(ofHours(1));
    claim(mail(harness)).waitFor("go", ofHours(1)).orThrow();
    claim(mail(harness)).waitFor("go", ofDays(30)).orThrow();
    join(claim(mail(harness)).waitForAsync("go", then)).orThrow();

    harness.clock().stepWallMs(ofDays(1).toMillis());
    harness.awaitNothingDue();
    advance(harness, ofSeconds(30)); // then it is believed
    harness.awaitNothingDue();
    assertThat(state(harness.queues(), instant)).isEqualTo(JobState.READY);
    advance(harness, ofHours(1).minusSeconds(31));
    harness.awaitNothingDue();
    assertThat(state(harness.queues(), hour)).isEqualTo(JobState.WAITING);
    assertClean(harness);
    advance(harness, ofSeconds(2));
    harness.awaitNothingDue();
    assertThat(state(harness.queues(), hour)).isEqualTo(JobState.READY);

    advance(harness, ofDays(29));
    harness.awaitNothingDue();
    harness.crash();
    assertThat(state(harness.queues(), month)).isEqualTo(JobState.WAITING);
    advance(harness, ofDays(1));
    harness.awaitNothingDue();
    assertThat(claim(mail(harness), 3))
        .hasSize(3)
        .allSatisfy(lease -> assertThat(lease.wake()).isEqualTo(new Wake.TimedOut("go")));
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void deadline_ofAQueueThatNobodyUses_passesAllTheSame() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            new Setup(
                Setup.DEFAULT.durability(),
                Setup.DEFAULT.claimsAnswer(),
                Setup.DEFAULT.leasesAtOpen(),
                Setup.Loading.WHILE_USED));
    JobId id = enqueue(mail(harness), "job");
    claim(mail(harness)).waitFor("go", ofSeconds(60)).orThrow();
    advance(harness, ofSeconds(30));
    harness.awaitNothingDue();

    advance(harness, ofSeconds(31));
    harness.awaitNothingDue();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertClean(harness);
  }

  @Test
  void deadline_afterTheSignal_doesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    claim(mail(harness)).waitFor("go", ofSeconds(10)).orThrow();
    send(harness, id, "go", "yes");
    assertThat(timerCount(harness)).isZero();

    advance(harness, ofSeconds(11));
    harness.awaitNothingDue();

    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("go", "yes"));
    assertClean(harness);
  }

  @Test
  void stuckJobs_withoutADeadline_areFoundAndGivenUp() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId stuck = waiting(harness, "never");
    enqueue(mail(harness), "with a deadline");
    claim(mail(harness)).waitFor("never", ofDays(1)).orThrow();
    advance(harness, ofSeconds(60));
    waiting(harness, "young");

    assertThat(stuckFor(harness, ofSeconds(30))).extracting(job -> job.id()).containsExactly(stuck);
    assertThat(stuckFor(harness, ofDays(3_650))).isEmpty();
    JobFilter ofNone = JobFilter.ALL.stuckBefore(Instant.EPOCH);
    assertThat(harness.queues().list(ofNone, PageRequest.first(10)).items()).isEmpty();
    assertThat(harness.queues().admin().failStuck(stuck, "gave up")).isEqualTo(StuckResult.FAILED);
    assertThat(harness.queues().admin().failStuck(stuck, "gave up"))
        .isEqualTo(StuckResult.NOT_WAITING);
    assertThat(job(harness.queues(), stuck).lastError()).contains("gave up");
    assertThat(harness.queues().admin().failStuck(new JobId(1, 2), "x"))
        .isEqualTo(StuckResult.GONE);
    assertClean(harness);
  }

  private static List<Job> stuckFor(EngineHarness harness, Duration time) {
    JobFilter stuck = JobFilter.ALL.stuckBefore(harness.queues().now().minus(time));
    return harness.queues().list(stuck, PageRequest.first(10)).items();
  }

  @Test
  void input_outOfRange_isRefusedBeforeAnythingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.waitFor(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "signal has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=255");
    assertThatThrownBy(() -> lease.waitFor("go", ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("most is out of range: value=PT-1S");
    assertThatThrownBy(() -> send(harness, id, "x".repeat(256), ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8 bytes=256, least=1, most=255");
    assertThatThrownBy(
            () -> harness.queues().signal(id, "go", new byte[Limits.SIGNAL_BYTES_MAX + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "signal payload length in bytes is out of range: value=4097, least=0, most=4096");

    assertThat(lease.complete().isDone()).isTrue();
    assertThat(signalRows(harness)).isZero();
  }
}
