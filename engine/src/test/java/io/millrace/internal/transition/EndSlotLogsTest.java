package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.CleanStop;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.upkeep.EndSlotLogs;
import io.millrace.internal.transition.upkeep.OpenStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreException;
import io.millrace.spi.testkit.ForwardingView;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Stores of older versions, which logged counts of many concurrency keys in rows of their own: the
 * keys' own rows are of before, until all are counted anew.
 */
final class EndSlotLogsTest {

  private static final QueueName CALLS = QueueName.of("calls");

  /** More than half of a narrow batch has room for. */
  private static final int MANY = 3_000;

  private TransitionRig rig = new TransitionRig();
  private int openings;

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  /** A view of which the line of ready jobs cannot be read. */
  private static final class LineUnread extends ForwardingView {

    LineUnread(ReadView view) {
      super(view);
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      if (startInclusive[0] == Keyspace.READY.code()) {
        throw new StoreException("rows cannot be read");
      }
      return super.scan(startInclusive, endExclusive, size, visitor);
    }
  }

  private static NewJob job(int key) {
    return new NewJob(
        ("job " + key).getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("key " + key));
  }

  private void enqueue(QueueName queue, int from, int to) {
    rig.apply(
        new Enqueue(queue, IntStream.range(from, to).mapToObj(EndSlotLogsTest::job).toList()));
  }

  private void complete(List<Grant> leases) {
    rig.apply(new Complete(leases.stream().map(TransitionRig::ref).toList()));
  }

  private byte[] slotKey(QueueName queue, int key) {
    return SlotKeys.key(rig.number(queue), ("key " + key).getBytes(UTF_8));
  }

  private static byte[] logKey(int queue) {
    byte[] key = Keyspace.SLOT.queueStart(queue);
    byte[] log = new byte[key.length + 9];
    System.arraycopy(key, 0, log, 0, key.length);
    Bytes.putLong(log, key.length + 1, 7);
    return log;
  }

  /** Makes the store one of an older version, in which the queue has a row of a log. */
  private byte[] log(QueueName queue) {
    byte[] log = logKey(rig.number(queue));
    rig.put(log, new SlotRecord(1, 0).encode(log));
    rig.put(MetaKeys.CLEAN_STOP, new CleanStop(true, 0, false).encode());
    return log;
  }

  private void putStale(QueueName queue, int key, SlotRecord counts) {
    byte[] slotKey = slotKey(queue, key);
    rig.put(slotKey, counts.encode(slotKey));
  }

  /** Opens the store without a look for logs. */
  private void takeOver() {
    rig.unload();
    openings++;
    rig.apply(new OpenStore(rig.store.epoch() + openings));
  }

  private void open() {
    takeOver();
    if (rig.state.slots().logsFrom() != null) {
      while (rig.apply(new EndSlotLogs())) {
        // The next step.
      }
    }
  }

  private long logRows() {
    return rig.keys(Keyspace.SLOT).stream().filter(SlotKeys::isOfLog).count();
  }

  /** Of four keys two have jobs, and each own row says something of before. */
  private byte[] staleRows() {
    enqueue(MAIL, 0, 2);
    enqueue(MAIL, 0, 1);
    rig.remove(slotKey(MAIL, 0));
    putStale(MAIL, 1, new SlotRecord(1, 5));
    putStale(MAIL, 2, new SlotRecord(1, 0));
    return log(MAIL);
  }

  @Test
  void open_ownRowsOfBefore_areCountedAnew() {
    staleRows();

    open();

    assertThat(rig.problems()).isEmpty();
    assertThat(rig.keys(Keyspace.SLOT)).containsExactly(slotKey(MAIL, 0), slotKey(MAIL, 1));
    enqueue(MAIL, 0, 3);
    assertThat(rig.payloads(JobState.READY)).containsExactly("job 0", "job 1", "job 2");
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(3);
    complete(rig.claim(3));
    assertThat(rig.payloads(JobState.READY)).containsExactly("job 0", "job 1");
  }

  @Test
  void open_noStepWasMadeYet_noOwnRowIsTrusted() {
    staleRows();
    takeOver();

    enqueue(MAIL, 0, 3);

    assertThat(rig.payloads(JobState.READY)).containsExactly("job 0", "job 1", "job 2");
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(3);
    open();
  }

  @Test
  void steps_severalQueues_goOnAfterAStopInBetween() {
    staleRows();
    enqueue(CALLS, 0, 2);
    rig.remove(slotKey(CALLS, 1));
    log(CALLS);
    takeOver();

    rig.apply(new EndSlotLogs());
    assertThat(logRows()).isEqualTo(1);
    assertThat(rig.problems()).isEmpty();
    open();

    assertThat(logRows()).isZero();
    enqueue(CALLS, 1, 2);
    assertThat(rig.rowCount(Keyspace.BLOCKED)).isEqualTo(2);
  }

