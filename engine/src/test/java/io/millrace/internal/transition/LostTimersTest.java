package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.LostTimers;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The TIMER row of a job whose record is damaged is dropped, and few others are read for it. */
final class LostTimersTest {

  private static final EnqueueOptions HOUR = EnqueueOptions.DEFAULT.timeToLive(Duration.ofHours(1));

  private final Bench bench = new Bench();
  private final LostTimers lost = bench.state.lostTimers();

  @AfterEach
  void close() {
    bench.close();
  }

  private void enqueue(int count, EnqueueOptions options) {
    bench.apply(
        new Enqueue(Bench.MAIL, Collections.nCopies(count, new NewJob(new byte[8], options))));
  }

  private List<byte[]> keys(Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = bench.store.read()) {
      view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> keys.add(key));
    }
    return keys;
  }

  private void damage(byte[] key, byte[] value) {
    WriteBatch batch = new WriteBatch(bench.store.lastCommit() + 1);
    batch.put(key, value);
    bench.store.write(batch);
  }

  private byte[] value(byte[] key) {
    try (ReadView view = bench.store.read()) {
      byte[] value = view.get(key);
      assertThat(value).isNotNull();
      return value;
    }
  }

  @Test
  void quarantine_recordStillNamesItsTime_dropsTheRowWithIt() {
    enqueue(1, HOUR);
    byte[] key = keys(Keyspace.READY).get(0);
    byte[] value = value(key);
    value[1] ^= 1;
    damage(key, value);

    assertThat(bench.apply(new Quarantine(key))).isTrue();

    assertThat(bench.rows(Keyspace.TIMER)).isZero();
  }

  @Test
  void quarantine_recordSaysNothing_rowIsFoundInStepsAndOthersStay() {
    enqueue(2_500, EnqueueOptions.DEFAULT.timeToLive(Duration.ofMinutes(1)));
    enqueue(1, HOUR.priority(9));
    byte[] key = keys(Keyspace.READY).get(0);
    damage(key, new byte[3]);

    long before = bench.rowsVisited;
    assertThat(bench.apply(new Quarantine(key))).isTrue();

    assertThat(bench.rowsVisited - before).isLessThan(20);
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(2_501);
    assertThat(bench.apply(new DropLostTimers())).isZero();
    assertThat(bench.apply(new DropLostTimers())).isZero();
    assertThat(bench.applyInVain(new DropLostTimers())).isEqualTo(1);
    assertThat(lost.isEmpty()).isFalse();
    assertThat(bench.apply(new DropLostTimers())).isZero();
    assertThat(bench.apply(new DropLostTimers())).isZero();
    assertThat(bench.apply(new DropLostTimers())).isEqualTo(1);
    assertThat(lost.isEmpty()).isTrue();
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(2_500);
  }

  @Test
  void dropLostTimers_jobIsThereAfterAll_staysWithItsRow() {
    enqueue(1, HOUR);
    lost.add(ReadyKeys.sequence(keys(Keyspace.READY).get(0)));

    assertThat(bench.apply(new DropLostTimers())).isZero();

    assertThat(lost.isEmpty()).isTrue();
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(1);
  }
}
