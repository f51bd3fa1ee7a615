package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountersRecordTest extends RecordContractTest<CountersRecord> {

  private static final long NOW_MS = 1_700_000_000_000L;

  @Override
  List<Golden<CountersRecord>> golden() {
    return List.of(
        new Golden<>(
            "04 00000001",
            "01 d4c7663f 01040102 0301 020601ac0203a902 030a7f020000080000000002 0406018bcfe56800"
                + " 0506018bcfe56801 060107",
            some()),
        new Golden<>("04 00000002", "01 440cb872", CountersRecord.empty()));
  }

  @Override
  Row<CountersRecord> sample(Samples samples) {
    return new Row<>(CounterKeys.key(samples.integer()), random(samples));
  }

  @Override
  byte[] encode(byte[] key, CountersRecord record) {
    return record.encode(key);
  }

  @Override
  CountersRecord decode(byte[] key, byte[] value) {
    return CountersRecord.decode(key, value);
  }

  private static CountersRecord some() {
    long[] states = new long[JobState.values().length];
    states[JobState.READY.ordinal()] = 2;
    states[JobState.LEASED.ordinal()] = 1;
    long[] totals = new long[QueueStats.Total.values().length];
    totals[QueueStats.Total.ENQUEUED.ordinal()] = 300;
    totals[QueueStats.Total.COMPLETED.ordinal()] = 297;
    CountersRecord.ReadyRow[] ready = {new CountersRecord.ReadyRow(0, 2, (1L << 43) + 2)};
    return new CountersRecord(states, totals, ready, NOW_MS, NOW_MS + 1, 7, 0);
  }

  private static CountersRecord random(Samples samples) {
    long[] states = new long[JobState.values().length];
    Arrays.setAll(states, i -> samples.number());
    long[] totals = new long[QueueStats.Total.values().length];
    Arrays.setAll(totals, i -> samples.flag() ? 0 : samples.number());
    CountersRecord.ReadyRow[] ready = new CountersRecord.ReadyRow[samples.below(8)];
    Arrays.setAll(
        ready,
        i -> new CountersRecord.ReadyRow(samples.priority(), samples.number(), samples.number()));
    return new CountersRecord(
        states, totals, ready, samples.number(), samples.number(), samples.number(), 0);
  }

  @Test
  void decode_flagOfAnOlderVersion_isPassedOver() {
    byte[] value = Samples.hex("01 485e3fc6 080101");

    CountersRecord record = CountersRecord.decode(CounterKeys.key(2), value);

    assertThat(record).isEqualTo(CountersRecord.empty());
  }

  @Test
  void decode_everyPriorityInUse_isRead() {
    CountersRecord.ReadyRow[] ready = new CountersRecord.ReadyRow[256];
    Arrays.setAll(ready, i -> new CountersRecord.ReadyRow(127 - i, 1, i));
    CountersRecord empty = CountersRecord.empty();
    CountersRecord all =
        new CountersRecord(
            empty.states(), empty.totals(), ready, CountersRecord.NONE, CountersRecord.NONE, 0, 0);
    byte[] key = CounterKeys.key(1);

    assertThat(CountersRecord.decode(key, all.encode(key))).isEqualTo(all);
  }

  @Test
  void decode_moreRowsThanPriorities_isCorrupt() {
    byte[] key = CounterKeys.key(1);
    byte[] fields = Samples.hex("03 8a14" + "7f010000000000000001".repeat(257));

    assertThatThrownBy(() -> CountersRecord.decode(key, sealed(key, fields)))
        .hasMessage(
            "stored row is corrupt: keyspace=COUNTERS, key=0400000001,"
                + " reason=more rows than priorities");
  }

  @Test
  void decode_unknownCodes_areSkipped() {
    byte[] key = CounterKeys.key(1);
    byte[] fields = Samples.hex("01 04 6305 0102 02 04 0103 6405");

    CountersRecord record = CountersRecord.decode(key, sealed(key, fields));

    assertThat(record.states()[JobState.READY.ordinal()]).isEqualTo(2);
    assertThat(record.totals()[QueueStats.Total.ENQUEUED.ordinal()]).isEqualTo(3);
    assertThat(Arrays.stream(record.states()).sum()).isEqualTo(2);
    assertThat(Arrays.stream(record.totals()).sum()).isEqualTo(3);
  }

  @Test
  void codes_areWhatIsOnDisk() {
    assertThat(Arrays.stream(JobState.values()).map(s -> StateTraits.of(s).code() + " " + s))
        .containsExactlyInAnyOrder(
            "1 READY", "2 DELAYED", "3 LEASED", "4 BLOCKED", "5 WAITING", "6 DEAD", "7 DONE");
    assertThat(Arrays.stream(QueueStats.Total.values()).map(t -> CounterCodes.code(t) + " " + t))
        .containsExactlyInAnyOrder(
            "1 ENQUEUED",
            "2 CLAIMED",
            "3 COMPLETED",
            "4 RETRIED",
            "5 RELEASED",
            "6 SNOOZED",
            "7 EXPIRED",
            "8 DIED",
            "9 CANCELLED",
            "10 REDRIVEN",
            "11 DELETED",
            "12 QUARANTINED",
            "13 DROPPED",
            "14 SWEPT",
            "15 PURGED",
            "16 WAITED",
            "17 WOKEN");
  }

  @Test
  void new_arraysOfWrongLength_isRefused() {
    CountersRecord empty = CountersRecord.empty();

    assertThatThrownBy(
            () -> new CountersRecord(new long[1], empty.totals(), empty.ready(), 0, 0, 0, 0))
        .hasMessage("states has a wrong length: counts=[0]");
    assertThatThrownBy(
            () -> new CountersRecord(empty.states(), new long[1], empty.ready(), 0, 0, 0, 0))
        .hasMessage("totals has a wrong length: counts=[0]");
  }

  @Test
  void encode_negativeCount_isRefused() {
    CountersRecord record = CountersRecord.empty();
    record.states()[0] = -1;

    assertThatThrownBy(() -> record.encode(CounterKeys.key(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number is negative: value=-1");
  }
}
