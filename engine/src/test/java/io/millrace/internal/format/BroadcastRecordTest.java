package io.millrace.internal.format;

import java.util.List;

class BroadcastRecordTest extends RecordContractTest<BroadcastRecord> {

  @Override
  List<Golden<BroadcastRecord>> golden() {
    return List.of(
        new Golden<>(
            "0b 00000000 00 0000080000000003",
            "01 f0ce0bb5 010101 0202676f 030170 040105 050103",
            new BroadcastRecord(1, new byte[] {'g', 'o'}, new byte[] {'p'}, 5, 3)));
  }

  @Override
  Row<BroadcastRecord> sample(Samples samples) {
    return new Row<>(
        BroadcastKeys.key(samples.number()),
        new BroadcastRecord(
            samples.integer(),
            samples.part(),
            samples.bytes(300),
            samples.number(),
            samples.number()));
  }

  @Override
  byte[] encode(byte[] key, BroadcastRecord record) {
    return record.encode(key);
  }

  @Override
  BroadcastRecord decode(byte[] key, byte[] value) {
    return BroadcastRecord.decode(key, value);
  }
}
