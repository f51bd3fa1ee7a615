package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Signals that outlive the job which they are kept for. */
@Tag("calls")
class SignalEndTrapsTest extends SignalTrapTest {

  /** In a row of its own. */
  private static final String LONG = "x".repeat(1_000);

  /** How a job ends that has signals which it never waited for. */
  private enum End {
    COMPLETED {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).complete().orThrow();
      }
    },
    COMPLETED_AND_KEPT {
      @Override
      void of(EngineHarness harness, JobId id) {
        mail(harness).configure(settings -> settings.resultRetention(ofDays(1)));
        claim(mail(harness)).complete(bytes("result")).orThrow();
      }
    },
    SIGNALLED_WHILE_LEASED_AND_COMPLETED {
      @Override
      void of(EngineHarness harness, JobId id) {
        Lease lease = claim(mail(harness));
        send(harness, id, "more", LONG);
        lease.complete().orThrow();
      }
    },
    CANCELLED {
      @Override
      void of(EngineHarness harness, JobId id) {
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCELLED_WHILE_LEASED {
      @Override
      void of(EngineHarness harness, JobId id) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        lease.release().orThrow();
      }
    },
    CANCELLED_WHILE_WAITING {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).waitFor("third", ofDays(1)).orThrow();
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    PURGED {
      @Override
      void of(EngineHarness harness, JobId id) {
        mail(harness).purge(EnumSet.of(JobState.READY));
      }
    },
    PURGED_WHILE_WAITING {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).waitFor("third", ofDays(1)).orThrow();
        assertThat(mail(harness).purge(EnumSet.of(JobState.WAITING))).isEqualTo(1);
      }
    },
    DEAD_AND_DELETED {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).fail("no", FailOptions.PERMANENT).orThrow();
        assertThat(signalRows(harness)).as("a dead letter keeps its signals").isEqualTo(3);
        assertThat(mail(harness).deadLetters().delete(id)).isTrue();
      }
    },
    STUCK_AND_DELETED {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).waitFor("third").orThrow();
        assertThat(harness.queues().admin().failStuck(id, "no")).isEqualTo(StuckResult.FAILED);
        assertThat(mail(harness).deadLetters().delete(id)).isTrue();
      }
    },
    QUEUE_DELETED {
      @Override
      void of(EngineHarness harness, JobId id) {
        claim(mail(harness)).waitFor("third", ofDays(1)).orThrow();
        broadcast(harness, "nobody waits for it", "x");
        mail(harness).delete();
        harness.awaitNothingDue();
      }
    };

    abstract void of(EngineHarness harness, JobId id);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void end_ofAJobWithKeptSignals_leavesNoneOfThem(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    send(harness, id, "go", "1");
    send(harness, id, "go", LONG);
    send(harness, id, "other", "2");
    send(harness, id, "go", LONG);

    end.of(harness, id);

    assertThat(signalRows(harness)).isZero();
    assertThat(timerCount(harness)).isEqualTo(end == End.COMPLETED_AND_KEPT ? 1 : 0);
    assertThat(send(harness, id, "go", "3")).isEqualTo(SignalResult.GONE);
    assertClean(harness);
  }
}
