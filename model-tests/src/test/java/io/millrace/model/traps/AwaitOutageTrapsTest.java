package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.Submitted;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever waits for the end of a job is told no earlier than it is durable, and is told also when
 * the store fails or the engine is closed.
 */
@InProcess("what a store's faults do, whoever calls")
class AwaitOutageTrapsTest extends AwaitTrapTest {

  @Test
  void synced_end_isToldWhenTheSyncIsOver() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    Lease lease = claim(mail(harness));
    harness.store().holdNextSync();
    CompletableFuture<?> complete = lease.completeAsync();
    harness.store().awaitHeld();

    assertNotAnswered(harness, submitted.end());

    harness.store().letGo();
    join(complete);
    assertThat(end(submitted.end())).isEqualTo("completed []");
  }

  @Test
  void expiry_ofASyncedEngine_isSyncedAndToldThoughNobodyElseWaits() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1], ONCE);
    claim(mail(harness));
    harness.storeLeases();
    harness.store().holdNextSync();
    harness.clock().advanceMs(LEASE_OVER.toMillis());
    harness.store().awaitHeld();

    assertNotAnswered(harness, submitted.end());

    harness.store().letGo();
    assertThat(end(submitted.end()))
        .isEqualTo("died of lease expired: worker=worker, attempt=1 after 1");
  }

  @Test
  void end_inABatchThatTheStoreRefuses_isNotToldUntilItIsStored() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(lease::complete).isInstanceOf(StoreFullException.class);
    assertNotAnswered(harness, submitted.end());
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());

    lease.complete("at last".getBytes(UTF_8)).orThrow();

    assertThat(end(submitted.end())).isEqualTo("completed [at last]");
  }

  @Test
  void engine_closed_everyWaitEnds() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Submitted<byte[]> waiting = mail.submit(new byte[1]);
    Submitted<byte[]> leased = mail.submit(new byte[1], EnqueueOptions.DEFAULT.priority(9));
    claim(mail);

    harness.engine().close();

    for (Submitted<byte[]> submitted : List.of(waiting, leased)) {
      assertThatThrownBy(() -> join(submitted.end()))
          .isInstanceOf(EngineClosedException.class)
          .hasMessageStartingWith("engine was closed before the job's end was known");
    }
    assertThat(harness.engine().metrics().awaitCount()).isZero();
    assertThatThrownBy(() -> join(await(harness, waiting.jobId())))
        .isInstanceOf(EngineClosedException.class);
  }

  @Test
  void engine_closedWithASyncUnderWay_theEndIsTold() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    Lease lease = claim(mail(harness));
    harness.store().holdNextSync();
    CompletableFuture<?> complete = lease.completeAsync();
    harness.store().awaitHeld();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(harness.engine()::close);

    harness.store().letGo();

    join(closing);
    join(complete);
    assertThat(end(submitted.end())).isEqualTo("completed []");
  }

  /** Whether the batch that ended the job reached the store before that failed. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void end_inABatchOfUnknownOutcome_isToldAfterTheReopeningIfItHappened(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    Submitted<byte[]> other = mail(harness).submit(new byte[1]);
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> lease.complete("done".getBytes(UTF_8)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertNotAnswered(harness, submitted.end());

    harness.engine().reopen();

    if (fault == Fault.BEFORE) {
      assertNotAnswered(harness, submitted.end());
      lease.complete("done".getBytes(UTF_8)).orThrow();
    }
    assertThat(end(submitted.end())).isEqualTo("completed [done]");
    assertNotAnswered(harness, other.end());
    claim(mail(harness)).complete().orThrow();
    assertThat(end(other.end())).isEqualTo("completed []");
    awaitCount(harness, 0);
  }

  @ParameterizedTest
  @EachStoreKind
  void submit_ofUnknownOutcome_leavesNoWait(StoreKind kind) {
    EngineHarness harness = start(kind);
    Submitted<byte[]> before = mail(harness).submit(new byte[1]);
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> mail(harness).submit(new byte[1]))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    awaitCount(harness, 1);
    claim(mail(harness)).complete().orThrow();
    assertThat(end(before.end())).isEqualTo("completed []");
  }

  @Test
  void job_whoseRecordIsSetAside_isToldAsDamaged() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId lost = mail(harness).enqueue(new byte[100_000]).jobId();
    Submitted<byte[]> other = mail(harness).submit(new byte[1]);
    harness.engine().close();
    assertThatThrownBy(() -> join(other.end())).isInstanceOf(EngineClosedException.class);
    Path store = folder.resolve("store");
    harness.machine().flipBit(store, firstKey(harness, Keyspace.BLOB), 70);
    harness.openAgain();
    CompletableFuture<JobEnd<byte[]>> end = await(harness, lost);
    awaitCount(harness, 1);

    assertThatThrownBy(() -> mail(harness).claim(ClaimOptions.by("worker")))
        .isInstanceOf(CorruptDataException.class);

    assertThatThrownBy(() -> join(end))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage(
            "job's record is damaged and was set aside, so that it never ends: job="
                + lost
                + "; verify lists what is in quarantine");
    awaitCount(harness, 0);
  }

  private byte[] firstKey(EngineHarness harness, Keyspace keyspace) {
    StoreOptions options =
        StoreOptions.of(folder.resolve("store")).access(StoreOptions.Access.READ_ONLY);
    byte[][] first = new byte[1][];
    try (OrderedStore opened = harness.machine().open(options);
        ReadView view = opened.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          1,
          (key, value) -> {
            first[0] = key;
            return false;
          });
    }
    return first[0];
  }

  @Test
  void poisonedEngine_closed_everyWaitEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1]);
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> enqueue(mail(harness), "lost"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().close();

    assertThatThrownBy(() -> join(submitted.end())).isInstanceOf(EngineClosedException.class);
  }
}
