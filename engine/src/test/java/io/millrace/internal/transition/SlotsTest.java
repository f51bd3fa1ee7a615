package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.refs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.transition.due.MoveDue;
import io.millrace.internal.transition.due.Sweep;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.internal.transition.queue.WalkBlocked;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.ReadView;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At most so many jobs of a concurrency key are ready or leased, whatever happens to them. */
final class SlotsTest {

  private static final EnqueueOptions KEYED = EnqueueOptions.DEFAULT.concurrencyKey("key");
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private void assertStates(List<String> ready, List<String> blocked) {
    assertThat(rig.payloads(JobState.READY)).isEqualTo(ready);
    assertThat(rig.payloads(JobState.BLOCKED)).isEqualTo(blocked);
    assertThat(rig.problems()).isEmpty();
  }

  private Optional<SlotRecord> slot() {
    byte[] key = SlotKeys.key(rig.number(MAIL), KEY);
    try (ReadView view = rig.store.read()) {
      return Optional.ofNullable(view.get(key)).map(value -> SlotRecord.decode(key, value));
    }
  }

  private void three() {
    rig.enqueue("a", KEYED);
    rig.enqueue("b", KEYED);
    rig.enqueue("c", KEYED);
  }

  @Test
  void enqueue_keyTaken_blocksInTheOrderOfPriorityAndArrival() {
    three();
    rig.enqueue("urgent", KEYED.priority(5));
    rig.enqueue("other", EnqueueOptions.DEFAULT.concurrencyKey("other"));
    rig.enqueue("none");

    assertStates(List.of("a", "other", "none"), List.of("urgent", "b", "c"));
    assertThat(slot()).contains(new SlotRecord(1, 3));
  }

  @Test
  void enqueue_manyOfAKeyInOneCall_oneIsReady() {
    List<NewJob> jobs =
        List.of(new NewJob("a".getBytes(UTF_8), KEYED), new NewJob("b".getBytes(UTF_8), KEYED));

    List<EnqueueResult> results = rig.apply(new Enqueue(MAIL, jobs));

    assertThat(results).hasSize(2);
    assertStates(List.of("a"), List.of("b"));
    assertThat(rig.job(results.get(1).orThrow().jobId()).concurrencyKey()).contains("key");
  }

  @Test
  void complete_othersBlocked_nextIsReadyInTheSameBatch() {
    three();
    Grant lease = rig.claim();

    rig.apply(new Complete(refs(lease)));

    assertStates(List.of("b"), List.of("c"));
    assertThat(slot()).contains(new SlotRecord(1, 1));
  }

  @Test
  void complete_lastOfTheKey_leavesNoRow() {
    rig.enqueue("a", KEYED);

    rig.apply(new Complete(refs(rig.claim())));

    assertThat(slot()).isEmpty();
  }

