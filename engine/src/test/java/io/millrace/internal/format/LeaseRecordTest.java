package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseRecordTest extends RecordContractTest<LeaseRecord> {

  private static final long BIRTH = (1L << 43) + 2;
  private static final long NOW_MS = 1_700_000_000_000L;

  @Override
  List<Golden<LeaseRecord>> golden() {
    return List.of(
        new Golden<>(
            "06 00000001 0000080000000002",
            "01 23e751df 0106080000000009 02027731 03021267 0406018bcfe56800 05027530"
                + " 0606018bcfe56801 070102 0801ff 0906080000000008 0a0101",
            new LeaseRecord(
                (1L << 43) + 9,
                "w1",
                new Incarnation(4711, NOW_MS),
                30_000,
                NOW_MS + 1,
                2,
                -1,
                (1L << 43) + 8,
                true)),
        new Golden<>(
            "06 00000001 0000080000000002",
            "01 01eb3344 010105",
            new LeaseRecord(5, "", new Incarnation(0, 0), 0, 0, 1, 0, BIRTH, false)));
  }

  @Override
  Row<LeaseRecord> sample(Samples samples) {
    return new Row<>(
        LeaseKeys.key(samples.integer(), samples.number()),
        new LeaseRecord(
            samples.number(),
            samples.text(),
            new Incarnation(samples.number(), samples.number()),
            samples.number(),
            samples.number(),
            samples.integer(),
            samples.priority(),
            samples.number(),
            samples.flag()));
  }

  @Override
  byte[] encode(byte[] key, LeaseRecord record) {
    return record.encode(key);
  }

  @Override
  LeaseRecord decode(byte[] key, byte[] value) {
    return LeaseRecord.decode(key, value);
  }

  @Test
  void readyKey_ofLease_isWhereTheRecordStays() {
    LeaseRecord lease = new LeaseRecord(5, "w", new Incarnation(0, 0), 0, 0, 1, -7, BIRTH, false);

    assertThat(lease.readyKey(3)).isEqualTo(ReadyKeys.key(3, -7, BIRTH));
  }

  @Test
  void incarnation_ofThisProcess_isTheSameEachTime() {
    Incarnation self = Incarnation.of(ProcessHandle.current());

    assertThat(self).isEqualTo(Incarnation.of(ProcessHandle.current()));
    assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
  }
}
