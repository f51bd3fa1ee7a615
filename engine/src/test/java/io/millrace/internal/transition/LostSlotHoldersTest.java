package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many records of jobs that hold slots are damaged: what they held goes to others, and the jobs are
 * not counted anew for each of them.
 */
final class LostSlotHoldersTest {

  private static final int KEY_COUNT = 1_000;
  private static final int DAMAGED_COUNT = 100;

  /** Of each key one job is ready, and of the first keys one is blocked. */
  private static final int JOB_COUNT = KEY_COUNT + DAMAGED_COUNT + 1;

  private final TransitionRig rig = new TransitionRig();

  @BeforeEach
  void enqueue() {
    List<NewJob> jobs = IntStream.range(0, JOB_COUNT).mapToObj(this::job).toList();
    rig.apply(new Enqueue(MAIL, jobs));
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(DAMAGED_COUNT + 1);
  }

  private NewJob job(int index) {
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("key " + index % KEY_COUNT);
    return new NewJob(("job " + index).getBytes(UTF_8), keyed);
  }

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private List<byte[]> damageFirst() {
    List<byte[]> damaged = rig.keys(Keyspace.READY).subList(0, DAMAGED_COUNT);
    damaged.forEach(rig::damage);
    rig.unload();
    return damaged;
  }

  private void assertHandedOn() {
    assertThat(rig.count(JobState.READY) + rig.count(JobState.LEASED)).isEqualTo(KEY_COUNT);
    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
  }

  @Test
  void setAside_oneByOne_areCountedOnce() {
    List<byte[]> damaged = damageFirst();
    rig.apply(new Quarantine(damaged.get(0)));
    long before = rig.rowsRead();

    damaged.forEach(key -> rig.apply(new Quarantine(key)));

    assertThat((rig.rowsRead() - before) / DAMAGED_COUNT).isLessThan(JOB_COUNT / 4);
    assertHandedOn();
  }

  @Test
  void setAside_afterABatchThatNeverHappened_areCountedAgain() {
    List<byte[]> damaged = damageFirst();
    rig.applyInVain(new Quarantine(damaged.get(0)));

    damaged.stream().skip(1).forEach(key -> rig.apply(new Quarantine(key)));

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
    rig.apply(new Quarantine(damaged.get(0)));
    assertHandedOn();
  }

  @Test
  void setAside_damagedSinceTheOthersWere_areCountedAgain() {
    List<byte[]> damaged = damageFirst();
    rig.apply(new Quarantine(damaged.get(0)));
    byte[] later = rig.keys(Keyspace.READY).get(DAMAGED_COUNT - 1);
    rig.damage(later);

    rig.apply(new Quarantine(later));

    assertThat(rig.count(JobState.BLOCKED)).isZero();
    damaged.forEach(key -> rig.apply(new Quarantine(key)));
  }

  @Test
  void restoreLeases_manyOnDamagedRecords_areCountedOnce() {
    rig.claim(KEY_COUNT);
    damageFirst();
    rig.state.leases().clear();
    long before = rig.rowsRead();

    rig.apply(new RestoreLeases(Keyspace.LEASE.start(), new RestoreLeases.Policy(true, 0)));

    assertThat(rig.rowsRead() - before).isLessThanOrEqualTo(5 * JOB_COUNT);
    assertHandedOn();
  }
}
