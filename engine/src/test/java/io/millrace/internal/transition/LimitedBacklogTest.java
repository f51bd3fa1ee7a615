package io.millrace.internal.transition;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.internal.state.ShutKeys;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.queue.Configure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a claim reads does not grow with the ready jobs whose concurrency keys have no token. Rows
 * are counted.
 */
@Tag("slow")
class LimitedBacklogTest {

  private static final int JOB_COUNT = 100_000;
  private static final int CALL_COUNT = 10_000;
  private static final RateLimit ONE_A_MINUTE = RateLimit.of(1, Duration.ofMinutes(1));

  /** Rows that one claim may read: those of a walk, a page more, and those of a refill. */
  private static final int ROWS_PER_BATCH = OpenBatch.WALK_ROWS_MAX + 3 * 1_024;

  /** Rows that a claim reads for each job that was put aside before. */
  private static final int ROWS_PER_JOB = 4;

  private final TransitionRig rig = new TransitionRig(32 << 20);
  private long rowsMax;

  @AfterEach
  void close() {
    rig.close();
  }

  private void configure(int perKey) {
    rig.configure(QueueSettings.DEFAULT.perKey(perKey).rateLimitPerKey(ONE_A_MINUTE));
  }

  private void enqueue(int count, IntFunction<String> key) {
    for (int from = 0; from < count; from += CALL_COUNT) {
      List<NewJob> jobs =
          IntStream.range(from, Math.min(count, from + CALL_COUNT))
              .mapToObj(key)
              .map(it -> new NewJob(new byte[0], EnqueueOptions.DEFAULT.concurrencyKey(it)))
              .collect(toList());
      rig.apply(new Enqueue(TransitionRig.MAIL, jobs));
    }
  }

  private List<Grant> claim(int max) {
    Claim claim = TransitionRig.claimOf(max);
    List<Grant> grants = Claim.UNFINISHED;
    while (grants == Claim.UNFINISHED) {
      long before = rig.rowsRead();
      grants = rig.apply(claim);
      rowsMax = Math.max(rowsMax, rig.rowsRead() - before);
    }
    return grants;
  }

  private void finish(List<Grant> grants) {
    rig.apply(new Complete(grants.stream().map(TransitionRig::ref).toList()));
  }

  /** Answers how many rows were read. */
  private long claimOneWithoutKey() {
    rig.enqueue("free");
    long before = rig.rowsRead();
    List<Grant> grants = claim(10);
    assertThat(grants).hasSize(1);
    assertThat(grants.get(0).job().concurrencyKey()).isNull();
    return rig.rowsRead() - before;
  }

  @Test
  void claim_manyKeysWithoutToken_walksOverTheirJobsOnceAndInParts() {
    configure(1);
    enqueue(JOB_COUNT, number -> "key " + number);
    for (int i = 0; i < JOB_COUNT; i += CALL_COUNT) {
      List<Grant> grants = new ArrayList<>(claim(CALL_COUNT));
      assertThat(grants).hasSize(CALL_COUNT);
      finish(grants);
    }
    enqueue(JOB_COUNT, number -> "key " + number);
    rig.unload();
    rowsMax = 0;

    long first = claimOneWithoutKey();
    long others = 0;
    for (int i = 0; i < 100; i++) {
      others += claimOneWithoutKey();
    }

    assertThat(first).isBetween((long) JOB_COUNT, JOB_COUNT + JOB_COUNT / 10L);
    assertThat(rowsMax).isLessThan(ROWS_PER_BATCH);
    assertThat(others).isLessThan(100 * ROWS_PER_JOB);
    assertThat(rig.state.rates().size()).isEqualTo(JOB_COUNT);
    rig.nowMs += 60_000;
    long before = rig.rowsRead();
    assertThat(claim(1_000)).hasSize(1_000);
    assertThat(rig.rowsRead() - before).isLessThan(1_000 * ROWS_PER_JOB);
  }

