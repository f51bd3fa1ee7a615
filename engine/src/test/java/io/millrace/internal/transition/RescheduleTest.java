package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.RescheduleResult;
import io.millrace.internal.transition.due.MoveDue;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Fail;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RescheduleTest {

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private RescheduleResult reschedule(JobId id, long ms) {
    return rig.apply(new Reschedule(id, Instant.ofEpochMilli(ms)));
  }

  @Test
  void reschedule_readyJob_waitsUntilTheTimeAndThenJoinsTheBack() {
    JobId first = rig.enqueue("first");
    rig.enqueue("second");

    RescheduleResult result = reschedule(first, rig.nowMs + 1_000);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.lastPuts()).isEqualTo("[COUNTERS, DELAYED, MOVED]");
    assertThat(rig.lastDeletes()).isEqualTo("[READY]");
    assertThat(rig.job(first).state()).isEqualTo(JobState.DELAYED);
    assertThat(rig.job(first).visibleAt()).contains(Instant.ofEpochMilli(rig.nowMs + 1_000));
    assertThat(rig.problems()).isEmpty();
    rig.nowMs += 1_000;
    rig.apply(new MoveDue());
    assertThat(rig.payloads(JobState.READY)).containsExactly("second", "first");
    assertThat(rig.claim(10)).hasSize(2);
  }

  @Test
  void reschedule_readyJobToThePast_isReadyAtTheBack() {
    JobId first = rig.enqueue("first");
    rig.enqueue("second");

    RescheduleResult result = reschedule(first, rig.nowMs);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.lastPuts()).isEqualTo("[COUNTERS, MOVED, READY]");
    assertThat(rig.lastDeletes()).isEqualTo("[READY]");
    assertThat(rig.payloads(JobState.READY)).containsExactly("second", "first");
    assertThat(rig.stats().count(JobState.READY)).isEqualTo(2);
  }

  @Test
  void reschedule_delayedJob_waitsUntilTheOtherTime() {
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));

    RescheduleResult result = reschedule(id, rig.nowMs + 5_000);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.lastDeletes()).isEqualTo("[DELAYED, AGENDA]");
    assertThat(rig.job(id).visibleAt()).contains(Instant.ofEpochMilli(rig.nowMs + 5_000));
    assertThat(rig.stats().count(JobState.DELAYED)).isEqualTo(1);
    rig.nowMs += 5_000;
    rig.apply(new MoveDue());
    assertThat(rig.payloads(JobState.READY)).containsExactly("a");
  }

  @Test
  void reschedule_delayedJobToTheTimeItHas_staysWhereItIs() {
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));

    RescheduleResult result = reschedule(id, rig.nowMs + 60_000);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.payloads(JobState.DELAYED)).containsExactly("a");
    assertThat(rig.stats().count(JobState.DELAYED)).isEqualTo(1);
  }

  @Test
  void reschedule_delayedJobToThePast_isReadyAtTheBack() {
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));
    rig.enqueue("b");

    RescheduleResult result = reschedule(id, 0);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.payloads(JobState.READY)).containsExactly("b", "a");
    assertThat(rig.stats().count(JobState.DELAYED)).isZero();
  }

  @Test
  void reschedule_dueJobOfAQueueThatIsNotInMemory_isFoundWhereTheMoverPutIt() {
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    rig.unload();
    rig.nowMs += 1_000;

    RescheduleResult result = reschedule(id, rig.nowMs + 500);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.payloads(JobState.DELAYED)).containsExactly("a");
    assertThat(rig.stats().count(JobState.READY)).isZero();
  }

  @Test
  void reschedule_blockedJob_waitsForTheTimeInPlaceOfTheSlot() {
    rig.enqueue("holder", EnqueueOptions.DEFAULT.concurrencyKey("key"));
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.concurrencyKey("key"));

    RescheduleResult result = reschedule(id, rig.nowMs + 5_000);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(rig.lastDeletes()).contains("BLOCKED");
    assertThat(rig.payloads(JobState.DELAYED)).containsExactly("a");
    assertThat(rig.stats().count(JobState.BLOCKED)).isZero();
  }

  @Test
  void reschedule_jobWithAttemptsAndError_keepsThem() {
    JobId id = rig.enqueue("a", EnqueueOptions.DEFAULT.headers(Map.of("k", "v")));
    rig.apply(new Fail(List.of(TransitionRig.ref(rig.claim())), "broken", FailOptions.RETRY));

    reschedule(id, rig.nowMs + 90_000);

    Job job = rig.job(id);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).contains("broken");
    assertThat(job.headers()).isEqualTo(Map.of("k", "v"));
    assertThat(job.payload()).isEqualTo("a".getBytes(UTF_8));
    assertThat(job.visibleAt()).contains(Instant.ofEpochMilli(rig.nowMs + 90_000));
  }

  @Test
  void reschedule_leasedJob_isRunningAndStays() {
    JobId id = rig.enqueue("a");
    rig.claim();

    RescheduleResult result = reschedule(id, rig.nowMs + 1_000);

    assertThat(result).isEqualTo(RescheduleResult.RUNNING);
    assertThat(rig.lastPuts()).isEqualTo("[]");
    assertThat(rig.job(id).state()).isEqualTo(JobState.LEASED);
  }

  @Test
  void reschedule_deadLetter_isDeadAndStays() {
    JobId id = rig.enqueue("a");
    rig.die();

    RescheduleResult result = reschedule(id, rig.nowMs + 1_000);

    assertThat(result).isEqualTo(RescheduleResult.DEAD);
    assertThat(rig.lastPuts()).isEqualTo("[]");
    assertThat(rig.job(id).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void reschedule_jobThatIsGone_isGone() {
    JobId id = rig.enqueue("a");
    rig.apply(new Complete(List.of(TransitionRig.ref(rig.claim()))));

    RescheduleResult result = reschedule(id, rig.nowMs + 1_000);

    assertThat(result).isEqualTo(RescheduleResult.GONE);
    assertThat(rig.lastPuts()).isEqualTo("[]");
  }

  @Test
  void reschedule_madeUpIdOfAJobThatMovedThere_isGone() {
    rig.enqueue("a");
    JobId moved = rig.enqueue("b");
    reschedule(moved, 0);
    JobId madeUp = new JobId(moved.high(), moved.low() + (1L << 16));

    RescheduleResult result = reschedule(madeUp, rig.nowMs + 1_000);

    assertThat(result).isEqualTo(RescheduleResult.GONE);
    assertThat(rig.payloads(JobState.READY)).containsExactly("a", "b");
  }

  @Test
  void reschedule_batchThatNeverHappened_leavesTheLineAsItWas() {
    JobId first = rig.enqueue("first");
    rig.enqueue("second");

    rig.applyInVain(new Reschedule(first, Instant.ofEpochMilli(rig.nowMs + 1_000)));

    assertThat(rig.claim(10)).extracting(grant -> grant.job().readyAtMs()).hasSize(2);
    assertThat(rig.stats().count(JobState.LEASED)).isEqualTo(2);
  }
}
