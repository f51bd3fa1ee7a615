package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be divided is done in steps that keep nobody waiting for long. */
@InProcess("how much the engine reads or writes, whoever calls")
class StepShareTrapsTest extends TrapTest {

  private static final int JOB_COUNT = 2_000;

  /** Jobs of one step beside few requests. */
  private static final int STEP_JOBS = 250;

  /** The time, the counts of queues, and how far a broadcast is. */
  private static final int AROUND = 10;

  private EngineHarness harness;
  private JobQueue queue;

  /**
   * What is done to many jobs at once, in which state none of them is left then, and how many
   * operations of the store that is for each.
   */
  private enum Work {
    PURGE(JobState.READY, 1),
    REDRIVE(JobState.DEAD, 3),
    DELETION(JobState.DEAD, 3),
    BROADCAST(JobState.WAITING, 6),
    DELAYS(JobState.DELAYED, 3),
    TIMES_TO_LIVE(JobState.READY, 2),
    LEASES(JobState.LEASED, 5),
    RAISED_SETTING(JobState.BLOCKED, 3);

    private final JobState from;
    private final int operations;

    Work(JobState from, int operations) {
      this.from = from;
      this.operations = operations;
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyJobs_workThatCanBeDivided_isDoneInSmallSteps(Work work) {
    harness = start(StoreKind.FAULTY);
    queue = mail(harness);
    queue.configure(settings -> settings.perKey(1));
    Runnable action = prepare(work);
    assertThat(count(work.from)).isGreaterThanOrEqualTo(JOB_COUNT - 1);
    harness.store().takeMostOperationsAtOnce();

    action.run();

    harness.awaitNothingDue();
    assertThat(count(work.from)).isZero();
    assertThat(harness.store().takeMostOperationsAtOnce())
        .isBetween(1L, STEP_JOBS * work.operations + (long) AROUND);
    assertClean(harness);
  }

  private Runnable prepare(Work work) {
    EnqueueOptions plain = EnqueueOptions.DEFAULT;
    return switch (work) {
      case PURGE -> {
        enqueue(plain);
        yield () -> assertThat(queue.purge(Set.of(JobState.READY))).isEqualTo(JOB_COUNT);
      }
      case REDRIVE -> {
        makeDead();
        yield () -> assertThat(queue.deadLetters().redriveAll(DeadFilter.ALL)).isEqualTo(JOB_COUNT);
      }
      case DELETION -> {
        makeDead();
        yield () -> assertThat(queue.deadLetters().deleteAll(DeadFilter.ALL)).isEqualTo(JOB_COUNT);
      }
      case BROADCAST -> {
        enqueue(plain);
        claimAll().forEach(lease -> lease.waitFor("go").orThrow());
        yield () -> harness.queues().signals().broadcast(queue.name(), "go", new byte[0]);
      }
      case DELAYS -> {
        enqueue(plain.delay(ofHours(1)));
        yield () -> advance(harness, ofHours(1));
      }
      case TIMES_TO_LIVE -> {
        enqueue(plain.timeToLive(ofHours(1)));
        yield () -> advance(harness, ofHours(1));
      }
      case LEASES -> {
        enqueue(plain);
        claimAll();
        advance(harness, ofSeconds(1)); // then they are stored
        harness.awaitNothingDue();
        yield () -> advance(harness, ofSeconds(31));
      }
      case RAISED_SETTING -> {
        enqueue(plain.concurrencyKey("one"));
        yield () -> queue.configure(settings -> settings.perKey(JOB_COUNT));
      }
    };
  }

  private void enqueue(EnqueueOptions options) {
    queue.enqueueAll(Collections.nCopies(JOB_COUNT, new NewJob(new byte[1], options)));
  }

  private List<Lease> claimAll() {
    return queue.claim(ClaimOptions.by("worker").max(JOB_COUNT));
  }

  private void makeDead() {
    enqueue(EnqueueOptions.DEFAULT);
    harness
        .queues()
        .failAll(claimAll(), "broken", FailOptions.PERMANENT)
        .forEach(result -> result.orThrow());
  }

  private long count(JobState state) {
    return queue.stats().orElseThrow().counts().get(state);
  }
}
