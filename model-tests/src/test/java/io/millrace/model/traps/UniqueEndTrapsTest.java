package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.RedriveResult;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unique keys are freed by nobody but the job that holds them, on every way that it can end. */
@Tag("calls")
class UniqueEndTrapsTest extends UniqueTrapTest {

  @Test
  void untilStarted_claim_freesTheKeyForGood() {
    EngineHarness harness = start(StoreKind.MEMORY);
    put(harness, "first", UNTIL_STARTED);
    Lease lease = claim(mail(harness));

    Enqueued second = put(harness, "second", UNTIL_STARTED);

    assertThat(second.kind()).isEqualTo(Enqueued.Kind.NEW);
    lease.release().orThrow();
    assertHeldBy(harness, second.jobId());
    for (Lease each : claim(mail(harness), 10)) {
      each.complete().orThrow();
    }
    assertFree(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void untilStarted_claimTakenByACrash_recordAndRowAgree(StoreKind kind) {
    EngineHarness harness = start(kind);
    put(harness, "first", UNTIL_STARTED);
    claim(mail(harness));

    harness.crash();
    awaitNoLease(harness);

    assertClean(harness);
    Enqueued second = put(harness, "second", UNTIL_STARTED);
    assertThat(second.jobId()).isNotNull();
    assertClean(harness);
    for (Lease each : claim(mail(harness), 10)) {
      each.complete().orThrow();
    }
    assertFree(harness);
  }

  private static void awaitNoLease(EngineHarness harness) {
    await("no lease is left", () -> harness.engine().metrics().leaseCount() == 0);
  }

  @Test
  void untilStarted_batchOfAToldClaimNeverHappens_keyIsFreedWithTheNext() {
    EngineHarness harness = start(StoreKind.FAULTY);
    put(harness, "first", UNTIL_STARTED);
    harness.machine().room(Room.FOR_NONE);
    Lease lease = claim(mail(harness));
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());

    Enqueued second = put(harness, "second", UNTIL_STARTED);

    assertThat(second.kind()).isEqualTo(Enqueued.Kind.NEW);
    lease.complete().orThrow();
    assertHeldBy(harness, second.jobId());
  }

  @Test
  void retry_jobIsNotItsOwnDuplicate() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE);
    claim(mail(harness)).fail("once", FailOptions.RETRY).orThrow();
    assertHeldBy(harness, first.jobId());
    advance(harness, ofMinutes(1));

    claim(mail(harness)).snooze(ofSeconds(1)).orThrow();
    assertHeldBy(harness, first.jobId());
    advance(harness, ofSeconds(2));
    harness.queues().update(first.jobId(), UpdateOptions.NOTHING.priority(3)).orThrow();
    assertHeldBy(harness, first.jobId());

