package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.SignalResult;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.Cost;
import io.millrace.internal.transition.job.SendSignal;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.TransactionPart;
import io.millrace.internal.transition.transact.Verdict;
import io.millrace.spi.ReadView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Signals in transactions, to jobs for which many are kept: each rewrites the names of all. */
class TransactSignalsTest {

  private static final byte[] LONGEST = "n".repeat(Limits.KEY_BYTES_MAX).getBytes(UTF_8);
  private static final int KEPT_COUNT = Limits.INBOX_COUNT_MAX - 1;
  private static final int FILLER_BYTES = 20_000;

  /** What one such inbox takes, and no second one beside it. */
  private static final Cost INBOX =
      new Cost(
          2,
          (long) Limits.INBOX_COUNT_MAX * (Limits.KEY_BYTES_MAX + InboxRecord.INSIDE_BYTES_MAX + 10)
              + FILLER_BYTES);

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static SendSignal signal(JobId job) {
    return new SendSignal(List.of(job), LONGEST, new byte[InboxRecord.INSIDE_BYTES_MAX]);
  }

  private JobId jobWithLongInbox() {
    JobId job = rig.enqueue("job");
    for (int i = 0; i < KEPT_COUNT; i++) {
      assertThat(rig.apply(signal(job))).containsExactly(SignalResult.KEPT);
    }
    return job;
  }

  @Test
  void apply_batchHasRoomForOneInboxOfTwo_isForTheNextBatch() {
    List<JobId> jobs = List.of(jobWithLongInbox(), jobWithLongInbox());
    List<TransactionPart> parts =
        jobs.stream().<TransactionPart>map(job -> new TransactionPart.OnJob(signal(job))).toList();
    Transact both = new Transact(parts, List.of());

    try (ReadView view = rig.store.read()) {
      OpenBatch batch = rig.begin(view);
      for (int i = 0; batch.hasRoomFor(both.cost().plus(INBOX)); i++) {
        batch.put(
            new byte[] {Keyspace.META.code(), (byte) (i >> 8), (byte) i}, new byte[FILLER_BYTES]);
      }
      int before = batch.writes().size();

      assertThatThrownBy(() -> rig.applyTo(batch, both, Durability.SYNCED))
          .isInstanceOf(OutOfRoomException.class);
      assertThat(batch.writes().size()).isEqualTo(before);
      rig.state.undoBatch();
    }

    assertThat(rig.apply(both))
        .isEqualTo(new Verdict.Done(List.of(SignalResult.KEPT, SignalResult.KEPT)));
    assertThat(rig.problems()).isEmpty();
  }
}
