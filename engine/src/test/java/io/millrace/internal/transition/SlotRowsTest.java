package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.queue.Configure;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.queue.WalkBlocked;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts of many concurrency keys that change together are stored, each in its row. */
final class SlotRowsTest {

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
    rig.apply(new Enqueue(MAIL, IntStream.range(from, to).mapToObj(SlotRowsTest::job).toList()));
  }

  private void complete(List<Grant> leases) {
    rig.apply(new Complete(leases.stream().map(TransitionRig::ref).toList()));
  }

  private long slotOperations(String operation) {
    return rig.lastOperations().stream().filter((operation + " SLOT")::equals).count();
  }

  @Test
  void change_ofManyKeys_isOnePutOrDeleteOfEach() {
    enqueue(0, MANY);
    long puts = slotOperations("put");
    enqueue(0, 2);
    assertThat(slotOperations("put")).isEqualTo(2);
    rig.unload();

    complete(rig.claim(MANY));

    assertThat(puts).isEqualTo(MANY);
    assertThat(slotOperations("put")).isEqualTo(2);
    assertThat(slotOperations("delete")).isEqualTo(MANY - 2);
    assertThat(rig.rowCount(Keyspace.SLOT)).isEqualTo(2);
    complete(rig.claim(2));
    assertThat(rig.rowCount(Keyspace.SLOT)).isZero();
  }

  @Test
  void key_thatNoJobHadBefore_hasANewRow() {
    enqueue(0, 1);
    assertThat(rig.lastNews()).contains("SLOT");

    enqueue(0, 1);
    assertThat(rig.lastNews()).doesNotContain("SLOT");
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
  void enqueue_newQueue_readsNoRowsOfKeys() {
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
  @Tag("thorough")
  void enqueue_newQueueWithMoreKeysThanMemoryKeeps_readsTheirRowsAgain() {
    for (int key = 0; key < 70_000; key += 10_000) {
      enqueue(key, key + 10_000);
    }
    // All of them were used, and have a second chance.
    enqueue(70_000, 70_001);

    enqueue(0, 1);

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
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
