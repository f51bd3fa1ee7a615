package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogKeys;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.queue.Configure;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.queue.WalkBlocked;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts of many concurrency keys that change together are logged, and none of them is lost. */
final class SlotLogTest {

  /** More than are worth rows of their own, in several rows of the log. */
  private static final int MANY = 600;

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private static NewJob job(int key) {
    return new NewJob(
        ("job " + key).getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("key " + key));
  }

  private void enqueue(int from, int to) {
    rig.apply(new Enqueue(MAIL, IntStream.range(from, to).mapToObj(SlotLogTest::job).toList()));
  }

  private void complete(List<Grant> leases) {
    rig.apply(new Complete(leases.stream().map(TransitionRig::ref).toList()));
  }

  private List<byte[]> slotRows(boolean areOfLog) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = rig.store.read()) {
      view.scan(
          Keyspace.SLOT.start(),
          Keyspace.SLOT.end(),
          Integer.MAX_VALUE,
          (key, value) -> {
            if (SlotLogKeys.isOne(key) == areOfLog) {
              keys.add(key);
            }
            return true;
          });
    }
    return keys;
  }

  @Test
  void enqueue_manyKeys_putsRowsOfTheLogAlone() {
    enqueue(0, MANY);

    assertThat(slotRows(true)).hasSize(3);
    assertThat(slotRows(false)).isEmpty();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void complete_besideJobsThatStay_onlyTheirKeysGetRows() {
    enqueue(0, MANY);
    rig.claim(MANY);
    for (int i = 0; i < 100; i++) {
      enqueue(MANY, MANY + 200);
      complete(rig.claim(200));
    }

    assertThat(slotRows(true)).isEmpty();
    assertThat(slotRows(false)).hasSize(MANY);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void complete_noKeyIsInUse_theLogGoes() {
    for (int i = 0; i < 10; i++) {
      enqueue(0, MANY);
      complete(rig.claim(MANY));

      assertThat(rig.rowCount(Keyspace.SLOT)).isZero();
    }
  }

  @Test
  void log_growsLong_whatItAloneTellsIsPutIntoRows() {
    for (int i = 0; i < 100; i++) {
      enqueue(10 * i, 10 * i + 10);
    }

    assertThat(slotRows(true)).hasSize(64);
    assertThat(slotRows(false)).hasSize(360);
    assertThat(rig.problems()).isEmpty();
    rig.unload();
    complete(rig.claim(1_000));
    assertThat(rig.count(JobState.READY)).isZero();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void unload_countsAreReadFromTheLog() {
    enqueue(0, MANY);
    rig.unload();

    enqueue(0, MANY);

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(MANY);
    rig.unload();
    complete(rig.claim(MANY));
    assertThat(rig.count(JobState.READY)).isEqualTo(MANY);
    assertThat(rig.count(JobState.BLOCKED)).isZero();
  }

  @Test
  void oneKeyOfMany_changedAlone_isLoggedBehindTheOthers() {
    enqueue(0, MANY);

    complete(rig.claim(1));

    rig.unload();
    enqueue(0, 1);
    assertThat(rig.count(JobState.READY)).isEqualTo(MANY);
  }

  @Test
  void batchTakenBack_countsAreThoseThatAreStored() {
    enqueue(0, MANY);
    List<Grant> leases = rig.claim(MANY);

    rig.applyInVain(new Complete(leases.stream().map(TransitionRig::ref).toList()));

    enqueue(0, MANY);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(MANY);
    complete(leases);
    assertThat(rig.count(JobState.READY)).isEqualTo(MANY);
  }

  @Test
  void rowOfTheLogDamaged_notInMemory_isCountedAnew() {
    enqueue(0, MANY);
    rig.damage(slotRows(true).get(1));
    rig.unload();

    enqueue(0, MANY);

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(MANY);
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
  }

  @Test
  void rowOfTheLogDamaged_foundByVerify_isPutAnew() {
    enqueue(0, MANY);
    byte[] damaged = slotRows(true).get(1);
    rig.damage(damaged);

    rig.apply(new Quarantine(damaged));

    assertThat(rig.problems()).isEmpty();
    rig.unload();
    enqueue(0, MANY);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(MANY);
  }

  @Test
  void rowOfTheLogDamaged_foundByVerifyAndNotInMemory_isCountedAnew() {
    enqueue(0, 3);
    byte[] damaged = slotRows(true).get(0);
    rig.damage(damaged);
    rig.unload();

    rig.apply(new Quarantine(damaged));

    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void ownRowDamaged_keyIsLogged_theLogHolds() {
    enqueue(0, 1);
    enqueue(0, 1);
    byte[] own = SlotKeys.key(rig.number(MAIL), "key 0".getBytes(UTF_8));
    assertThat(slotRows(false)).hasSize(1);
    enqueue(0, 3);
    rig.damage(own);
    rig.unload();

    complete(rig.claim(1));

    assertThat(rig.count(JobState.READY)).isEqualTo(3);
    rig.apply(new Quarantine(own));
  }

  @Test
  void counters_tellWhetherKeysAreLogged() {
    enqueue(0, 1);
    boolean beforeLog = rig.storedCounts().hasOwnRowsOnly();
    enqueue(1, MANY);
    boolean withLog = rig.storedCounts().hasOwnRowsOnly();
    complete(rig.claim(MANY));

    assertThat(beforeLog).isTrue();
    assertThat(withLog).isFalse();
    assertThat(rig.storedCounts().hasOwnRowsOnly()).isTrue();
  }

  @Test
  void counters_thatSayNothingOfALog_sayItWhenSomebodyHasLooked() {
    enqueue(0, 1);
    byte[] key = CounterKeys.key(rig.number(MAIL));
    CountersRecord now = rig.storedCounts();
    CountersRecord older =
        new CountersRecord(
            now.states(),
            now.totals(),
            now.ready(),
            now.agendaAtMs(),
            now.nextDelayedAtMs(),
            now.emptySinceMs(),
            now.perKeyDone(),
            false);
    rig.put(key, older.encode(key));
    rig.unload();

    enqueue(0, 1);

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
    assertThat(rig.storedCounts().hasOwnRowsOnly()).isTrue();
  }

  @Test
  void enqueue_newQueueAndThenOneWithoutALog_readsNoRowsOfKeys() {
    enqueue(0, 2);
    long ofNew = rig.rowsRead();
    rig.unload();
    rig.apply(Configure.resumed(MAIL));
    long before = rig.rowsRead();
    enqueue(1, 3);

    assertThat(ofNew).isLessThanOrEqualTo(8);
    assertThat(rig.rowsRead() - before).isEqualTo(2);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
  }

  @Test
  void counters_sayThatNothingIsLoggedThoughItIs_isFoundByVerify() {
    enqueue(0, 3);
    byte[] key = CounterKeys.key(rig.number(MAIL));
    byte[] right = rig.storedCounts().encode(key);

    rig.put(key, rig.storedCounts().withOwnRowsOnly().encode(key));

    assertThat(rig.problems())
        .singleElement()
        .extracting(VerifyReport.Problem::finding)
        .isEqualTo("concurrency keys are logged, and the counters say they are not");
    rig.put(key, right);
  }

  @Test
  void explain_keyOfTheEngine_doesNotLookAtTheLogOfTheQueue() {
    enqueue(0, 3);
    rig.enqueue(EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1));
    JobId blocked = rig.enqueue(EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1));
    byte[] log = slotRows(true).get(0);
    rig.damage(log);
    List<byte[]> met = new ArrayList<>();

    new StoreReader(() -> rig.store, () -> rig.nowMs, met::add, () -> {}).explain(blocked);

    assertThat(met).isEmpty();
    rig.apply(new Quarantine(log));
  }

  @Test
  void dropQueue_leavesNoRow() {
    enqueue(0, MANY);

    int number = rig.number(MAIL);
    rig.apply(new DropQueue(MAIL));
    rig.apply(new EmptyDropped(number, null));

    assertThat(rig.rowCount(Keyspace.SLOT)).isZero();
  }

  @Test
  void randomCalls_verifyFindsNothing() {
    Random random = new Random(7);
    List<Grant> held = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          int from = random.nextInt(40);
          enqueue(from, from + 1 + random.nextInt(12));
        }
        case 3, 4 -> held.addAll(rig.claim(1 + random.nextInt(9)));
        case 5, 6 -> {
          complete(held);
          held.clear();
        }
        default -> {
          rig.configure(QueueSettings.DEFAULT.perKey(1 + random.nextInt(3)));
          rig.apply(new WalkBlocked(MAIL));
        }
      }
      if (random.nextInt(10) == 0) {
        rig.unload();
      }
      assertThat(rig.problems()).as("step %s", i).isEmpty();
    }
  }
}