    claim(mail(harness)).complete().orThrow();
    assertFree(harness);
  }

  /** A way in which a job ends. */
  private enum End {
    COMPLETED {
      @Override
      void end(EngineHarness harness, JobId id) {
        claim(mail(harness)).complete().orThrow();
      }
    },
    DONE {
      @Override
      void end(EngineHarness harness, JobId id) {
        mail(harness).configure(settings -> settings.resultRetention(ofHours(1)));
        claim(mail(harness)).complete().orThrow();
        assertThat(state(harness.queues(), id)).isEqualTo(JobState.DONE);
      }
    },
    DEAD_OF_FAILURE {
      @Override
      void end(EngineHarness harness, JobId id) {
        claim(mail(harness)).fail("no", DEAD).orThrow();
      }
    },
    DEAD_OF_EXPIRY {
      @Override
      void end(EngineHarness harness, JobId id) {
        mail(harness).configure(settings -> settings.retry(1, settings.backoff()));
        claim(mail(harness));
        advance(harness, LEASE_OVER);
        awaitJob(harness, id, JobState.DEAD, 1);
      }
    },
    CANCELLED {
      @Override
      void end(EngineHarness harness, JobId id) {
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCEL_REQUESTED {
      @Override
      void end(EngineHarness harness, JobId id) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        lease.release().orThrow();
      }
    },
    CANCEL_REQUESTED_AND_EXPIRED {
      @Override
      void end(EngineHarness harness, JobId id) {
        claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        advance(harness, LEASE_OVER);
        await("the job is gone", () -> harness.queues().get(id).isEmpty());
      }
    },
    TOO_LATE {
      @Override
      void end(EngineHarness harness, JobId id) {
        advance(harness, ofHours(11));
        await("the job is gone", () -> harness.queues().get(id).isEmpty());
      }
    },
    PURGED {
      @Override
      void end(EngineHarness harness, JobId id) {
        assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(1);
      }
    },
    QUEUE_DELETED {
      @Override
      void end(EngineHarness harness, JobId id) {
        assertThat(mail(harness).delete()).isTrue();
        await("its rows are gone", () -> rowCount(harness, Keyspace.UNIQUE) == 0);
      }
    };

    abstract void end(EngineHarness harness, JobId id);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void end_eachWay_freesTheKeyAndTheNextHolderKeepsIt(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE.timeToLive(ofHours(10)));

    end.end(harness, first.jobId());

    assertFree(harness);
    assertEndingForGoodLeavesTheKeyAlone(harness, first.jobId());
  }

  /** The same with a key that is free since the job was started, or will be. */
  @ParameterizedTest
  @EnumSource(End.class)
  void end_untilStarted_freesTheKeyAndTheNextHolderKeepsIt(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNTIL_STARTED.timeToLive(ofHours(10)));

    end.end(harness, first.jobId());

    assertFree(harness);
    assertEndingForGoodLeavesTheKeyAlone(harness, first.jobId());
  }

  /** What is left of a job that has ended goes, and another one holds the key. */
  private static void assertEndingForGoodLeavesTheKeyAlone(EngineHarness harness, JobId ended) {
    JobId holder =
        harness
            .queues()
            .list(JobFilter.ALL.state(JobState.READY).uniqueKey(KEY.key()), PageRequest.first(10))
            .items()
            .get(0)
            .id();
    Dropped.result(harness.queues().cancel(ended));
    assertHeldBy(harness, holder);
    mail(harness).purge(Set.of(JobState.DEAD, JobState.DONE));
    assertHeldBy(harness, holder);
  }

  @Test
  void retention_ofADeadJob_leavesTheKeyToItsHolder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.deadRetention(ofHours(1)));
    Enqueued first = put(harness, "first", UNIQUE);
    claim(mail(harness)).fail("no", DEAD).orThrow();
    Enqueued second = put(harness, "second", UNIQUE);

    advance(harness, ofHours(2));
    await("the dead job is gone", () -> harness.queues().get(first.jobId()).isEmpty());

    assertHeldBy(harness, second.jobId());
  }

  @Test
  void redrive_keyTakenMeanwhile_answersWhoHoldsItAndLeavesTheJobDead() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE);
    claim(mail(harness)).fail("no", DEAD).orThrow();
    Enqueued second = put(harness, "second", UNIQUE);

    RedriveResult refused = mail(harness).deadLetters().redrive(first.jobId());

    assertThat(refused).isEqualTo(new RedriveResult.Duplicate(second.jobId()));
    assertThat(state(harness.queues(), first.jobId())).isEqualTo(JobState.DEAD);
    claim(mail(harness)).complete().orThrow();
    mail(harness).deadLetters().redrive(first.jobId()).orThrow();
    assertHeldBy(harness, first.jobId());
    claim(mail(harness)).complete().orThrow();
    assertFree(harness);
  }

  @Test
  void redriveAll_severalOfOneKey_firstWinsAndTheOthersStayDead() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<JobId> dead = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      dead.add(put(harness, "dead " + i, UNIQUE).jobId());
      claim(mail(harness)).fail("no", DEAD).orThrow();
    }

    long count = mail(harness).deadLetters().redriveAll(DeadFilter.ALL);

    assertThat(count).isEqualTo(1);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("dead 0");
    assertHeldBy(harness, dead.get(0));
  }

  @Test
  void redrive_untilStarted_holdsTheKeyAgainUntilTheNextStart() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNTIL_STARTED);
    claim(mail(harness)).fail("no", DEAD).orThrow();

    mail(harness).deadLetters().redrive(first.jobId()).orThrow();

    assertHeldBy(harness, first.jobId());
    Lease lease = claim(mail(harness));
    assertFree(harness);
    lease.complete().orThrow();
  }
}
