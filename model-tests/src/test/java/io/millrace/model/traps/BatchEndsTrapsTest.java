package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.api.StuckResult;
import io.millrace.api.UniqueKey;
import io.millrace.api.WaitResult;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way in which the last job of a batch ends, and what comes after it in the same commit. */
class BatchEndsTrapsTest extends BatchTrapTest {

  private static final UniqueKey KEY = UniqueKey.of("welcome:ada");

  private static final List<String> SUCCEEDED = List.of(DONE, ALL_SUCCEEDED);
  private static final List<String> DIED = List.of(DONE, ANY_DIED);
  private static final List<String> ONLY_DONE = List.of(DONE);

  /** The ways to end the last job, which is alone in the queue "mail" and ready. */
  enum End {
    COMPLETE("succeeded", SUCCEEDED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(claim(mail(harness)).complete()).isEqualTo(CompleteResult.COMPLETED);
      }
    },
    COMPLETE_WITH_RESULT_THAT_IS_KEPT("succeeded", SUCCEEDED) {
      @Override
      EnqueueOptions options() {
        return PLAIN.resultRetention(ofMinutes(10));
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(claim(mail(harness)).complete(new byte[9])).isEqualTo(CompleteResult.COMPLETED);
      }
    },
    COMPLETE_ALL("succeeded", SUCCEEDED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        completeAll(harness, mail(harness), 1);
      }
    },
    COMPLETE_IN_TRANSACTION("succeeded", SUCCEEDED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().inTransaction(tx -> tx.complete(lease)).orThrow()).isTrue();
      }
    },
    COMPLETE_THOUGH_CANCEL_WAS_REQUESTED("succeeded", SUCCEEDED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        assertThat(harness.queues().cancel(last)).isEqualTo(CancelResult.REQUESTED);
        assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
      }
    },
    FAIL_FOR_GOOD("dead", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(claim(mail(harness)).fail("broken", DEAD)).isInstanceOf(FailResult.Died.class);
      }
    },
    FAIL_OF_LAST_ATTEMPT("dead", DIED) {
      @Override
      EnqueueOptions options() {
        return AT_ONCE_AGAIN.maxAttempts(2);
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken").orThrow();
        assertNothingAfter(harness);
        assertThat(claim(mail(harness)).fail("again")).isInstanceOf(FailResult.Died.class);
      }
    },
    FAIL_ALL("dead", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(harness.queues().failAll(claim(mail(harness), 1), "broken", DEAD))
            .singleElement()
            .isInstanceOf(FailResult.Died.class);
      }
    },
    FAIL_IN_TRANSACTION("dead", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        harness.queues().transact(tx -> tx.fail(lease, "broken", DEAD)).orThrow();
      }
    },
    CLOSE_OF_THE_LEASE("dead", DIED) {
      @Override
      EnqueueOptions options() {
        return ONCE;
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).close();
        harness.poke();
      }
    },
    LEASE_EXPIRY_OF_LAST_ATTEMPT("dead", DIED) {
      @Override
      EnqueueOptions options() {
        return ONCE;
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness));
        harness.storeLeases();
        pass(harness, LEASE_OVER);
        awaitJob(harness, last, JobState.DEAD, 1);
      }
    },
    FAIL_STUCK("dead", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(claim(mail(harness)).waitFor("signal")).isEqualTo(WaitResult.WAITING);
        assertThat(harness.queues().admin().failStuck(last, "no")).isEqualTo(StuckResult.FAILED);
      }
    },
    CANCEL("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(harness.queues().cancel(last)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCEL_OF_A_JOB_THAT_WAITS_FOR_A_SIGNAL("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(claim(mail(harness)).waitFor("signal")).isEqualTo(WaitResult.WAITING);
        assertThat(harness.queues().cancelIfWaiting(last)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCEL_IN_TRANSACTION("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(harness.queues().transact(tx -> tx.cancel(last)).orThrow().get())
            .isEqualTo(CancelResult.CANCELLED);
      }
    },
    CANCEL_REQUESTED_AND_RELEASE("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        harness.queues().cancel(last).orThrow();
        assertNothingAfter(harness);
        assertThat(lease.release()).isEqualTo(ReleaseResult.CANCELLED);
      }
    },
    CANCEL_REQUESTED_AND_FAIL("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        harness.queues().cancel(last).orThrow();
        assertThat(lease.fail("broken", FailOptions.PERMANENT))
            .isEqualTo(new FailResult.Cancelled());
      }
    },
    CANCEL_REQUESTED_AND_TAKEN_AWAY("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness));
        harness.queues().cancel(last).orThrow();
        harness.queues().admin().release(last).orThrow();
      }
    },
    CANCEL_REQUESTED_AND_LEASE_EXPIRED("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness));
        harness.queues().cancel(last).orThrow();
        pass(harness, LEASE_OVER);
        await("the lease has ended", () -> harness.queues().get(last).isEmpty());
      }
    },
    CANCEL_REQUESTED_AND_CRASH("cancelled", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness));
        harness.queues().cancel(last).orThrow();
        harness.crash();
        assertThat(harness.queues().get(last)).isEmpty();
      }
    },
    TIME_TO_LIVE("expired", ONLY_DONE) {
      @Override
      EnqueueOptions options() {
        return PLAIN.timeToLive(ofMinutes(1));
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        pass(harness, ofMinutes(1));
        assertThat(harness.queues().get(last)).isEmpty();
      }
    },
    TIME_TO_LIVE_WHILE_CLOSED("expired", ONLY_DONE) {
      @Override
      EnqueueOptions options() {
        return PLAIN.timeToLive(ofMinutes(1)).delay(ofMinutes(9));
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        harness.engine().close();
        harness.clock().advanceMs(ofMinutes(1).toMillis());
        harness.openAgain();
        harness.awaitNothingDue();
        assertThat(harness.queues().get(last)).isEmpty();
      }
    },
    PURGE("purged", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(1);
      }
    },
    DELETE_OF_QUEUE("purged", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(mail(harness).delete()).isTrue();
        harness.awaitNothingDue();
      }
    },
    DELETE_OF_QUEUE_WHILE_LEASED("purged", ONLY_DONE) {
      @Override
      void end(EngineHarness harness, JobId last) {
        Lease lease = claim(mail(harness));
        assertThat(mail(harness).delete()).isTrue();
        assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
        harness.awaitNothingDue();
      }
    },
    REPLACED("cancelled", ONLY_DONE) {
      @Override
      EnqueueOptions options() {
        return PLAIN.unique(KEY);
      }

      @Override
      void end(EngineHarness harness, JobId last) {
        assertThat(mail(harness).enqueue(new byte[1], PLAIN.unique(KEY.replace())).replaced())
            .hasValue(last);
      }
    },
    DEAD_AND_DELETED("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        assertAnyDied(harness);
        assertThat(mail(harness).deadLetters().delete(last)).isTrue();
      }
    },
    DEAD_AND_ALL_DELETED("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        assertThat(mail(harness).deadLetters().deleteAll(DeadFilter.ALL)).isEqualTo(1);
      }
    },
    DEAD_AND_PURGED("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        assertThat(mail(harness).purge(Set.of(JobState.DEAD))).isEqualTo(1);
      }
    },
    DEAD_AND_CANCELLED("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        assertThat(harness.queues().cancelIfWaiting(last)).isEqualTo(CancelResult.CANCELLED);
      }
    },
    DEAD_AND_SWEPT("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        mail(harness).configure(settings -> settings.deadRetention(ofMinutes(1)));
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        pass(harness, ofMinutes(1));
        assertThat(harness.queues().get(last)).isEmpty();
      }
    },
    DEAD_AND_QUEUE_DELETED("failed", DIED) {
      @Override
      void end(EngineHarness harness, JobId last) {
        claim(mail(harness)).fail("broken", DEAD).orThrow();
        assertThat(mail(harness).delete()).isTrue();
        harness.awaitNothingDue();
      }
    };

    private final String counted;
    private final List<String> ready;

    End(String counted, List<String> ready) {
      this.counted = counted;
      this.ready = ready;
    }

    EnqueueOptions options() {
      return PLAIN;
    }

    abstract void end(EngineHarness harness, JobId last);

    /** A dead letter may be redriven, so that all jobs are completed in the end. */
    List<String> waiting() {
      return counted.equals("dead") ? List.of(ALL_SUCCEEDED) : List.of();
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void lastJob_ends_whatComesAfterIsReadyAtOnceAndAfterACrash(End end) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched().add(MAIL, job("last", end.options())));
    JobId last = onlyJob(harness, id);
    assertNothingAfter(harness);
    assertFigures(harness, id, "left=1 not over");

    end.end(harness, last);

    assertAfter(harness, end.ready, end.waiting());
    assertFigures(harness, id, end.counted + "=1 over");
    assertClean(harness);
    harness.crash();
    assertAfter(harness, end.ready, end.waiting());
    assertFigures(harness, id, end.counted + "=1 over");
    assertClean(harness);
    harness.losePower();
    assertAfter(harness, end.ready, end.waiting());
    assertFigures(harness, id, end.counted + "=1 over");
    assertClean(harness);
  }

  /** One that succeeded is of no help if the last did not, and the other way round. */
  @ParameterizedTest
  @EnumSource(End.class)
  void lastJob_endsAfterOthers_allOfThemCount(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id =
        begin(
            harness,
            watched()
                .add(OTHER, job("succeeds"))
                .add(OTHER, job("dies"))
                .add(MAIL, job("last", end.options())));
    JobQueue other = harness.queues().queue(OTHER);
    claim(other).complete().orThrow();
    claim(other).fail("broken", DEAD).orThrow();
    assertNothingAfter(harness);
    JobId last =
        jobs(harness, id).stream()
            .filter(job -> new String(job(harness.queues(), job).payload(), UTF_8).equals("last"))
            .findFirst()
            .orElseThrow();

    end(end, harness, last);

    assertAnyDied(harness);
    BatchStats stats = stats(harness, id);
    assertThat(stats.total()).isEqualTo(3);
    assertThat(stats.left()).isZero();
    assertThat(stats.isOver()).isTrue();
    assertThat(stats.hasSucceeded()).isFalse();
    assertClean(harness);
  }

  private static void end(End end, EngineHarness harness, JobId last) {
    end.end(harness, last);
  }

  /** Each of the stores, in the ways of an end that differ most. */
  @ParameterizedTest
  @CsvSource({
    "MEMORY, COMPLETE",
    "LMDB, COMPLETE",
    "ROCKSDB, COMPLETE",
    "LMDB, LEASE_EXPIRY_OF_LAST_ATTEMPT",
    "ROCKSDB, LEASE_EXPIRY_OF_LAST_ATTEMPT",
    "LMDB, DELETE_OF_QUEUE",
    "ROCKSDB, DELETE_OF_QUEUE",
    "LMDB, TIME_TO_LIVE_WHILE_CLOSED",
    "ROCKSDB, TIME_TO_LIVE_WHILE_CLOSED",
    "LMDB, DEAD_AND_SWEPT",
    "ROCKSDB, DEAD_AND_SWEPT"
  })
  void lastJob_ends_isTheSameOnEveryStore(StoreKind kind, End end) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched().add(MAIL, job("last", end.options())));

    end.end(harness, onlyJob(harness, id));

    harness.crash();
    assertAfter(harness, end.ready, end.waiting());
    assertFigures(harness, id, end.counted + "=1 over");
    harness.restartCleanly();
    assertAfter(harness, end.ready, end.waiting());
    assertClean(harness);
  }
}
