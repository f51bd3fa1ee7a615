package io.millrace.internal.transition;

import static io.millrace.internal.transition.SmallStore.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the store hears of a lease, and what it says until then. */
class LeaseRowsTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;

  private final SmallStore store = new SmallStore();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void claim_alone_needsNoCommit() {
    store.enqueue("job", PLAIN);
    long before = store.lastCommit();

    claim();

    assertThat(store.lastCommit()).isEqualTo(before);
    assertThat(store.count(JobState.LEASED)).isEqualTo(1);
    assertStored(1, 0, 0);
  }

  @Test
  void complete_beforeTheNextBatch_neverHasARow() {
    store.enqueue("job", PLAIN);
    Grant grant = claim();
    long before = store.lastCommit();

    assertThat(store.applyWithoutRows(new Complete(ref(grant))))
        .containsExactly(CompleteResult.COMPLETED);

    assertThat(store.lastCommit()).isEqualTo(before + 1);
    assertThat(store.rowCount(Keyspace.READY, Keyspace.LEASE)).isZero();
    assertStored(0, 0, 1);
  }

  @Test
  void nextBatch_ofAnotherJob_hasTheRow() {
    store.enqueue("job", PLAIN);
    claim();

    store.applyWithoutRows(enqueue());

    assertThat(store.rowCount(Keyspace.LEASE)).isEqualTo(1);
    assertStored(1, 1, 1);
  }

  @Test
  void nothingElseToWrite_rowWaitsFiveMilliseconds() {
    store.enqueue("job", PLAIN);
    claim();

    store.nowMs += 4;
    store.applyNothing();
    assertThat(store.rowCount(Keyspace.LEASE)).isZero();

    store.nowMs += 1;
    store.applyNothing();
    assertThat(store.rowCount(Keyspace.LEASE)).isEqualTo(1);
    assertStored(0, 1, 1);
  }

  @Test
  void batchWithoutTheRow_countsTheJobAsTheFirstReadyOne() {
    store.enqueue("first", PLAIN);

    Grant grant = store.applyWithoutRows(SmallStore.claimOf(1), enqueue()).get(0);

    assertStored(2, 0, 0);
    CountersRecord.ReadyRow line = store.storedCounts().ready()[0];
    assertThat(line.readyCount()).isEqualTo(2);
    assertThat(line.headSequence()).isEqualTo(grant.lease().readySequence());
  }

  @Test
  void batchThatNeverHappened_leaseIsWrittenWithTheNext() {
    store.enqueue("job", PLAIN);
    Grant grant = claim();
    store.state.leases().start(grant.lease(), Long.MAX_VALUE);

    store.applyInVain(enqueue());
    assertStored(1, 0, 0);

    store.look(LeaseRows::countUnwritten);
    assertThat(store.count(JobState.LEASED)).isEqualTo(1);
    assertThat(store.count(JobState.READY)).isZero();
    store.state.tally().commitBatch();
    assertThat(store.state.tally().operations()).containsEntry(Total.CLAIMED, 1L);
  }

  @Test
  void release_beforeTheNextBatch_batchKnowsThatItMadeTheJobReady() {
    store.enqueue("job", PLAIN);
    Grant grant = claim();

    store.look(
        change -> {
          store.apply(change, new Release(ref(grant)));
          byte[] key = LeaseKeys.key(grant.lease().queue(), grant.lease().birth());
          assertThat(change.batch().find(key)).isNotNegative();
        });
  }

  @Test
  void claim_timeToLive_hasItsRowAtOnce() {
    store.enqueue("job", PLAIN);
    store.enqueue("late", PLAIN.timeToLive(Duration.ofSeconds(9)));

    store.applyWithoutRows(SmallStore.claimOf(1), SmallStore.claimOf(1));

    assertThat(store.rowCount(Keyspace.LEASE)).as("and those before it").isEqualTo(2);
    assertThat(store.rowCount(Keyspace.TIMER)).isZero();
  }

  private static Enqueue enqueue() {
    return new Enqueue(SmallStore.MAIL, List.of(NewJob.of(new byte[1])));
  }

  private Grant claim() {
    return store.applyWithoutRows(SmallStore.claimOf(1)).get(0);
  }

  private void assertStored(long readyCount, long leasedCount, long claimedTotal) {
    CountersRecord counts = store.storedCounts();
    assertThat(counts.states()[JobState.READY.ordinal()]).as("ready").isEqualTo(readyCount);
    assertThat(counts.states()[JobState.LEASED.ordinal()]).as("leased").isEqualTo(leasedCount);
    assertThat(counts.totals()[Total.CLAIMED.ordinal()]).as("claimed").isEqualTo(claimedTotal);
  }
}
