package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.LostTimers;
import io.millrace.internal.transition.due.DropLostTimers;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The TIMER row of a job whose record is damaged is dropped, and few others are read for it. */
final class LostTimersTest {

  private static final EnqueueOptions HOUR = EnqueueOptions.DEFAULT.timeToLive(Duration.ofHours(1));

  private final TransitionRig rig = new TransitionRig();
  private final LostTimers lost = rig.state.lostTimers();

  @AfterEach
  void close() {
    rig.close();
  }

  private void enqueue(int count, EnqueueOptions options) {
    rig.apply(new Enqueue(MAIL, Collections.nCopies(count, new NewJob(new byte[8], options))));
  }

  private byte[] value(byte[] key) {
    try (ReadView view = rig.store.read()) {
      byte[] value = view.get(key);
      assertThat(value).isNotNull();
      return value;
    }
  }

  @Test
  void quarantine_recordStillNamesItsTime_dropsTheRowWithIt() {
    enqueue(1, HOUR);
    byte[] key = rig.keys(Keyspace.READY).get(0);
    byte[] value = value(key);
    value[1] ^= 1;
    rig.put(key, value);

    assertThat(rig.apply(new Quarantine(key))).isTrue();

    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
  }

  @Test
  void quarantine_recordSaysNothing_rowIsFoundInStepsAndOthersStay() {
    enqueue(2_500, EnqueueOptions.DEFAULT.timeToLive(Duration.ofMinutes(1)));
    enqueue(1, HOUR.priority(9));
    byte[] key = rig.keys(Keyspace.READY).get(0);
    rig.put(key, new byte[3]);

    long before = rig.rowsRead();
    assertThat(rig.apply(new Quarantine(key))).isTrue();

    assertThat(rig.rowsRead() - before).isLessThan(20);
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(2_501);
    assertThat(rig.apply(new DropLostTimers())).isZero();
    assertThat(rig.apply(new DropLostTimers())).isZero();
    assertThat(rig.applyInVain(new DropLostTimers())).isEqualTo(1);
    assertThat(lost.isEmpty()).isFalse();
    assertThat(rig.apply(new DropLostTimers())).isZero();
    assertThat(rig.apply(new DropLostTimers())).isZero();
    assertThat(rig.apply(new DropLostTimers())).isEqualTo(1);
    assertThat(lost.isEmpty()).isTrue();
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(2_500);
  }

  @Test
  void dropLostTimers_jobIsThereAfterAll_staysWithItsRow() {
    enqueue(1, HOUR);
    lost.add(ReadyKeys.sequence(rig.keys(Keyspace.READY).get(0)));

    assertThat(rig.apply(new DropLostTimers())).isZero();

    assertThat(lost.isEmpty()).isTrue();
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(1);
  }
}
