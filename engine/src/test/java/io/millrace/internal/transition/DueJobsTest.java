package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.transition.due.MoveDue;
import io.millrace.internal.transition.lease.Fail;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DueJobsTest {

  private static final int STEP = TransitionRig.STEP_ROWS;
  private static final int WAIT_MS = 10_000;

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private EnqueueOptions waiting(DelayClock clock) {
    return clock == DelayClock.ENGINE
        ? EnqueueOptions.DEFAULT.visibleAt(Instant.ofEpochMilli(rig.nowMs + WAIT_MS))
        : EnqueueOptions.DEFAULT.delay(Duration.ofMillis(WAIT_MS));
  }

  private void enqueue(int count, DelayClock clock) {
    EnqueueOptions options = waiting(clock);
    IntStream.range(0, count).forEach(i -> rig.enqueue(options));
  }

  private void assertNextBeginsAtTheFirstThatIsLeft(Set<DelayClock> clocks) {
    assertThat(rig.mail().nextDelayed().firstKey(rig.mail().number(), clocks))
        .isEqualTo(rig.keys(Keyspace.DELAYED).get(0));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1})
  void move_manyDueAtOneInstant_eachStepBeginsBehindTheOneBefore(long steadyLeadMs) {
    rig.steadyLeadMs = steadyLeadMs;
    enqueue(2 * STEP + 1, DelayClock.ENGINE);
    rig.nowMs += WAIT_MS;

    rig.apply(new MoveDue());

    assertThat(rig.count(JobState.READY)).isEqualTo(STEP);
    assertNextBeginsAtTheFirstThatIsLeft(Set.of(DelayClock.ENGINE));
    rig.apply(new MoveDue());
    assertNextBeginsAtTheFirstThatIsLeft(Set.of(DelayClock.ENGINE));
    rig.apply(new MoveDue());
    assertThat(rig.count(JobState.READY)).isEqualTo(2 * STEP + 1);
  }

  @ParameterizedTest
  @EnumSource
  void move_afterStepOlderJobJoinsAtThatInstant_isNotPassedOver(DelayClock clock) {
    JobId older = rig.enqueue("older");
    var lease = TransitionRig.refs(rig.claim());
    enqueue(STEP + 2, clock);
    rig.nowMs += WAIT_MS;
    rig.apply(new MoveDue());
    assertNextBeginsAtTheFirstThatIsLeft(Set.of(clock));

    rig.nowMs -= WAIT_MS;
    rig.apply(new Fail(lease, "again", FailOptions.RETRY.delay(Duration.ofMillis(WAIT_MS))));
    assertThat(rig.job(older).state()).isEqualTo(JobState.DELAYED);
    rig.nowMs += WAIT_MS;
    rig.apply(new MoveDue());

    assertThat(rig.count(JobState.DELAYED)).isZero();
    assertThat(rig.count(JobState.READY)).isEqualTo(STEP + 3);
  }

  @Test
  void move_jobsOfTheOtherClockBetween_areFoundByTheirOwnClock() {
    rig.steadyLeadMs = -WAIT_MS;
    enqueue(1, DelayClock.STEADY);
    rig.steadyLeadMs = 0;
    enqueue(STEP + 1, DelayClock.ENGINE);
    rig.nowMs += WAIT_MS;
    rig.steadyLeadMs = -WAIT_MS - 1;

    rig.apply(new MoveDue());
    rig.apply(new MoveDue());
    assertThat(rig.count(JobState.READY)).isEqualTo(STEP + 1);
    assertThat(rig.count(JobState.DELAYED)).isEqualTo(1);

    rig.nowMs += 1;
    rig.apply(new MoveDue());
    assertThat(rig.count(JobState.DELAYED)).isZero();
  }
}