  @Test
  void steps_moreKeysThanABatchHasRoomFor_logStaysUntilAllAreRight() {
    rig.close();
    rig = new TransitionRig(1 << 20, new BatchLimits(4_096, 64 << 20));
    for (int key = 0; key < MANY; key += 100) {
      enqueue(MAIL, key, key + 100);
    }
    rig.keys(Keyspace.SLOT).forEach(rig::remove);
    log(MAIL);
    takeOver();

    rig.apply(new EndSlotLogs());
    assertThat(logRows()).isEqualTo(1);
    assertThat(rig.rowCount(Keyspace.SLOT)).isBetween(1_000, 2_048);
    open();

    assertThat(logRows()).isZero();
    assertThat(rig.rowCount(Keyspace.SLOT)).isEqualTo(MANY);
    enqueue(MAIL, MANY - 1, MANY);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
  }

  @Test
  void steps_longLog_goesInParts() {
    rig.close();
    rig = new TransitionRig(1 << 20, new BatchLimits(4_096, 64 << 20));
    enqueue(MAIL, 0, 1);
    byte[] first = log(MAIL);
    for (int number = 8; number < 8 + MANY; number++) {
      byte[] key = first.clone();
      Bytes.putLong(key, key.length - 8, number);
      rig.put(key, new SlotRecord(1, 0).encode(key));
    }
    takeOver();

    rig.apply(new EndSlotLogs());
    assertThat(logRows()).isBetween(1L, MANY - 1_000L);
    open();

    assertThat(rig.keys(Keyspace.SLOT)).containsExactly(slotKey(MAIL, 0));
  }

  @Test
  void step_takenBack_isMadeAgain() {
    staleRows();
    takeOver();

    rig.applyInVain(new EndSlotLogs());
    assertThat(logRows()).isEqualTo(1);
    open();

    assertThat(logRows()).isZero();
  }

  @Test
  void step_jobsCannotBeRead_leavesTheLogAsItIs() {
    staleRows();
    takeOver();
    try (ReadView view = new LineUnread(rig.store.read())) {
      OpenBatch batch = rig.begin(view);

      assertThatThrownBy(() -> rig.applyTo(batch, new EndSlotLogs(), Durability.SYNCED))
          .isInstanceOf(StoreException.class);

      assertThat(batch.writes().isEmpty()).isTrue();
    }
    open();
  }

  @Test
  void open_slotThatIsFree_isHandedOn() {
    enqueue(MAIL, 0, 1);
    JobId blocked = rig.enqueue(job(0).options());
    complete(rig.claim(1));
    assertThat(rig.job(blocked).state()).isEqualTo(JobState.READY);
    enqueue(MAIL, 0, 1);
    putStale(MAIL, 0, new SlotRecord(1, 1));
    log(MAIL);

    open();

    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
  }

  @Test
  void open_damagedRows_ofLogAndKey_areCountedAnew() {
    rig.damage(staleRows());
    rig.damage(slotKey(MAIL, 1));

    open();

    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
    assertThat(rig.keys(Keyspace.SLOT)).containsExactly(slotKey(MAIL, 0), slotKey(MAIL, 1));
  }

  @Test
  void open_deletedQueue_itsLogGoesWithIt() {
    staleRows();
    int number = rig.number(MAIL);
    rig.apply(new DropQueue(MAIL));

    open();
    rig.apply(new EmptyDropped(number, null));

    assertThat(rig.rowCount(Keyspace.SLOT)).isZero();
  }

  @Test
  void open_storeWithoutLogs_saysSoAndIsNotLookedThroughAgain() {
    enqueue(MAIL, 0, 2);
    rig.put(MetaKeys.CLEAN_STOP, new CleanStop(true, 0, false).encode());

    takeOver();
    assertThat(rig.state.slots().logsFrom()).isNotNull();
    assertThat(rig.apply(new EndSlotLogs())).isFalse();

    takeOver();
    assertThat(rig.state.slots().logsFrom()).isNull();
  }

  @Test
  void verify_logOfAnOlderVersion_isNoProblemUntilTheStoreHasNone() {
    byte[] log = staleRows();
    assertThat(rig.problems()).isEmpty();
    open();

    rig.put(log, new SlotRecord(1, 0).encode(log));

    assertThat(rig.problems())
        .singleElement()
        .extracting(VerifyReport.Problem::finding)
        .isEqualTo("a log of slots is there, though the store says that it has none");
    rig.remove(log);
  }

  @Test
  void verify_damagedLogOfAnOlderVersion_isToldAlone() {
    rig.damage(staleRows());

    assertThat(rig.problems())
        .singleElement()
        .extracting(VerifyReport.Problem::finding)
        .asString()
        .endsWith("reason=shorter than its header");
    open();
  }

  @Test
  void explain_besideALogOfAnOlderVersion_namesTheHolderThatIsThere() {
    JobId holder = rig.enqueue(job(0).options());
    JobId blocked = rig.enqueue(job(0).options());
    putStale(MAIL, 0, new SlotRecord(9, 1));
    log(MAIL);

    String told =
        new StoreReader(() -> rig.store, () -> rig.nowMs, key -> {}, () -> {})
            .explain(blocked)
            .orElseThrow()
            .toString();

    assertThat(told).contains(holder.toString()).doesNotContain("9");
    open();
  }
}