  @Test
  void claim_manyJobsOfAKeyWithoutToken_readsOneForEachToken() {
    configure(1_000_000);
    enqueue(JOB_COUNT, number -> "key");

    assertThat(claim(10)).hasSize(1);
    assertThat(claim(10)).isEmpty();
    long before = rig.rowsRead();
    for (int i = 0; i < 100; i++) {
      assertThat(claim(10)).isEmpty();
      rig.nowMs += 60_000;
      assertThat(claim(10)).hasSize(1);
    }

    assertThat(rig.rowsRead() - before).isLessThan(100 * ROWS_PER_JOB);
    assertThat(rowsMax).isLessThan(ROWS_PER_BATCH);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void claim_manyJobsOfARateOverAllQueuesWithoutToken_readsOneForEachToken() {
    EnqueueOptions relay = EnqueueOptions.DEFAULT.engineRateLimit("relay", ONE_A_MINUTE);
    for (int from = 0; from < JOB_COUNT; from += CALL_COUNT) {
      List<NewJob> jobs = Collections.nCopies(CALL_COUNT, new NewJob(new byte[0], relay));
      rig.apply(new Enqueue(TransitionRig.MAIL, jobs));
    }

    assertThat(claim(10)).hasSize(1);
    assertThat(claimOneWithoutKey()).isLessThan(JOB_COUNT + JOB_COUNT / 10L);
    long others = 0;
    for (int i = 0; i < 100; i++) {
      others += claimOneWithoutKey();
    }
    assertThat(others).isLessThan(100 * ROWS_PER_JOB);
    long before = rig.rowsRead();
    for (int i = 0; i < 100; i++) {
      assertThat(claim(10)).isEmpty();
      rig.nowMs += 60_000;
      assertThat(claim(10)).hasSize(1);
    }

    assertThat(rig.rowsRead() - before).isLessThan(100 * ROWS_PER_JOB);
    assertThat(rowsMax).isLessThan(ROWS_PER_BATCH);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void claim_asManyPutAsideAsCanBe_looksFurtherWhenSomeHaveGone() {
    configure(1_000_000);
    enqueue(ShutKeys.COUNT_MAX + 2, number -> "key");
    assertThat(claim(10)).hasSize(1);
    rig.enqueue("free");

    assertThat(claim(10)).isEmpty();
    rig.nowMs += 60_000;

    assertThat(claim(10))
        .extracting(grant -> grant.job().concurrencyKey() == null)
        .containsExactly(false, true);
  }

  @Test
  void buckets_fullAgain_areForgotten() {
    configure(1);
    enqueue(CALL_COUNT, number -> "key " + number);
    finish(claim(CALL_COUNT));
    assertThat(rig.state.rates().size()).isEqualTo(CALL_COUNT);

    rig.nowMs += 60_000;
    for (int i = 0; i < 20; i++) {
      rig.state.rates().lookAt(1_000, rig.nowMs);
      rig.applyNothing();
    }

    assertThat(rig.state.rates().size()).isZero();
  }

  @Test
  void claim_inABatchThatNeverHappens_takesNoToken() {
    rig.configure(
        QueueSettings.DEFAULT.rateLimit(ONE_A_MINUTE).perKey(9).rateLimitPerKey(ONE_A_MINUTE));
    enqueue(3, number -> "key");

    assertThat(rig.applyInVain(TransitionRig.claimOf(5))).hasSize(1);

    assertThat(claim(5)).hasSize(1);
    assertThat(claim(5)).isEmpty();
  }

  @Test
  void limitChanged_inABatchThatNeverHappens_changesNoBucket() {
    rig.configure(QueueSettings.DEFAULT.rateLimit(ONE_A_MINUTE));
    enqueue(3, number -> "key " + number);
    assertThat(claim(5)).hasSize(1);
    QueueSettings held = rig.mail().settings();

    rig.applyInVain(Configure.settings(TransitionRig.MAIL, held, held.noRateLimit()));
    rig.nowMs += 59_999;

    assertThat(claim(5)).isEmpty();
    rig.nowMs += 1;
    assertThat(claim(5)).hasSize(1);
  }

  @Test
  void claim_openedKeyInFrontOfManyThatWait_isServedAtOnce() {
    configure(1_000_000);
    enqueue(2, number -> "first");
    enqueue(2, number -> "second");
    assertThat(claim(10)).hasSize(2);
    rig.nowMs += 30_000;
    enqueue(3, number -> "late");
    assertThat(claim(10)).hasSize(1);
    rig.nowMs += 30_000;
    enqueue(CALL_COUNT, number -> "late");

    assertThat(rig.apply(TransitionRig.claimOf(1))).hasSize(1);
  }
}
