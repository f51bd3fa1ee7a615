package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Submitted;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Whoever waits for the end of a job is told how it ended: once, and always. */
@Tag("calls")
class AwaitTrapsTest extends AwaitTrapTest {

  /** How a job comes to its end, and what whoever waits is told. */
  enum Course {
    COMPLETED("completed []") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness)).complete().orThrow();
      }
    },
    COMPLETED_WITH_RESULT("completed [sent]") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness)).complete("sent".getBytes(UTF_8)).orThrow();
      }
    },
    COMPLETED_AND_KEPT("completed [kept]") {
      @Override
      void go(EngineHarness harness, JobId id) {
        mail(harness).configure(settings -> settings.resultRetention(ofSeconds(900)));
        claim(mail(harness)).complete("kept".getBytes(UTF_8)).orThrow();
      }
    },
    FAILED_FOR_GOOD("died of broken after 1") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
      }
    },
    OUT_OF_ATTEMPTS("died of broken again after 2") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness)).fail("broken").orThrow();
        advance(harness, ofSeconds(9));
        awaitJob(harness, id, JobState.READY, 1);
        claim(mail(harness)).fail("broken again").orThrow();
      }
    },
    LEASES_RAN_OUT("died of lease expired: worker=worker, attempt=2 after 2") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness));
        advance(harness, LEASE_OVER);
        awaitJob(harness, id, JobState.READY, 1);
        claim(mail(harness));
        advance(harness, LEASE_OVER);
      }
    },
    CANCELLED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCEL_REQUESTED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        lease.fail("broken").orThrow();
      }
    },
    CANCEL_REQUESTED_AND_EXPIRED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        advance(harness, LEASE_OVER);
      }
    },
    CANCEL_REQUESTED_BUT_COMPLETED("completed []") {
      @Override
      void go(EngineHarness harness, JobId id) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        lease.complete().orThrow();
      }
    },
    NOT_STARTED_IN_TIME("dropped") {
      @Override
      void go(EngineHarness harness, JobId id) {
        advance(harness, ofSeconds(3_600));
      }
    },
    PURGED_READY("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        mail(harness).purge(EnumSet.of(JobState.READY));
      }
    },
    PURGED_DELAYED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness)).fail("broken").orThrow();
        mail(harness).purge(EnumSet.of(JobState.DELAYED));
      }
    },
    QUEUE_DELETED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        mail(harness).delete();
      }
    },
    QUEUE_DELETED_WHILE_LEASED("cancelled") {
      @Override
      void go(EngineHarness harness, JobId id) {
        claim(mail(harness));
        mail(harness).delete();
      }
    };

    private final String told;

    Course(String told) {
      this.told = told;
    }

    abstract void go(EngineHarness harness, JobId id);
  }

  private void assertTold(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (Course course : Course.values()) {
      EnqueueOptions options =
          course == Course.NOT_STARTED_IN_TIME ? TWICE.timeToLive(ofSeconds(5)) : TWICE;
      Submitted<byte[]> submitted = mail(harness).submit("job".getBytes(UTF_8), options);
      CompletableFuture<JobEnd<byte[]>> second = await(harness, submitted.jobId());
      CompletableFuture<JobEnd<byte[]>> third = await(harness, submitted.jobId());

      awaitCount(harness, 3);

      course.go(harness, submitted.jobId());

      assertThat(end(submitted.end())).as(course.name()).isEqualTo(course.told);
      assertThat(end(second)).as(course.name()).isEqualTo(course.told);
      assertThat(end(third)).as(course.name()).isEqualTo(course.told);
      mail(harness).delete();
    }
    harness.awaitNothingDue();
    assertThat(harness.engine().metrics().awaitCount()).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void job_thatEnds_allWhoWaitAreToldHow(StoreKind kind) {
    assertTold(kind);
  }

  @ParameterizedTest
  @EachStoreKind
  void job_thatHasEnded_isToldAtOnceIfAnythingOfItIsKept(StoreKind kind) {
    EngineHarness harness = start(kind);
    mail(harness).configure(settings -> settings.resultRetention(ofSeconds(900)));
    JobId kept = enqueue(mail(harness), "kept");
    claim(mail(harness)).complete("result".getBytes(UTF_8)).orThrow();
    JobId dead = enqueue(mail(harness), "dead", ONCE);
    claim(mail(harness)).fail("broken").orThrow();
    JobId gone = enqueue(mail(harness), "gone");
    harness.queues().cancel(gone).orThrow();
    JobId none = new JobId(0, 1);

    assertThat(end(await(harness, kept))).isEqualTo("completed [result]");
    assertThat(end(await(harness, dead))).isEqualTo("died of broken after 1");
    assertThat(end(await(harness, gone))).isEqualTo("gone");
    assertThat(end(await(harness, none))).isEqualTo("gone");
    assertThat(harness.engine().metrics().awaitCount()).isZero();
  }

  @Test
  void attempts_thatDoNotEndTheJob_tellNobody() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1], TWICE);
    claim(mail(harness)).release().orThrow();
    claim(mail(harness)).snooze(ofSeconds(1)).orThrow();
    advance(harness, ofSeconds(1));
    awaitJob(harness, submitted.jobId(), JobState.READY, 0);
    claim(mail(harness)).fail("broken").orThrow();
    advance(harness, ofSeconds(9));
    awaitJob(harness, submitted.jobId(), JobState.READY, 1);
    assertNotAnswered(harness, submitted.end());

    claim(mail(harness)).complete().orThrow();

    assertThat(end(submitted.end())).isEqualTo("completed []");
  }

  @Test
  void deadJob_redriven_wasToldAsDeadAndIsWaitedForAnew() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1], ONCE);
    claim(mail(harness)).fail("broken").orThrow();
    mail(harness).deadLetters().redrive(submitted.jobId()).orThrow();
    CompletableFuture<JobEnd<byte[]>> again = await(harness, submitted.jobId());

    claim(mail(harness)).complete().orThrow();

    assertThat(end(submitted.end())).isEqualTo("died of broken after 1");
    assertThat(end(again)).isEqualTo("completed []");
  }

  @Test
  void result_ofManyWhoWait_isEachOnesOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    CompletableFuture<JobEnd<byte[]>> other = await(harness, submitted.jobId());
    awaitCount(harness, 2);

    claim(mail(harness)).complete(new byte[] {7}).orThrow();

    ((JobEnd.Completed<byte[]>) join(submitted.end())).result()[0] = 8;
    assertThat(((JobEnd.Completed<byte[]>) join(other)).result()).containsExactly(7);
  }

  @Test
  void id_thatDiffersFromTheJobsOwn_isGone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    JobId forged = new JobId(id.high() ^ 1L << 16, id.low());
    assertThat(end(await(harness, forged))).isEqualTo("gone");
    claim(mail(harness));

    assertThat(end(await(harness, forged))).isEqualTo("gone");
  }

  @Test
  void waits_thatAreGivenUp_leaveNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId first = enqueue(mail(harness), "first");
    JobId second = enqueue(mail(harness), "second");
    List<CompletableFuture<JobEnd<byte[]>>> waits = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      waits.add(await(harness, i % 3 == 0 ? first : second));
    }
    awaitCount(harness, 1_000);
    CompletableFuture<JobEnd<byte[]>> kept = waits.remove(500);
    Collections.shuffle(waits, new Random(7));

    waits.forEach(wait -> wait.cancel(false));

    awaitCount(harness, 1);
    claim(mail(harness), 2).forEach(lease -> lease.complete().orThrow());
    assertThat(end(kept)).isEqualTo("completed []");
    awaitCount(harness, 0);
    assertThat(waits).allMatch(CompletableFuture::isCancelled);
  }

  @Test
  void wait_givenUpBeforeTheLoopKnowsOfIt_leavesNothing() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "job");
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        harness.queues().queue("other").enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    assertThat(await(harness, id).cancel(false)).isTrue();

    harness.store().letGo();
    join(blocker);
    awaitCount(harness, 0);
  }

  @Test
  void waits_beyondTheLimit_areRefusedAndASubmitEnqueuesNothing() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).awaitCountMax(2));
    JobId id = enqueue(mail(harness), "job");
    CompletableFuture<JobEnd<byte[]>> first = await(harness, id);
    CompletableFuture<JobEnd<byte[]>> second = await(harness, id);
    String told =
        "too many ends of jobs are awaited: awaitCountMax=2; nothing happened, cancel futures that"
            + " nobody needs, or raise awaitCountMax";

    assertThatThrownBy(() -> join(await(harness, id)))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(told);
    assertThatThrownBy(() -> mail(harness).submit(new byte[1]))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(told);

    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
    first.cancel(false);
    assertThat(mail(harness).submit(new byte[1]).end()).isNotDone();
    claim(mail(harness)).complete().orThrow();
    assertThat(end(second)).isEqualTo("completed []");
  }

  @Test
  void submit_refusedByTheQueue_leavesNoWait() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.depthMax(1));
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);

    assertThatThrownBy(() -> mail(harness).submit(new byte[1]))
        .isInstanceOf(EnqueueRefusedException.class);
    assertThatThrownBy(() -> join(mail(harness).submitAsync(new byte[1], EnqueueOptions.DEFAULT)))
        .isInstanceOf(EnqueueRefusedException.class);

    awaitCount(harness, 1);
    claim(mail(harness)).complete().orThrow();
    assertThat(end(submitted.end())).isEqualTo("completed []");
  }

  @Test
  void submit_whileAClaimWaits_endIsNotMissed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 200; i++) {
      CompletableFuture<?> worker =
          mail(harness)
              .claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(9)))
              .thenCompose(leases -> leases.get(0).completeAsync());

      Submitted<byte[]> submitted =
          join(mail(harness).submitAsync(new byte[1], EnqueueOptions.DEFAULT));

      assertThat(end(submitted.end())).isEqualTo("completed []");
      join(worker);
    }
    awaitCount(harness, 0);
  }

  @Test
  void futures_userCodeThatThrows_harmsNoOtherWait() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Submitted<byte[]> first = mail(harness).submit(new byte[1]);
    Submitted<byte[]> second = mail(harness).submit(new byte[1]);
    CompletableFuture<Void> thrown =
        first
            .end()
            .thenAccept(
                end -> {
                  throw new CancellationException("the user's own");
                });

    claim(mail(harness), 2).forEach(lease -> lease.complete().orThrow());

    assertThat(end(second.end())).isEqualTo("completed []");
    assertThatThrownBy(thrown::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("the user's own");
  }
}
