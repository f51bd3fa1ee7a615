package io.millrace.model.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.Result;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs for which as much is kept as may be: what is read of it at a time is bounded by a batch, not
 * by how many signals and waits there are.
 */
@Timeout(120)
@Tag("thorough")
class LongInboxesTest {

  private static final int JOB_COUNT = 40;

  /** More than one batch of the narrowest store can remove. */
  private static final int MANY = 100;

  private static final int BATCH_BYTES_MAX = 1 << 20;
  private static final int OPERATION_COUNT_MAX = 131_072;
  private static final int CALL_MAX = 20;
  private static final int KEPT = Limits.INBOX_COUNT_MAX - 1;
  private static final int REAL_SECONDS_MAX = 60;
  private static final String NAME = "n".repeat(Limits.KEY_BYTES_MAX);
  private static final byte[] INSIDE = "p".repeat(InboxRecord.INSIDE_BYTES_MAX).getBytes(UTF_8);
  private static final byte[] LONGEST = "p".repeat(Limits.SIGNAL_BYTES_MAX).getBytes(UTF_8);

  @TempDir Path folder;

  private LimitedEngine start() {
    return new LimitedEngine(
        NarrowStore.factory(StoreKind.MEMORY.newFactory(), OPERATION_COUNT_MAX, BATCH_BYTES_MAX),
        folder.resolve("store"));
  }

  /** Jobs with all but one of the signals that may be kept for them. */
  private static List<JobId> withLongInboxes(LimitedEngine limited) {
    List<JobId> ids = ready(limited, JOB_COUNT);
    for (JobId id : ids) {
      List<JobId> often = Collections.nCopies(KEPT, id);
      assertThat(limited.engine().signals().signalAll(often, NAME, INSIDE))
          .containsOnly(SignalResult.KEPT);
    }
    return ids;
  }

  private static List<JobId> ready(LimitedEngine limited, int count) {
    return limited.queue(0).enqueueAll(Collections.nCopies(count, NewJob.of(new byte[1]))).stream()
        .map(enqueued -> enqueued.jobId())
        .toList();
  }

  private static long inboxBytes() {
    return (long) KEPT * (Limits.KEY_BYTES_MAX + InboxRecord.INSIDE_BYTES_MAX);
  }

  @Test
  void signals_forManyLongInboxes_areReadABatchAtATimeAndOnce() throws InterruptedException {
    try (LimitedEngine limited = start()) {
      List<JobId> ids = withLongInboxes(limited);
      long before = limited.harness().store().valueBytesRead();
      List<CompletableFuture<SignalResult>> sent = new ArrayList<>();

      limited.together(
          () ->
              ids.forEach(id -> sent.add(limited.engine().signals().signalAsync(id, NAME, INSIDE))),
          JOB_COUNT);

      sent.forEach(
          future -> assertThat(Await.join(future, REAL_SECONDS_MAX)).isEqualTo(SignalResult.KEPT));
      assertThat(limited.harness().store().valueBytesRead() - before)
          .isLessThan(inboxBytes() * JOB_COUNT * 3 / 2);
      assertThat(limited.engine().poison()).isEmpty();
      limited.assertClean();
    }
  }

  @Test
  void signals_forFullInboxes_areRefusedWithoutALookAtThem() {
    try (LimitedEngine limited = start()) {
      List<JobId> ids = withLongInboxes(limited);
      ids.forEach(
          id -> assertThat(limited.engine().signal(id, NAME, INSIDE)).isEqualTo(SignalResult.KEPT));
      long before = limited.harness().store().valueBytesRead();

      assertThat(limited.engine().signals().signalAll(ids, NAME, INSIDE))
          .hasSize(JOB_COUNT)
          .containsOnly(SignalResult.INBOX_FULL);

      assertThat(limited.harness().store().valueBytesRead() - before).isLessThan(inboxBytes());
    }
  }

  @Test
  void waits_withLongInboxes_areReadABatchAtATime() throws InterruptedException {
    try (LimitedEngine limited = start()) {
      withLongInboxes(limited);
      List<Lease> leases = limited.claim(0, JOB_COUNT);
      long before = limited.harness().store().valueBytesRead();
      List<CompletableFuture<WaitResult>> waits = new ArrayList<>();

      limited.together(
          () -> leases.forEach(lease -> waits.add(lease.waitForAsync(NAME))), JOB_COUNT);

      waits.forEach(
          wait -> assertThat(Await.join(wait, REAL_SECONDS_MAX)).isEqualTo(WaitResult.SIGNALLED));
      assertThat(limited.harness().store().valueBytesRead() - before)
          .isLessThan(inboxBytes() * JOB_COUNT * 3 / 2);
      limited.assertClean();
    }
  }

