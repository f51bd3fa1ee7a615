package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that wait for a slot or a signal are removed, counted, found and set aside like others. */
final class BlockedAndWaitingTest {

  private static final byte[] PART = "key".getBytes(UTF_8);
  private static final byte[] GARBAGE = {1, 2, 3};

  private final TransitionRig rig = new TransitionRig();
  private JobAddress blocked;
  private JobAddress waiting;

  @BeforeEach
  void fill() {
    rig.enqueue("delayed", EnqueueOptions.DEFAULT.delay(Duration.ofDays(1)));
    rig.enqueue("holder", EnqueueOptions.DEFAULT.concurrencyKey("key"));
    JobId toBlock = rig.enqueue("blocked", EnqueueOptions.DEFAULT.concurrencyKey("key"));
    JobId toWait = rig.enqueue("waiting", EnqueueOptions.DEFAULT.delay(Duration.ofDays(1)));
    blocked = JobAddress.of(toBlock).orElseThrow();
    waiting = JobAddress.of(toWait).orElseThrow();
    rig.await(toWait, PART);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private long count(JobState state) {
    return rig.stats().count(state);
  }

  private byte[] blockedKey() {
    return rig.keys(Keyspace.BLOCKED).get(0);
  }

  private byte[] waitingKey() {
    return WaitingKeys.key(waiting.queue(), PART, waiting.birth());
  }

  @Test
  void purge_waitingJob_removesIt() {
    Purge.Progress progress = rig.apply(new Purge(TransitionRig.MAIL, JobState.WAITING, null));

    assertThat(progress).isEqualTo(new Purge.Progress(1, Optional.empty()));
    assertThat(rig.exists(waiting.toJobId())).isFalse();
    assertThat(count(JobState.WAITING)).isZero();
    assertThat(count(JobState.BLOCKED)).isEqualTo(1);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void cancel_waitingJob_removesIt() {
    assertThat(rig.apply(Cancel.ifWaiting(waiting.toJobId()))).isEqualTo(CancelResult.CANCELLED);

    assertThat(rig.exists(waiting.toJobId())).isFalse();
    assertThat(count(JobState.WAITING)).isZero();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void recount_countersCorrupt_countsBoth() {
    rig.put(CounterKeys.key(blocked.queue()), GARBAGE);
    rig.unload();

    rig.enqueue("more");

    assertThat(count(JobState.BLOCKED)).isEqualTo(1);
    assertThat(count(JobState.WAITING)).isEqualTo(1);
    assertThat(count(JobState.READY)).isEqualTo(2);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void quarantine_recordsCorrupt_setsThemAsideAndCountsThemNoMore() {
    rig.put(blockedKey(), GARBAGE);
    rig.put(waitingKey(), GARBAGE);

    assertThat(rig.apply(new Quarantine(blockedKey()))).isTrue();
    assertThat(rig.apply(new Quarantine(waitingKey()))).isTrue();

    assertThat(count(JobState.BLOCKED)).isZero();
    assertThat(count(JobState.WAITING)).isZero();
    assertThat(rig.stats().total(Total.QUARANTINED)).isEqualTo(2);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void quarantine_movedRowsCorrupt_areWrittenAnewFromWhereTheRecordsAre() {
    byte[] movedOfBlocked = MovedKeys.key(blocked.queue(), blocked.birth());
    byte[] movedOfWaiting = MovedKeys.key(waiting.queue(), waiting.birth());
    rig.put(movedOfBlocked, GARBAGE);
    rig.put(movedOfWaiting, GARBAGE);

    assertThat(rig.apply(new Quarantine(movedOfBlocked))).isTrue();
    assertThat(rig.apply(new Quarantine(movedOfWaiting))).isTrue();

    assertThat(rig.job(blocked.toJobId()).state()).isEqualTo(JobState.BLOCKED);
    assertThat(rig.job(waiting.toJobId()).state()).isEqualTo(JobState.WAITING);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void quarantine_slotAndUniqueRowCorrupt_setsThemAsideAndCountsTheSlotAnew() {
    byte[] slot = SlotKeys.key(blocked.queue(), PART);
    byte[] unique = UniqueKeys.key(blocked.queue(), PART);
    rig.put(slot, GARBAGE);
    rig.put(unique, GARBAGE);

    assertThat(rig.apply(new Quarantine(slot))).isTrue();
    assertThat(rig.apply(new Quarantine(unique))).isTrue();

    assertThat(rig.problems()).isEmpty();
  }
}