  @Test
  void complete_slotNotInMemory_handsItOn() {
    three();
    rig.unload();
    Grant lease = rig.claim();
    rig.unload();

    rig.apply(new Complete(refs(lease)));

    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void fail_withAttemptsLeft_nextIsReadyAndItQueuesAgainWhenDue() {
    three();

    rig.apply(new Fail(refs(rig.claim()), "broken", FailOptions.RETRY));
    assertStates(List.of("b"), List.of("c"));

    rig.nowMs += 60_000;
    rig.enqueue("unkeyed");
    rig.apply(new MoveDue());
    assertStates(List.of("b", "unkeyed"), List.of("c", "a"));
  }

  @Test
  void fail_permanent_redriveQueuesForASlot() {
    three();
    Grant first = rig.claim();
    rig.apply(new Fail(refs(first), "broken", FailOptions.PERMANENT));
    assertStates(List.of("b"), List.of("c"));

    rig.apply(new Redrive(List.of(first.job().jobId(rig.number(MAIL)))));

    assertStates(List.of("b"), List.of("c", "a"));
  }

  @Test
  void release_keepsTheSlot() {
    three();

    rig.apply(new Release(refs(rig.claim())));

    assertStates(List.of("a"), List.of("b", "c"));
  }

  @Test
  void snooze_visibleNow_queuesForTheSlotAgain() {
    three();
    Snooze.Until now = new Snooze.Until(Snooze.Until.Kind.DELAY, 0);

    rig.apply(new Snooze(refs(rig.claim()), now));

    assertStates(List.of("b"), List.of("c", "a"));
  }

  @Test
  void snooze_visibleLater_handsTheSlotOn() {
    three();
    Snooze.Until later = new Snooze.Until(Snooze.Until.Kind.DELAY, 5_000);

    rig.apply(new Snooze(refs(rig.claim()), later));

    assertStates(List.of("b"), List.of("c"));
    assertThat(rig.payloads(JobState.DELAYED)).containsExactly("a");
  }

  @Test
  void cancel_readyAndBlockedJobs_countsBoth() {
    JobId first = rig.enqueue("a", KEYED);
    JobId second = rig.enqueue("b", KEYED);
    rig.enqueue("c", KEYED);

    rig.apply(Cancel.ifWaiting(second));
    assertStates(List.of("a"), List.of("c"));

    rig.apply(Cancel.ifWaiting(first));
    assertStates(List.of("c"), List.of());
    assertThat(slot()).contains(new SlotRecord(1, 0));
  }

  @Test
  void reschedule_readyJobToNow_queuesForTheSlotAgain() {
    JobId first = rig.enqueue("a", KEYED);
    rig.enqueue("b", KEYED);

    rig.apply(new Reschedule(first, Instant.ofEpochMilli(rig.nowMs)));

    assertStates(List.of("b"), List.of("a"));
  }

  @Test
  void reschedule_blockedJobToNow_goesToTheBackOfItsKey() {
    rig.enqueue("a", KEYED);
    JobId second = rig.enqueue("b", KEYED);
    rig.enqueue("c", KEYED);

    rig.apply(new Reschedule(second, Instant.ofEpochMilli(rig.nowMs)));

    assertStates(List.of("a"), List.of("c", "b"));
  }

  @Test
  void update_priorityOfAReadyJob_keepsTheSlot() {
    JobId first = rig.enqueue("a", KEYED);
    rig.enqueue("b", KEYED.priority(9));

    rig.apply(new Update(first, UpdateOptions.NOTHING.priority(-3)));

    assertStates(List.of("a"), List.of("b"));
  }

  @Test
  void purge_readyJobs_leavesThoseThatAreHandedTheSlots() {
    three();

    Purge.Progress progress = rig.apply(new Purge(MAIL, JobState.READY, null));

    assertThat(progress.removedCount()).isEqualTo(1);
    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void purge_linesOfSeveralPriorities_leavesThoseThatAreHandedTheSlots() {
    rig.enqueue("a", KEYED.priority(5));
    rig.enqueue("b", KEYED);
    rig.enqueue("c", KEYED);
    rig.enqueue("unkeyed");

    int removedCount = 0;
    Optional<Purge.Next> next = Optional.empty();
    do {
      Purge.Progress progress = rig.apply(new Purge(MAIL, JobState.READY, next.orElse(null)));
      removedCount += progress.removedCount();
      next = progress.next();
    } while (next.isPresent());

    assertThat(removedCount).isEqualTo(2);
    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void purge_blockedJobs_countsThemNoMore() {
    three();

    rig.apply(new Purge(MAIL, JobState.BLOCKED, null));

    assertStates(List.of("a"), List.of());
    assertThat(slot()).contains(new SlotRecord(1, 0));
  }

  @Test
  void drop_queueWithBlockedJobs_leavesNothing() {
    three();
    int number = rig.number(MAIL);

    rig.apply(new DropQueue(MAIL));
    rig.apply(new EmptyDropped(number, null));

    assertThat(rig.rowCount(Keyspace.SLOT, Keyspace.BLOCKED, Keyspace.READY)).isZero();
  }

  @Test
  void perKey_raised_letsBlockedJobsGoOn() {
    three();
    rig.enqueue("x1", EnqueueOptions.DEFAULT.concurrencyKey("x"));
    rig.enqueue("x2", EnqueueOptions.DEFAULT.concurrencyKey("x"));
    assertThat(rig.storedCounts().perKeyDone()).isEqualTo(1);

    rig.configure(QueueSettings.DEFAULT.perKey(2));
    assertThat(rig.state.slots().firstRaised()).isEqualTo(MAIL);
    rig.apply(new WalkBlocked(MAIL));
    rig.apply(new WalkBlocked(MAIL));

    assertStates(List.of("a", "x1", "x2", "b"), List.of("c"));
    assertThat(rig.state.slots().firstRaised()).isNull();
    assertThat(rig.storedCounts().perKeyDone()).isEqualTo(2);
  }

  @Test
  void perKey_raisedAndForgotten_isSeenWhenTheQueueIsLoaded() {
    three();
    rig.configure(QueueSettings.DEFAULT.perKey(3));
    rig.state.slots().endRaised(MAIL);
    rig.unload();

    rig.mail();

    assertThat(rig.state.slots().firstRaised()).isEqualTo(MAIL);
    rig.apply(new WalkBlocked(MAIL));
    assertStates(List.of("a", "b", "c"), List.of());
  }

  @Test
  void perKey_lowered_takesEffectAsHoldersFinish() {
    rig.configure(QueueSettings.DEFAULT.perKey(2));
    three();
    rig.enqueue("d", KEYED);
    assertStates(List.of("a", "b"), List.of("c", "d"));

    rig.configure(QueueSettings.DEFAULT.perKey(1));
    rig.apply(new Complete(refs(rig.claim())));
    assertStates(List.of("b"), List.of("c", "d"));

    rig.apply(new Complete(refs(rig.claim())));
    assertStates(List.of("c"), List.of("d"));
  }

  @Test
  void perKey_loweredAndRaisedAgain_leavesNoKeyIdle() {
    rig.configure(QueueSettings.DEFAULT.perKey(2));
    three();
    rig.enqueue("d", KEYED);
    rig.configure(QueueSettings.DEFAULT.perKey(1));
    rig.apply(new Complete(refs(rig.claim())));

    rig.configure(QueueSettings.DEFAULT.perKey(2));
    rig.apply(new WalkBlocked(MAIL));

    assertStates(List.of("b", "c"), List.of("d"));
  }

  @Test
  void walk_manyKeys_goesOnWhereItStopped() {
    IntStream.range(0, 1_500)
        .forEach(
            i -> {
              EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("k" + i);
              NewJob job = new NewJob(new byte[1], keyed);
              rig.apply(new Enqueue(MAIL, List.of(job, job)));
            });
    rig.configure(QueueSettings.DEFAULT.perKey(2));

    int goneOn = 0;
    while (goneOn < 1_500) {
      int count = rig.apply(new WalkBlocked(MAIL));
      assertThat(count).isBetween(1, 1_000);
      goneOn += count;
      assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1_500 - goneOn);
    }
  }

  @Test
  void perKey_raisedFar_oneEndLetsManyGoOnAndTheWalkTheRest() {
    List<NewJob> jobs = Collections.nCopies(1_300, new NewJob(new byte[1], KEYED));
    rig.apply(new Enqueue(MAIL, jobs));
    Grant lease = rig.claim();
    rig.configure(QueueSettings.DEFAULT.perKey(2_000));
    rig.state.slots().endRaised(MAIL);

    rig.apply(new Complete(refs(lease)));
    assertThat(rig.count(JobState.READY)).isEqualTo(1_000);
    assertThat(rig.state.slots().firstRaised()).isEqualTo(MAIL);

    rig.apply(new WalkBlocked(MAIL));
    assertThat(rig.count(JobState.READY)).isEqualTo(1_299);
  }

  @Test
  void blockedAndGoneInOneBatch_isSeenByWhoHandsOn() {
    rig.enqueue("a", KEYED);
    Grant lease = rig.claim();
    List<NewJob> next =
        List.of(
            new NewJob("b".getBytes(UTF_8), KEYED),
            new NewJob("c".getBytes(UTF_8), KEYED.priority(1)));

    rig.applyWithoutRows(new Enqueue(MAIL, next), new Complete(refs(lease)));

    assertStates(List.of("c"), List.of("b"));
  }

  @Test
  void batchThatNeverHappened_isForgotten() {
    three();
    Grant lease = rig.claim();

    rig.applyInVain(new Complete(refs(lease)));

    assertStates(List.of(), List.of("b", "c"));
    rig.apply(new Complete(refs(lease)));
    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void slotRowCorrupt_isCountedAnewByWhoeverNeedsIt() {
    three();
    rig.damage(SlotKeys.key(rig.number(MAIL), KEY));
    rig.unload();

    rig.apply(new Complete(refs(rig.claim())));

    assertStates(List.of("b"), List.of("c"));
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
  }

  @Test
  void slotRowCorrupt_enqueue_isBlockedAsItWouldHaveBeen() {
    rig.enqueue("a", KEYED);
    rig.damage(SlotKeys.key(rig.number(MAIL), KEY));
    rig.unload();

    rig.enqueue("b", KEYED);

    assertStates(List.of("a"), List.of("b"));
    assertThat(slot()).contains(new SlotRecord(1, 1));
  }

  @Test
  void slotRowOfNoJob_keyIsUsed_countsAsThereAndGoes() {
    rig.enqueue("a", KEYED);
    rig.apply(new Complete(refs(rig.claim())));
    byte[] key = SlotKeys.key(rig.number(MAIL), KEY);
    rig.put(key, SlotRecord.NOBODY.encode(key));
    rig.unload();

    rig.enqueue("b", KEYED);
    assertThat(rig.lastNews()).isEqualTo("[READY]");
    rig.apply(new Complete(refs(rig.claim())));

    assertThat(slot()).isEmpty();
  }

  @Test
  void slotRowMissing_isCountedAnewWhenItShows() {
    three();
    rig.remove(SlotKeys.key(rig.number(MAIL), KEY));
    rig.unload();

    rig.apply(new Complete(refs(rig.claim())));

    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void readyRecordCorrupt_itsSlotGoesToTheNext() {
    three();
    byte[] key = rig.keys(Keyspace.READY).get(0);
    rig.damage(key);
    rig.unload();

    rig.apply(new Quarantine(key));

    assertStates(List.of("b"), List.of("c"));
  }

  @Test
  void blockedRecordCorrupt_theNextOneGoesOn() {
    three();
    byte[] key = rig.keys(Keyspace.BLOCKED).get(0);
    rig.damage(key);

    rig.apply(new Complete(refs(rig.claim())));
    rig.apply(new Quarantine(key));

    assertStates(List.of("c"), List.of());
  }

  @Test
  void timeToLive_ofABlockedJob_dropsIt() {
    rig.enqueue("a", KEYED);
    rig.enqueue("b", KEYED.timeToLive(ofSeconds(1)));
    rig.enqueue("c", KEYED);

    rig.nowMs += 2_000;
    rig.apply(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs));

    assertStates(List.of("a"), List.of("c"));
  }
}
