package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.claimOf;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.lease.Release;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the store hears of a lease, and what it says until then. */
class LeaseRowsTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void claim_alone_needsNoCommit() {
    rig.enqueue("job", PLAIN);
    long before = rig.lastCommit();

    claim();

    assertThat(rig.lastCommit()).isEqualTo(before);
    assertThat(rig.count(JobState.LEASED)).isEqualTo(1);
    assertStored(1, 0, 0);
  }

  @Test
  void complete_beforeTheNextBatch_neverHasARow() {
    rig.enqueue("job", PLAIN);
    Grant grant = claim();
    long before = rig.lastCommit();

    assertThat(rig.applyWithoutRows(new Complete(refs(grant))))
        .containsExactly(CompleteResult.COMPLETED);

    assertThat(rig.lastCommit()).isEqualTo(before + 1);
    assertThat(rig.rowCount(Keyspace.READY, Keyspace.LEASE)).isZero();
    assertStored(0, 0, 1);
  }

  @Test
  void nextBatch_ofAnotherJob_hasTheRow() {
    rig.enqueue("job", PLAIN);
    claim();

    rig.applyWithoutRows(enqueue());

    assertThat(rig.rowCount(Keyspace.LEASE)).isEqualTo(1);
    assertStored(1, 1, 1);
  }

  @Test
  void nothingElseToWrite_rowWaitsFiveMilliseconds() {
    rig.enqueue("job", PLAIN);
    claim();

    rig.nowMs += 4;
    rig.applyNothing();
    assertThat(rig.rowCount(Keyspace.LEASE)).isZero();

    rig.nowMs += 1;
    rig.applyNothing();
    assertThat(rig.rowCount(Keyspace.LEASE)).isEqualTo(1);
    assertStored(0, 1, 1);
  }

  @Test
  void batchWithoutTheRow_countsTheJobAsTheFirstReadyOne() {
    rig.enqueue("first", PLAIN);

    Grant grant = rig.applyWithoutRows(claimOf(1), enqueue()).get(0);

    assertStored(2, 0, 0);
    CountersRecord.ReadyRow line = rig.storedCounts().ready()[0];
    assertThat(line.readyCount()).isEqualTo(2);
    assertThat(line.headSequence()).isEqualTo(grant.lease().readySequence());
  }

  @Test
  void batchThatNeverHappened_leaseIsWrittenWithTheNext() {
    rig.enqueue("job", PLAIN);
    Grant grant = claim();
    rig.state.leases().start(grant.lease(), Long.MAX_VALUE);

    rig.applyInVain(enqueue());
    assertStored(1, 0, 0);

    rig.look(LeaseRows::recount);
    assertThat(rig.count(JobState.LEASED)).isEqualTo(1);
    assertThat(rig.count(JobState.READY)).isZero();
    rig.state.totals().commitBatch();
    assertThat(rig.state.totals().operations()).containsEntry(Total.CLAIMED, 1L);
  }

  @Test
  void release_beforeTheNextBatch_batchKnowsThatItMadeTheJobReady() {
    rig.enqueue("job", PLAIN);
    Grant grant = claim();

    rig.look(
        batch -> {
          rig.applyTo(batch, new Release(refs(grant)), Durability.SYNCED);
          byte[] key = LeaseKeys.key(grant.lease().queue(), grant.lease().birth());
          assertThat(batch.writes().find(key)).isNotNegative();
        });
  }

  @Test
  void claim_timeToLive_hasItsRowAtOnce() {
    rig.enqueue("job", PLAIN);
    rig.enqueue("late", PLAIN.timeToLive(Duration.ofSeconds(9)));

    rig.applyWithoutRows(claimOf(1), claimOf(1));

    assertThat(rig.rowCount(Keyspace.LEASE)).as("and those before it").isEqualTo(2);
    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
  }

  private static Enqueue enqueue() {
    return new Enqueue(MAIL, List.of(NewJob.of(new byte[1])));
  }

  private Grant claim() {
    return rig.applyWithoutRows(claimOf(1)).get(0);
  }

  private void assertStored(long readyCount, long leasedCount, long claimedTotal) {
    CountersRecord counts = rig.storedCounts();
    assertThat(counts.states()[JobState.READY.ordinal()]).as("ready").isEqualTo(readyCount);
    assertThat(counts.states()[JobState.LEASED.ordinal()]).as("leased").isEqualTo(leasedCount);
    assertThat(counts.totals()[Total.CLAIMED.ordinal()]).as("claimed").isEqualTo(claimedTotal);
  }
}