  /** How jobs are removed of which each has as many rows as it may: a batch takes few of them. */
  private enum Removal {
    PURGED {
      @Override
      void of(LimitedEngine limited, List<JobId> ids) {
        assertThat(limited.queue(0).purge(EnumSet.of(JobState.READY))).isEqualTo(MANY);
      }
    },
    DEAD_AND_SHOWN_BEFORE_THEY_GO {
      @Override
      void of(LimitedEngine limited, List<JobId> ids) {
        limited.queue(0).configure(settings -> settings.deadRetention(LimitedEngine.DELAY));
        limited
            .engine()
            .failAll(limited.claim(0, MANY), "no", FailOptions.PERMANENT)
            .forEach(Result::orThrow);
        limited.harness().clock().advanceMs(LimitedEngine.DELAY.toMillis() + 1);
        Await.until("all are gone", () -> limited.count(0, JobState.DEAD) == 0);
      }
    },
    EXPIRED_AND_CANCELLED {
      @Override
      void of(LimitedEngine limited, List<JobId> ids) {
        limited.claim(0, MANY);
        ids.forEach(id -> limited.engine().cancel(id).orThrow());
        limited.harness().clock().advanceMs(Duration.ofDays(2).toMillis());
        limited.harness().awaitNothingDue();
      }
    },
    COMPLETED_TOGETHER {
      @Override
      void of(LimitedEngine limited, List<JobId> ids) {
        List<Lease> leases = limited.claim(0, MANY);
        List<CompletableFuture<CompleteResult>> ends = new ArrayList<>();
        try {
          limited.together(() -> leases.forEach(lease -> ends.add(lease.completeAsync())), MANY);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        ends.forEach(
            end ->
                assertThat(Await.join(end, REAL_SECONDS_MAX)).isEqualTo(CompleteResult.COMPLETED));
      }
    },
    QUEUE_DELETED {
      @Override
      void of(LimitedEngine limited, List<JobId> ids) {
        limited.queue(0).delete();
        limited.harness().awaitNothingDue();
      }
    };

    abstract void of(LimitedEngine limited, List<JobId> ids);
  }

  @ParameterizedTest
  @EnumSource(Removal.class)
  void end_ofManyJobsWithManyLongSignals_leavesNoRow(Removal removal) {
    try (LimitedEngine limited =
        new LimitedEngine(
            NarrowStore.factory(
                StoreKind.MEMORY.newFactory(), StoreInfo.BATCH_OPERATIONS_LEAST, 8 << 20),
            folder.resolve("store"),
            options -> options.retentionListener(job -> {}))) {
      List<JobId> ids = ready(limited, MANY);
      for (JobId id : ids) {
        assertThat(
                limited.engine().signals().signalAll(Collections.nCopies(KEPT, id), "go", LONGEST))
            .containsOnly(SignalResult.KEPT);
      }

      removal.of(limited, ids);

      assertThat(limited.engine().poison()).isEmpty();
      try (ReadView view = limited.harness().store().read()) {
        int rows =
            view.scan(
                Keyspace.SIGNAL.start(),
                Keyspace.SIGNAL.end(),
                Integer.MAX_VALUE,
                (key, value) -> true);
        assertThat(rows).isZero();
      }
      limited.assertClean();
    }
  }

  @Test
  void signalAll_whatIsKeptIsLargerThanABatch_isRefusedWholeAndGoesThroughInParts() {
    try (LimitedEngine limited = start()) {
      List<JobId> ids = withLongInboxes(limited);
      long before = limited.harness().store().valueBytesRead();

      assertThatThrownBy(() -> limited.engine().signals().signalAll(ids, NAME, INSIDE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("call is too large for one commit of this store")
          .hasMessageContaining("nothing happened, give fewer or smaller jobs in a call");

      assertThat(limited.harness().store().valueBytesRead() - before)
          .isLessThan(3L * BATCH_BYTES_MAX);
      assertThat(limited.engine().signals().signalAll(ids.subList(0, CALL_MAX / 2), NAME, INSIDE))
          .containsOnly(SignalResult.KEPT);
      limited.assertClean();
    }
  }
}
